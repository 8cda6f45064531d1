//! Calls that are withdrawn, hang, or fail inside.

use std::sync::Arc;

use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_mcp::server::Server;
use serde_json::json;
use tokio::time::timeout;

use crate::trouble::{Signs, Trouble, Troubled};
use crate::wire::{PATIENCE, Wire, call, cancelled, request};
use crate::world::{NEWEST, gitlab, settings};

async fn troubled(gitlab: &MemoryGitLab, method: &'static str, trouble: Trouble) -> (Wire, Arc<Signs>) {
    let troubled = Troubled::new(gitlab, method, trouble);
    let signs = Arc::clone(&troubled.signs);
    (Wire::begun(Server::new(Arc::new(troubled), settings(Scope::default()))).await, signs)
}

#[tokio::test]
async fn a_withdrawn_read_is_dropped_and_not_answered() {
    let (mut wire, signs) = troubled(&gitlab(NEWEST), "session", Trouble::Hang).await;
    wire.send(&call(7, "browse_duo_sessions", json!({"action": "get", "workflow_id": 73})).to_string()).await;
    timeout(PATIENCE, signs.entered.notified()).await.unwrap();
    wire.send(&cancelled(7).to_string()).await;
    timeout(PATIENCE, signs.dropped.notified()).await.unwrap();
    // Late and unknown withdrawals are ignored; the next answer is that of the ping.
    wire.send(&cancelled(7).to_string()).await;
    wire.send(&cancelled(99).to_string()).await;
    let answer = wire.ask(request(8, "ping", json!({}))).await;
    assert_eq!(answer["id"], 8);
}

#[tokio::test]
async fn a_write_that_has_begun_goes_on_when_its_call_is_withdrawn() {
    let gitlab = gitlab(NEWEST);
    let (mut wire, signs) = troubled(&gitlab, "stop_session", Trouble::Hang).await;
    wire.send(&call(7, "manage_duo_session", json!({"action": "stop", "workflow_id": 72})).to_string()).await;
    timeout(PATIENCE, signs.entered.notified()).await.unwrap();
    wire.send(&cancelled(7).to_string()).await;
    assert_eq!(wire.ask(request(8, "ping", json!({}))).await["id"], 8);
    signs.release.notify_one();
    timeout(PATIENCE, signs.left.notified()).await.unwrap();
    // Its answer is discarded: the next line belongs to the next request, which sees the effect.
    let answer = wire.ask(call(9, "browse_duo_sessions", json!({"action": "get", "workflow_id": 72}))).await;
    assert_eq!(answer["id"], 9);
    assert_eq!(gitlab.world().stopped.len(), 1);
}

#[tokio::test]
async fn the_same_write_is_not_sent_beside_the_first_one_also_when_its_call_was_withdrawn() {
    let start = json!({"action": "start", "project_id": "4021", "consumer_id": "91", "goal": "Tidy up"});
    let other =
        json!({"action": "start", "project_id": "4021", "consumer_id": "91", "goal": "Something else"});
    let answer = json!({"action": "send_input", "workflow_id": 74, "human_approval": false});
    let approve = json!({"action": "send_input", "workflow_id": 74, "human_approval": true});
    for (method, first, again) in [("start_session", start.clone(), start), ("send_input", answer, approve)] {
        let gitlab = gitlab(NEWEST);
        let (mut wire, signs) = troubled(&gitlab, method, Trouble::Hang).await;
        wire.send(&call(7, "manage_duo_session", first).to_string()).await;
        timeout(PATIENCE, signs.entered.notified()).await.unwrap();
        wire.send(&cancelled(7).to_string()).await;
        let refusal = wire.ask(call(8, "manage_duo_session", again)).await;
        assert_eq!(refusal["result"]["structuredContent"]["error"]["kind"], "duplicate", "{refusal}");
        signs.release.notify_one();
        timeout(PATIENCE, signs.left.notified()).await.unwrap();
        assert_eq!(gitlab.world().writes(), 1);
    }
    // Another goal is another session; it is on its way beside the first.
    let gitlab = gitlab(NEWEST);
    let (mut wire, signs) = troubled(&gitlab, "start_session", Trouble::Hang).await;
    wire.send(&call(7, "manage_duo_session", other).to_string()).await;
    timeout(PATIENCE, signs.entered.notified()).await.unwrap();
    let dry = json!({"action": "start", "project_id": "4021", "consumer_id": "91", "goal": "Something else", "dry_run": true});
    assert!(
        wire.ask(call(8, "manage_duo_session", dry)).await["result"]["structuredContent"]["dry_run"]
            .is_boolean()
    );
    signs.release.notify_one();
}

#[tokio::test]
async fn a_failure_inside_is_answered_without_its_words() {
    let rows = [
        ("session", "browse_duo_sessions", json!({"action": "get", "workflow_id": 73}), "server"),
        (
            "stop_session",
            "manage_duo_session",
            json!({"action": "stop", "workflow_id": 72}),
            "outcome_unknown",
        ),
    ];
    for (method, tool, arguments, kind) in rows {
        let (mut wire, _) = troubled(&gitlab(NEWEST), method, Trouble::Panic).await;
        let answer = wire.ask(call(7, tool, arguments)).await;
        assert_eq!(answer["result"]["structuredContent"]["error"]["kind"], kind, "{answer}");
        assert!(!answer.to_string().contains("secret"), "{answer}");
        assert_eq!(wire.ask(request(8, "ping", json!({}))).await["id"], 8);
    }
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_server_although_a_read_hangs() {
    let (mut wire, signs) = troubled(&gitlab(NEWEST), "session", Trouble::Hang).await;
    wire.send(&call(7, "browse_duo_sessions", json!({"action": "get", "workflow_id": 73})).to_string()).await;
    timeout(PATIENCE, signs.entered.notified()).await.unwrap();
    let (served, rest) = wire.end().await;
    assert!(served.is_ok());
    assert!(!rest.contains("finished"), "{rest}");
}

#[tokio::test]
async fn an_answer_in_flight_is_still_given_when_the_input_ends() {
    let mut wire = Wire::begun(Server::new(Arc::new(gitlab(NEWEST)), settings(Scope::default()))).await;
    wire.send(&call(7, "browse_duo_sessions", json!({"action": "get", "workflow_id": 73})).to_string()).await;
    let (served, rest) = wire.end().await;
    assert!(served.is_ok());
    assert!(rest.contains("\"id\":7") && rest.contains("finished"), "{rest}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_answered_before_the_client_gives_up() {
    let rows = [
        ("session", "browse_duo_sessions", json!({"action": "get", "workflow_id": 73}), "timeout"),
        // Reading before the write hangs: nothing was sent.
        ("session", "manage_duo_session", json!({"action": "stop", "workflow_id": 72}), "timeout"),
        (
            "stop_session",
            "manage_duo_session",
            json!({"action": "stop", "workflow_id": 72}),
            "outcome_unknown",
        ),
    ];
    for (method, tool, arguments, kind) in rows {
        let (mut wire, _) = troubled(&gitlab(NEWEST), method, Trouble::Hang).await;
        let begun = tokio::time::Instant::now();
        wire.send(&call(7, tool, arguments).to_string()).await;
        let answer = wire.next_at_any_time().await;
        assert_eq!(answer["result"]["structuredContent"]["error"]["kind"], kind, "{answer}");
        assert_eq!(begun.elapsed().as_secs(), 50);
    }
}
