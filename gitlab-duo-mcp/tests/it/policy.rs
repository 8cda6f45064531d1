//! What the operator's settings leave.

use std::sync::Arc;

use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::Server;
use serde_json::json;

use crate::client::{Client, text};
use crate::wire::{Wire, call};
use crate::world::{NEWEST, gitlab, settings};

fn with_access(access: Access) -> Server {
    Server::new(Arc::new(gitlab(NEWEST)), settings(Scope { access, ..Scope::default() }))
}

async fn names(server: Server) -> Vec<String> {
    Client::new(server).await.tools().iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn settings_take_tools_out_of_the_list() {
    assert_eq!(names(with_access(Access::Full)).await, ["browse_duo_sessions", "manage_duo_session"]);
    assert_eq!(names(with_access(Access::ReadOnly)).await, ["browse_duo_sessions"]);
    assert_eq!(names(with_access(Access::Off)).await, [""; 0]);
}

#[tokio::test]
async fn a_hidden_tool_is_refused_by_policy_before_anything_else() {
    for (access, tool) in [
        (Access::ReadOnly, "manage_duo_session"),
        (Access::Off, "browse_duo_sessions"),
        (Access::Off, "manage_duo_session"),
    ] {
        let client = Client::new(with_access(access)).await;
        let result = client.call(tool, json!({"nonsense": true})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(result["structuredContent"]["error"]["kind"], "policy");
    }
}

#[tokio::test]
async fn a_foreign_project_is_refused_before_any_detail_is_read() {
    let gitlab = gitlab(NEWEST);
    let scope = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    let client = Client::new(Server::new(Arc::new(gitlab.clone()), settings(scope))).await;
    let error = client.structured("browse_duo_sessions", json!({"action": "get", "workflow_id": 73})).await;
    assert_eq!(error["error"]["kind"], "policy");
    assert!(!gitlab.world().calls.contains(&"session"));
}

#[tokio::test]
async fn without_a_token_tools_are_listed_and_every_call_says_how_to_set_one() {
    let client = Client::new(Server::without_token(settings(Scope::default()))).await;
    assert_eq!(client.tools().len(), 2);
    for tool in ["browse_duo_sessions", "manage_duo_session"] {
        let result = client.call(tool, json!({})).await;
        assert_eq!(result["structuredContent"]["error"]["kind"], "unauthorized");
        assert!(text(&result).contains("GITLAB_TOKEN"));
    }
}

#[tokio::test]
async fn an_unknown_tool_is_a_fault_of_the_request() {
    let mut wire = Wire::begun(with_access(Access::Full)).await;
    for name in ["delete_everything", "", "BROWSE_DUO_SESSIONS"] {
        let answer = wire.ask(call(7, name, json!({}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("`browse_duo_sessions`"));
    }
}
