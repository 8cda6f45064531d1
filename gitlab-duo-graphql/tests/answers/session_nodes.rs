//! Sessions as GraphQL describes them, and as the view shows them.

use serde_json::{Value, json};

use crate::canned::with;

const PAGE: &str = "https://git.brass.test/brass/pumps/-/automate/agent-sessions/51";
const JOB: &str = "https://git.brass.test/brass/pumps/-/jobs/9510";

/// One message. `tool` is JSON, which GitLab sends as text.
pub(crate) fn message(kind: &str, role: Option<&str>, content: &str, tool: &Value) -> Value {
    json!({
        "content": content, "messageType": kind, "role": role, "status": "success",
        "toolInfo": tool.to_string(), "timestamp": "2026-11-03T10:02:00.000100+00:00", "messageSubType": null,
    })
}

pub(crate) fn user() -> Value {
    message("user", Some("user"), "Seal the leaking valve", &Value::Null)
}

pub(crate) fn said(content: &str) -> Value {
    message("agent", Some("assistant"), content, &Value::Null)
}

pub(crate) fn looked() -> Value {
    message(
        "tool",
        Some("tool"),
        "Read drawing",
        &json!({"name": "read_file", "args": {"path": "valve.svg"}}),
    )
}

pub(crate) fn asked(content: &str) -> Value {
    with(message("request", None, content, &Value::Null), &json!({"status": "pending"}))
}

pub(crate) fn call(name: &str, args: &Value) -> Value {
    message("request", None, &format!("Tool {name} requires approval."), &json!({"name": name, "args": args}))
}

/// A newest checkpoint with these messages.
pub(crate) fn history(messages: &[Value]) -> Value {
    json!({"workflowStatus": "RUNNING", "executionStatus": "Anything", "errors": null, "duoMessages": messages})
}

/// A session of the caller, its job still running, with `more` laid over it.
pub(crate) fn node(status: &str, group: Option<&str>, more: &Value) -> Value {
    let empty = json!({"nodes": [], "pageInfo": {"hasNextPage": false, "endCursor": null}});
    let base = json!({
        "id": "gid://gitlab/Ai::DuoWorkflows::Workflow/51",
        "userId": "gid://gitlab/User/12",
        "projectId": "gid://gitlab/Project/602",
        "project": {"id": "gid://gitlab/Project/602", "fullPath": "brass/pumps", "webUrl": "https://git.brass.test/brass/pumps"},
        "statusName": status, "humanStatus": status.replace('_', " "), "statusGroup": group,
        "goal": "Seal the leaking valve", "title": "Valve seal", "summary": null,
        "workflowDefinition": "developer/v1", "agentName": "Developer", "environment": "WEB",
        "aiCatalogItemVersionId": "gid://gitlab/Ai::Catalog::ItemVersion/9007", "stalled": false,
        "createdAt": "2026-11-03T10:00:00Z", "updatedAt": "2026-11-03T10:04:30Z", "webUrl": PAGE,
        "lastExecutorLogsUrl": JOB, "allExecutorLogsUrls": [JOB],
        "userPermissions": {"updateDuoWorkflow": true, "resumeDuoWorkflow": false},
        "latestCheckpoint": history(&[user(), said("I look at the drawing first."), looked()]),
        "mergeRequestLinks": empty, "workItemLinks": empty, "noteLinks": empty,
    });
    with(base, more)
}

/// What the view of [`node`] is, with `more` laid over it.
pub(crate) fn view(status: &str, group: Option<&str>, more: &Value) -> Value {
    let none = json!({"items": [], "has_more": false, "hidden": 0});
    let base = json!({
        "workflow_id": "51", "status": status, "status_group": group, "terminal": null, "poll_after_seconds": null,
        "title": "Valve seal", "goal": "Seal the leaking valve", "flow": "developer/v1", "agent": "Developer",
        "project": "brass/pumps", "project_id": "602", "web_url": PAGE,
        "created_at": "2026-11-03T10:00:00Z", "updated_at": "2026-11-03T10:04:30Z",
        "pending_input": null, "answer": "I look at the drawing first.", "summary": null,
        "created": {"merge_requests": none, "work_items": none, "notes": none},
        "job_logs": [JOB], "agent_began": true,
    });
    with(base, more)
}

/// At a checkpoint, its job done, so that GitLab takes an answer.
pub(crate) fn waiting(status: &str, messages: &[Value], more: &Value) -> Value {
    let base = node(
        status,
        Some("AWAITING_INPUT"),
        &json!({
            "userPermissions": {"updateDuoWorkflow": true, "resumeDuoWorkflow": true},
            "latestCheckpoint": history(messages),
        }),
    );
    with(base, more)
}

/// A session that asks a question and takes an answer.
pub(crate) fn question() -> Value {
    let messages = [user(), said("I look at the drawing first."), looked(), asked("Rubber or copper?")];
    waiting("input_required", &messages, &json!({}))
}
