//! Waiting for a session, and reading what was said in it.

use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_mcp::spec::surface::Surface;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::wire::{Wire, call, cancelled, request};
use crate::world::{NEWEST, gitlab, server, server_of};

const BROWSE: &str = "browse_duo_sessions";

fn wait(token: Option<Value>, seconds: u64) -> Value {
    let mut message = call(7, BROWSE, json!({"action": "get", "workflow_id": "72", "wait_seconds": seconds}));
    if let Some(token) = token {
        message["params"]["_meta"] = json!({"progressToken": token});
    }
    message
}

fn looks(gitlab: &MemoryGitLab) -> usize {
    gitlab.world().calls.iter().filter(|method| **method == "session").count()
}

#[tokio::test(start_paused = true)]
async fn progress_rises_until_the_limit_and_stops_with_the_result() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    let begun = tokio::time::Instant::now();
    wire.send(&wait(Some(json!("token-1")), 90).to_string()).await;
    let mut told = Vec::new();
    let answer = loop {
        let line = wire.next_at_any_time().await;
        match line["method"].as_str() {
            Some(method) => {
                assert_eq!(
                    (method, &line["params"]["progressToken"]),
                    ("notifications/progress", &json!("token-1"))
                );
                assert_eq!(
                    (&line["params"]["total"], &line["params"]["message"]),
                    (&json!(90.0), &json!("the session is running"))
                );
                told.push(line["params"]["progress"].as_f64().unwrap());
            }
            None => break line,
        }
    };
    assert!(told.is_sorted() && told.first() == Some(&5.0) && told.last() == Some(&90.0), "{told:?}");
    assert_eq!(answer["result"]["structuredContent"]["status"], "running");
    assert_eq!(begun.elapsed().as_secs(), 90);
    assert_eq!(wire.ask(request(8, "ping", json!({}))).await["id"], 8);
}

#[tokio::test(start_paused = true)]
async fn the_first_change_ends_the_wait() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    wire.send(&wait(Some(json!(3)), 300).to_string()).await;
    wire.next_at_any_time().await;
    gitlab.world().sessions.iter_mut().find(|session| session.row.id.number() == 72).unwrap().row.status =
        Some(Status::Finished);
    let answer = loop {
        let line = wire.next_at_any_time().await;
        if line["id"] == 7 {
            break line;
        }
    };
    assert_eq!(answer["result"]["structuredContent"]["status"], "finished");
    assert!(looks(&gitlab) <= 3, "{}", looks(&gitlab));
}

#[tokio::test(start_paused = true)]
async fn the_tool_of_gitlabs_name_waits_as_well() {
    for name in ["get_duo_session", "get_duo_workflow_status"] {
        let gitlab = gitlab(NEWEST);
        let mut wire = Wire::begun(server_of(&gitlab, Surface::GitLab)).await;
        let begun = tokio::time::Instant::now();
        wire.send(&call(7, name, json!({"workflow_id": 72, "wait_seconds": 20})).to_string()).await;
        let answer = wire.next_at_any_time().await;
        let session = &answer["result"]["structuredContent"];
        assert_eq!((&session["workflow_id"], &session["status"]), (&json!(72), &json!("running")));
        assert_eq!(begun.elapsed().as_secs(), 20);
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_token_nothing_is_told_and_zero_seconds_is_no_wait() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    wire.send(&wait(None, 30).to_string()).await;
    assert_eq!(wire.next_at_any_time().await["id"], 7);
    gitlab.world().calls.clear();
    wire.send(&wait(None, 0).to_string()).await;
    assert_eq!(wire.next_at_any_time().await["id"], 7);
    assert_eq!(looks(&gitlab), 1);
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_wait_reads_no_more_and_is_not_answered() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    wire.send(&wait(Some(json!(1)), 300).to_string()).await;
    wire.next_at_any_time().await;
    wire.send(&cancelled(7).to_string()).await;
    wire.send(&request(8, "ping", json!({})).to_string()).await;
    while wire.next_at_any_time().await["id"] != 8 {}
    let before = looks(&gitlab);
    tokio::time::sleep(std::time::Duration::from_secs(120)).await;
    assert_eq!(looks(&gitlab), before);
    assert_eq!(wire.ask(request(9, "ping", json!({}))).await["id"], 9);
}

#[tokio::test]
async fn a_transcript_is_told_in_every_generation() {
    for version in [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28] {
        let client = Client::of(server(&gitlab(NEWEST)), version).await;
        let result = client.call(BROWSE, json!({"action": "transcript", "workflow_id": 75})).await;
        let message = &result["structuredContent"]["messages"][0];
        assert_eq!((&message["kind"], &message["tool"]), (&json!("request"), &json!("run_command")));
        assert!(
            text(&result).contains("has 1 messages") && text(&result).contains("1. `request`"),
            "{}",
            text(&result)
        );
        let foreign = client
            .structured(BROWSE, json!({"action": "transcript", "workflow_id": 75, "after": "MjA"}))
            .await;
        assert_eq!(foreign["error"]["kind"], "invalid_arguments");
    }
}

#[tokio::test(start_paused = true)]
async fn many_waiters_for_one_session_look_no_more_often_than_one() {
    let looks_of = async |waiters: u64| {
        let gitlab = gitlab(NEWEST);
        let mut wire = Wire::begun(server(&gitlab)).await;
        for id in 0..waiters {
            let mut waiting = wait(None, 300);
            waiting["id"] = json!(100 + id);
            wire.send(&waiting.to_string()).await;
        }
        for _ in 0..waiters {
            let answer = wire.next_at_any_time().await;
            assert_eq!(answer["result"]["structuredContent"]["status"], "running", "{answer}");
        }
        looks(&gitlab)
    };
    let alone = looks_of(1).await;
    // Each has a first look of its own, which may join one that has begun after it.
    let together = looks_of(20).await;
    assert!(together <= alone + 20 && together < 2 * alone + 20, "{together} looks, {alone} by one");
}

#[tokio::test(start_paused = true)]
async fn a_look_from_before_is_not_taken_for_a_new_one() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    wire.send(&wait(Some(json!(1)), 300).to_string()).await;
    wire.next_at_any_time().await;
    // The first waiter has just looked; what happens now is seen by whoever comes now.
    gitlab.world().sessions.iter_mut().find(|session| session.row.id.number() == 72).unwrap().row.status =
        Some(Status::Finished);
    let mut late = wait(None, 300);
    late["id"] = json!(8);
    wire.send(&late.to_string()).await;
    let first = loop {
        let line = wire.next_at_any_time().await;
        if line["id"] == 8 || line["id"] == 7 {
            break line;
        }
    };
    assert_eq!(
        (&first["id"], &first["result"]["structuredContent"]["status"]),
        (&json!(8), &json!("finished"))
    );
}
