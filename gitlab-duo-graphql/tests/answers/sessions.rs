//! Sessions in every status, read through to the view.

use serde_json::{Value, json};

use crate::canned::{Canned, get};
use crate::session_nodes::{history, message, node, said, user, view};

/// Reads the session and compares the whole view; of the hints, how each of them begins.
async fn check(version: &str, node: &Value, expected: &Value, hints: &[&str]) {
    let canned = Canned::of(version).await;
    canned.session(node);
    let mut seen = get(&canned.gitlab()).await.unwrap();
    let said: Vec<String> = match seen.as_object_mut().unwrap().remove("hints") {
        Some(hints) => serde_json::from_value(hints).unwrap(),
        None => Vec::new(),
    };
    assert_eq!(&seen, expected);
    assert_eq!(said.len(), hints.len(), "{said:?}");
    for (said, begins) in said.iter().zip(hints) {
        assert!(said.starts_with(begins), "{said}");
    }
    assert_eq!(canned.paths(), ["/api/graphql"], "one request does it all");
}

const FAILED: &str = "a failed session may have changed things before it failed";
const NO_HISTORY: &str = "the history is missing here";

#[tokio::test]
async fn a_created_session_waits_for_its_job() {
    let bare = json!({"latestCheckpoint": null, "title": "developer/v1", "lastExecutorLogsUrl": null, "allExecutorLogsUrls": [],
        "createdAt": "2026-11-03T10:02:30Z"});
    let expected = json!({"terminal": false, "poll_after_seconds": 120, "title": "developer/v1", "answer": null, "job_logs": [],
        "agent_began": false, "created_for_seconds": 210, "created_at": "2026-11-03T10:02:30Z"});
    check(
        "19.5.0-ee",
        &node("created", Some("ACTIVE"), &bare),
        &view("created", Some("active"), &expected),
        &[],
    )
    .await;
}

#[tokio::test]
async fn a_running_session_is_looked_at_again_after_half_a_minute() {
    let expected = json!({"terminal": false, "poll_after_seconds": 30});
    let expected = view("running", Some("active"), &expected);
    check("19.5.0-ee", &node("running", Some("ACTIVE"), &json!({})), &expected, &[]).await;
}

#[tokio::test]
async fn a_paused_session_is_not_terminal_and_takes_no_answer() {
    let expected = view("paused", Some("paused"), &json!({"terminal": false}));
    check("19.5.0-ee", &node("paused", Some("PAUSED"), &json!({})), &expected, &[]).await;
}

#[tokio::test]
async fn a_finished_session_tells_its_answer_and_all_it_created() {
    let answer = "The seat was bent. I straightened it and opened a merge request.";
    let end = message("workflow_end", None, "Workflow completed", &Value::Null);
    let created = created_links();
    let finished = json!({
        "summary": "Straightened the seat.",
        "latestCheckpoint": history(&[user(), said(answer), end]),
        "mergeRequestLinks": created["mergeRequestLinks"], "workItemLinks": created["workItemLinks"],
        "noteLinks": created["noteLinks"],
    });
    let expected = json!({"terminal": true, "answer": answer, "summary": "Straightened the seat.", "created": created_view()});
    let finished = node("finished", Some("COMPLETED"), &finished);
    check("19.5.0-ee", &finished, &view("finished", Some("completed"), &expected), &[]).await;
}

/// A merge request, the work item that it all began with, one that the caller may not see, and the first of several
/// notes.
fn created_links() -> Value {
    json!({
        "mergeRequestLinks": {"nodes": [{"linkType": "CREATED", "mergeRequest": {"iid": "44", "title": "Straighten the seat",
            "state": "opened", "webUrl": "https://git.brass.test/brass/pumps/-/merge_requests/44"}}],
            "pageInfo": {"hasNextPage": false, "endCursor": "eyJpZCI6IjMifQ"}},
        "workItemLinks": {"nodes": [{"linkType": "SOURCE", "workItem": {"iid": "8", "state": "OPEN"}},
            {"linkType": "CREATED", "workItem": null}, {"linkType": "CREATED", "workItem": {"iid": "9",
            "title": "Check the other valves", "state": "OPEN", "webUrl": "https://git.brass.test/brass/pumps/-/work_items/9"}}],
            "pageInfo": {"hasNextPage": false, "endCursor": null}},
        "noteLinks": {"nodes": [{"linkType": "CREATED", "note": {"body": "n".repeat(161),
            "url": "https://git.brass.test/brass/pumps/-/work_items/8#note_700"}}],
            "pageInfo": {"hasNextPage": true, "endCursor": "eyJpZCI6IjcifQ"}},
    })
}

fn created_view() -> Value {
    json!({
        "merge_requests": {"items": [{"iid": "44", "title": "Straighten the seat", "state": "opened",
            "web_url": "https://git.brass.test/brass/pumps/-/merge_requests/44"}], "has_more": false, "hidden": 0},
        "work_items": {"items": [{"iid": "9", "title": "Check the other valves", "state": "open",
            "web_url": "https://git.brass.test/brass/pumps/-/work_items/9"}], "has_more": false, "hidden": 1},
        "notes": {"items": [{"body": "n".repeat(160), "body_truncated": true, "body_chars": 161,
            "web_url": "https://git.brass.test/brass/pumps/-/work_items/8#note_700"}], "has_more": true, "hidden": 0},
    })
}

#[tokio::test]
async fn a_failed_session_tells_why_and_what_it_created_before() {
    let reason = "The model service was silent for too long.";
    let failure = crate::canned::with(said(reason), &json!({"status": "failure"}));
    let failed = json!({
        "latestCheckpoint": history(&[user(), said("I begin."), failure]),
        "mergeRequestLinks": created_links()["mergeRequestLinks"],
    });
    let mut created = view("failed", None, &json!({}))["created"].clone();
    created["merge_requests"] = created_view()["merge_requests"].clone();
    let expected = json!({"terminal": true, "failure_reason": reason, "answer": reason, "created": created});
    let failed = node("failed", Some("FAILED"), &failed);
    check("19.5.0-ee", &failed, &view("failed", Some("failed"), &expected), &[FAILED]).await;
}

#[tokio::test]
async fn the_errors_of_the_engine_are_the_reason_of_a_failure() {
    let mut checkpoint = history(&[user(), said("I begin.")]);
    checkpoint["errors"] = json!(["out of tokens", null, "gave up"]);
    let failed = node("failed", Some("FAILED"), &json!({"latestCheckpoint": checkpoint}));
    let expected =
        json!({"terminal": true, "failure_reason": "out of tokens\ngave up", "answer": "I begin."});
    check("19.5.0-ee", &failed, &view("failed", Some("failed"), &expected), &[FAILED]).await;
}

#[tokio::test]
async fn a_stopped_session_is_terminal() {
    let expected = view("stopped", Some("canceled"), &json!({"terminal": true}));
    check("19.5.0-ee", &node("stopped", Some("CANCELED"), &json!({})), &expected, &[]).await;
}

#[tokio::test]
async fn a_missing_history_is_unknown_and_claims_nothing() {
    let failed = node("failed", Some("FAILED"), &json!({"latestCheckpoint": null}));
    let expected = json!({"terminal": true, "answer": null, "failure_reason": null, "agent_began": null});
    check("19.5.0-ee", &failed, &view("failed", Some("failed"), &expected), &[FAILED, NO_HISTORY]).await;
}

#[tokio::test]
async fn an_idle_session_keeps_gitlabs_group_and_promises_nothing() {
    let expected = view("idle", Some("completed"), &json!({}));
    check("19.6.0-ee", &node("idle", Some("COMPLETED"), &json!({})), &expected, &[]).await;
}

#[tokio::test]
async fn an_unknown_status_stays_visible_as_it_came() {
    let odd = json!({"latestCheckpoint": history(&[user()])});
    let expected = view("defragmenting", None, &json!({"answer": null, "agent_began": null}));
    check("19.5.0-ee", &node("defragmenting", None, &odd), &expected, &[]).await;
}

#[tokio::test]
async fn a_session_of_a_group_has_no_project_and_no_page() {
    let of_group =
        json!({"projectId": null, "project": null, "webUrl": null, "namespaceId": "gid://gitlab/Group/31"});
    let expected = json!({"terminal": true, "project": null, "project_id": null, "web_url": null});
    let of_group = node("finished", Some("COMPLETED"), &of_group);
    check("19.5.0-ee", &of_group, &view("finished", Some("completed"), &expected), &[]).await;
}

#[tokio::test]
async fn a_colleagues_session_is_readable() {
    let theirs = json!({"userId": "gid://gitlab/User/13", "userPermissions": {"updateDuoWorkflow": false, "resumeDuoWorkflow": false}});
    let expected = view("finished", Some("completed"), &json!({"terminal": true}));
    check("19.5.0-ee", &node("finished", Some("COMPLETED"), &theirs), &expected, &[]).await;
}

#[tokio::test]
async fn an_agents_session_names_the_agent() {
    let of_agent = json!({"workflowDefinition": "duo_planner/v1", "agentName": "Planner", "environment": "AMBIENT",
        "aiCatalogItemVersionId": null});
    let expected = json!({"terminal": true, "flow": "duo_planner/v1", "agent": "Planner"});
    let of_agent = node("finished", Some("COMPLETED"), &of_agent);
    check("19.5.0-ee", &of_agent, &view("finished", Some("completed"), &expected), &[]).await;
}

#[tokio::test]
async fn every_null_is_unknown_and_none_of_them_spoils_the_answer() {
    let bare = json!({"id": "gid://gitlab/Ai::DuoWorkflows::Workflow/51", "statusName": null, "goal": null, "project": null,
        "userPermissions": null, "latestCheckpoint": {"errors": null, "duoMessages": null}, "mergeRequestLinks": null,
        "workItemLinks": {"nodes": null, "pageInfo": null}, "noteLinks": {"nodes": [null], "pageInfo": null}});
    let nothing: Value = [
        "status",
        "status_group",
        "title",
        "goal",
        "flow",
        "agent",
        "project",
        "project_id",
        "web_url",
        "created_at",
        "updated_at",
        "answer",
    ]
    .into_iter()
    .map(|name| (name.to_owned(), Value::Null))
    .collect();
    let mut expected = view("", None, &nothing);
    expected["created"] = json!({"merge_requests": null, "work_items": null,
        "notes": {"items": [], "has_more": null, "hidden": 1}});
    expected["job_logs"] = json!([]);
    check("19.5.0-ee", &bare, &expected, &[]).await;
}

#[tokio::test]
async fn an_older_gitlab_gives_what_it_has_and_names_the_rest() {
    // 18.9 knows neither title nor summary, permission, links nor the page; of the logs only the last one.
    let old = json!({
        "id": "gid://gitlab/Ai::DuoWorkflows::Workflow/51", "projectId": "gid://gitlab/Project/602",
        "project": {"id": "gid://gitlab/Project/602", "fullPath": "brass/pumps", "webUrl": "https://git.brass.test/brass/pumps"},
        "statusName": "running", "humanStatus": "running", "statusGroup": "ACTIVE", "goal": "Seal the leaking valve",
        "workflowDefinition": "developer/v1", "agentName": "Developer", "environment": "WEB", "aiCatalogItemVersionId": null,
        "createdAt": "2026-11-03T10:00:00Z", "updatedAt": "2026-11-03T10:04:30Z",
        "lastExecutorLogsUrl": "https://git.brass.test/brass/pumps/-/jobs/9510",
        "latestCheckpoint": history(&[user(), said("I look at the drawing first.")]),
    });
    let missing = [
        "created.merge_requests",
        "created.notes",
        "created.work_items",
        "pending_input.can_send",
        "summary",
        "title",
    ];
    let since = |detail: &str| json!({"detail": detail, "since": "19.3"});
    let expected = json!({"terminal": false, "poll_after_seconds": 30, "title": null,
        "created": {"merge_requests": null, "work_items": null, "notes": null},
        "unavailable": missing.map(since)});
    check("18.9.4-ee", &old, &view("running", Some("active"), &expected), &[]).await;
}

#[tokio::test]
async fn every_status_has_its_group_end_poll_hint_and_checkpoint() {
    let rows = [
        ("created", Some("active"), json!(false), json!(120), Value::Null),
        ("running", Some("active"), json!(false), json!(30), Value::Null),
        ("paused", Some("paused"), json!(false), Value::Null, Value::Null),
        ("finished", Some("completed"), json!(true), Value::Null, Value::Null),
        ("failed", Some("failed"), json!(true), Value::Null, Value::Null),
        ("stopped", Some("canceled"), json!(true), Value::Null, Value::Null),
        ("input_required", Some("awaiting_input"), json!(false), Value::Null, json!("input")),
        ("plan_approval_required", Some("awaiting_input"), json!(false), Value::Null, json!("plan_approval")),
        (
            "tool_call_approval_required",
            Some("awaiting_input"),
            json!(false),
            Value::Null,
            json!("tool_call_approval"),
        ),
        ("idle", None, Value::Null, Value::Null, Value::Null),
        ("Defragmenting Now", None, Value::Null, Value::Null, Value::Null),
    ];
    for (status, group, terminal, poll, kind) in rows {
        let canned = Canned::of("19.5.0-ee").await;
        // A group that GitLab does not send follows from the status, as far as it is known.
        canned.session(&node(status, None, &json!({})));
        let view = get(&canned.gitlab()).await.unwrap();
        let seen = (
            &view["status"],
            &view["status_group"],
            &view["terminal"],
            &view["poll_after_seconds"],
            &view["pending_input"]["kind"],
        );
        assert_eq!(seen, (&json!(status), &json!(group), &terminal, &poll, &kind), "{status}");
    }
}
