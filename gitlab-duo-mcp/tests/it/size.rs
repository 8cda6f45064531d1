//! Results stay small, however much GitLab sends.

use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, Links, MessageKind, Session, SessionRow,
};
use gitlab_duo_core::model::status::Status;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, message, server, session};

const BOUND: usize = 48 * 1_024;

fn huge(id: u64) -> Session {
    let long = "\u{1f600}\"\n".repeat(2_000);
    let call = json!({"name": long, "args": {"content": long}}).to_string();
    let mut messages = vec![message(MessageKind::Agent, &long, "null")];
    messages.extend((0..60).map(|_| message(MessageKind::Request, &long, &call)));
    let mut session = session(id, Status::ToolCallApprovalRequired, &messages);
    session.summary = Some(long.clone());
    session.row.goal = Some(long.clone());
    session.row.title = Some(long.clone());
    session.row.flow = Some(long.clone());
    session.row.agent_name = Some(long.clone());
    session.job_logs = vec![format!("https://git.example.test/{}", "x".repeat(400)); 30];
    let url = Some(format!("https://git.example.test/{}", "y".repeat(200)));
    let merge_request = CreatedMergeRequest {
        iid: None,
        title: Some(long.clone()),
        state: Some("opened".to_owned()),
        web_url: url.clone(),
    };
    let note = CreatedNote { body: Some(long), url };
    session.created = Created {
        merge_requests: Some(Links { items: vec![merge_request; 60], has_more: Some(true), hidden: 3 }),
        work_items: None,
        notes: Some(Links { items: vec![note; 60], has_more: Some(false), hidden: 0 }),
    };
    session
}

fn size(result: &Value) -> usize {
    result.to_string().len()
}

#[tokio::test]
async fn a_huge_session_and_a_full_page_of_them_fit_in_every_revision() {
    for version in [ProtocolVersion::V_2024_11_05, ProtocolVersion::V_2025_11_25] {
        let gitlab = gitlab(NEWEST);
        let one = huge(1);
        let row = |id| Session::bare(SessionRow { id: WorkflowId::new(id).unwrap(), ..one.row.clone() });
        gitlab.world().sessions = (2..=100).map(row).chain([one.clone()]).collect();
        let client = Client::of(server(&gitlab), version.clone()).await;
        for arguments in [json!({"action": "get", "workflow_id": 1}), json!({"action": "list", "first": 100})]
        {
            let result = client.call("browse_duo_sessions", arguments.clone()).await;
            assert_eq!(result["isError"], false, "{version} {arguments}: {result}");
            assert!(size(&result) <= BOUND, "{version} {arguments}: {}", size(&result));
        }
    }
}

#[tokio::test]
async fn a_typical_result_is_small() {
    let client = Client::new(server(&gitlab(NEWEST))).await;
    for arguments in [
        json!({"action": "get", "workflow_id": 75}),
        json!({"action": "list"}),
        json!({"action": "agents_and_flows", "project_id": 4021}),
    ] {
        let result = client.call("browse_duo_sessions", arguments.clone()).await;
        assert!(size(&result) <= 4 * 1_024, "{arguments}: {}", size(&result));
    }
}

#[tokio::test]
async fn a_huge_argument_is_not_thrown_back() {
    let client = Client::new(server(&gitlab(NEWEST))).await;
    let long = "x".repeat(1 << 20);
    for arguments in [
        json!({"action": long}),
        json!({"action": "get", "workflow_id": long}),
        json!({"action": "list", "project_id": long}),
        json!({"action": "list", (long.clone()): 1}),
    ] {
        let result = client.call("browse_duo_sessions", arguments).await;
        assert!(size(&result) <= 4 * 1_024, "{}", size(&result));
    }
    let start = json!({"action": "start", "project_id": 4021, "flow": long, "goal": "x"});
    let result = client.call("manage_duo_session", start).await;
    assert!(size(&result) <= 10 * 1_024, "{}", size(&result));
}
