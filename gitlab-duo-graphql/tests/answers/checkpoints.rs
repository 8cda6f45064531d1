//! The three checkpoints: what is pending, whether it can be answered, and why not.

use serde_json::{Value, json};

use crate::canned::{Canned, get, json_answer, with};
use crate::session_nodes::{asked, call, history, looked, question, said, user, waiting};

const TO_INPUT: &str =
    "human_approval false with the answer as human_message; true, without a message, means: just go on";
const TO_PLAN: &str = "human_approval true accepts the plan; false, with human_message, asks for another one; false does not stop the session";
const TO_CALLS: &str = "human_approval true runs every listed call; false, with or without human_message, runs none of them; false does not stop the session";

/// What is pending in the session as this version shows it. The session itself is neither over nor worth polling.
async fn pending(version: &str, node: &Value) -> Value {
    let canned = Canned::of(version).await;
    canned.session(node);
    let view = get(&canned.gitlab()).await.unwrap();
    let around = (&view["status_group"], &view["terminal"], &view["poll_after_seconds"]);
    assert_eq!(around, (&json!("awaiting_input"), &json!(false), &Value::Null));
    view["pending_input"].clone()
}

fn refusing(node: Value, update: bool) -> Value {
    with(node, &json!({"userPermissions": {"updateDuoWorkflow": update, "resumeDuoWorkflow": false}}))
}

fn of_question(can_send: &Value, why_not: Option<&str>) -> Value {
    let mut view = json!({"kind": "input", "can_send": can_send, "question": "Rubber or copper?", "how_to_answer": TO_INPUT});
    if let Some(why_not) = why_not {
        view["why_not"] = json!(why_not);
    }
    view
}

#[tokio::test]
async fn a_question_is_shown_and_can_be_answered() {
    assert_eq!(pending("19.5.0-ee", &question()).await, of_question(&json!(true), None));
    assert_eq!(pending("19.4.0-ee", &question()).await, of_question(&json!(true), None));
}

#[tokio::test]
async fn a_question_whose_job_still_runs_cannot_be_answered_yet() {
    let why = "GitLab does not take an answer now: most often the last CI job is still finishing, look again in a minute";
    let running = refusing(question(), true);
    assert_eq!(pending("19.5.0-ee", &running).await, of_question(&json!(false), Some(why)));
}

#[tokio::test]
async fn a_session_without_an_item_version_cannot_be_resumed_whatever_the_permission_says() {
    let why = "this session was started without a catalog item, and GitLab cannot resume such sessions: answer it on its page, or start the flow anew";
    let bare = with(question(), &json!({"aiCatalogItemVersionId": null}));
    assert_eq!(pending("19.5.0-ee", &bare).await, of_question(&json!(false), Some(why)));
}

#[tokio::test]
async fn an_item_version_that_could_not_be_told_is_not_a_missing_one() {
    let unreadable = with(question(), &json!({"aiCatalogItemVersionId": null}));
    let path = json!(["duoWorkflowWorkflows", "nodes", 0, "aiCatalogItemVersionId"]);
    let errors = json!([{"message": "Timeout", "path": path}]);
    let canned = Canned::of("19.5.0-ee").await;
    let body = json!({"data": {"duoWorkflowWorkflows": {"nodes": [unreadable]}}, "errors": errors});
    canned.graphql("get_session", json_answer(200, &body));
    let view = get(&canned.gitlab()).await.unwrap();
    // GitLab's own permission counts, as where no version is told at all.
    assert_eq!(view["pending_input"], of_question(&json!(true), None));
}

#[tokio::test]
async fn whether_an_agents_session_can_do_without_an_item_version_is_not_known() {
    let of_agent = json!({"aiCatalogItemVersionId": null, "environment": "AMBIENT", "workflowDefinition": "duo_planner/v1"});
    let why = "this session carries no catalog item version: GitLab may refuse the answer";
    let of_agent = with(question(), &of_agent);
    assert_eq!(pending("19.5.0-ee", &of_agent).await, of_question(&Value::Null, Some(why)));
}

#[tokio::test]
async fn only_its_owner_can_answer_a_session() {
    let why = "only the person who started this session can answer it";
    let theirs = refusing(question(), false);
    assert_eq!(pending("19.5.0-ee", &theirs).await, of_question(&json!(false), Some(why)));
}

#[tokio::test]
async fn a_permission_that_is_missing_is_not_a_no() {
    let why = "GitLab did not say whether it takes an answer now";
    let silent = with(question(), &json!({"userPermissions": null}));
    assert_eq!(pending("19.5.0-ee", &silent).await, of_question(&Value::Null, Some(why)));
}

#[tokio::test]
async fn below_19_4_a_question_is_shown_and_the_gate_is_named() {
    let why = "to send input at `input_required` GitLab 19.4 or newer is needed; this instance is 19.3.1-ee";
    assert_eq!(pending("19.3.1-ee", &question()).await, of_question(&json!(false), Some(why)));
    let why = "to send input at `input_required` GitLab 19.4 or newer is needed; this instance is 18.9.0-ee";
    assert_eq!(pending("18.9.0-ee", &question()).await, of_question(&json!(false), Some(why)));
}

fn plan() -> Value {
    let plan = said("1. Drain the pump\n2. Change the seat");
    let messages = [user(), plan, asked("Is this plan all right?")];
    waiting(
        "plan_approval_required",
        &messages,
        &json!({"workflowDefinition": "ai_catalog_agent", "agentName": "Plumber"}),
    )
}

fn of_plan(can_send: bool) -> Value {
    json!({"kind": "plan_approval", "can_send": can_send, "question": "Is this plan all right?",
        "plan": "1. Drain the pump\n2. Change the seat", "how_to_answer": TO_PLAN})
}

#[tokio::test]
async fn a_plan_is_shown_and_can_be_approved_from_19_5_on() {
    assert_eq!(pending("19.5.0-ee", &plan()).await, of_plan(true));
    let why = "to send input at plan and tool-call checkpoints GitLab 19.5 or newer is needed; this instance is 19.4.2-ee";
    let expected = with(of_plan(false), &json!({"why_not": why}));
    assert_eq!(pending("19.4.2-ee", &refusing(plan(), true)).await, expected);
}

fn two_calls() -> Value {
    let branch = call("create_branch", &json!({"name": "seat"}));
    let note = call("create_note", &json!({"body": "I have a seat", "iid": 8}));
    waiting(
        "tool_call_approval_required",
        &[user(), said("I have all I need."), looked(), branch, note],
        &json!({}),
    )
}

fn of_calls(can_send: bool) -> Value {
    json!({"kind": "tool_call_approval", "can_send": can_send, "question": null, "how_to_answer": TO_CALLS, "tool_calls": [
        {"name": "create_branch", "arguments": r#"{"name":"seat"}"#},
        {"name": "create_note", "arguments": r#"{"body":"I have a seat","iid":8}"#},
    ]})
}

#[tokio::test]
async fn every_pending_call_is_shown_and_one_decision_answers_all() {
    // A call that ran before is no pending one.
    assert_eq!(pending("19.5.0-ee", &two_calls()).await, of_calls(true));
}

#[tokio::test]
async fn below_19_5_pending_calls_are_shown_and_cannot_be_approved() {
    let why = "to send input at plan and tool-call checkpoints GitLab 19.5 or newer is needed; this instance is 19.4.0-ee";
    let expected = with(of_calls(false), &json!({"why_not": why}));
    assert_eq!(pending("19.4.0-ee", &refusing(two_calls(), true)).await, expected);
    // Also where the permission has come before the version.
    assert_eq!(pending("19.4.0-ee", &two_calls()).await, expected);
}

#[tokio::test]
async fn a_checkpoint_without_history_hides_nothing() {
    let gone = json!({"latestCheckpoint": null});
    let calls = with(two_calls(), &gone);
    let expected = with(of_calls(true), &json!({"tool_calls": null}));
    assert_eq!(pending("19.5.0-ee", &calls).await, expected);
    let expected = with(of_plan(true), &json!({"question": null, "plan": null}));
    assert_eq!(pending("19.5.0-ee", &with(plan(), &gone)).await, expected);
}

#[tokio::test]
async fn an_agents_last_answer_is_the_question_that_ends_its_turn() {
    let messages = [user(), said("Here are three ideas."), looked()];
    let of_agent = waiting("input_required", &messages, &json!({"latestCheckpoint": history(&messages)}));
    let seen = pending("19.5.0-ee", &of_agent).await;
    assert_eq!((&seen["question"], &seen["can_send"]), (&json!("Here are three ideas."), &json!(true)));
}
