//! The output schemas, written by hand: small, without type arrays and references, and true for
//! every structured result of a tool, errors included. A field that may be null says so.

use serde_json::{Map, Value, json};

/// The results of browsing: a catalog page, a list page, a session, or an error.
pub(crate) fn browse() -> Map<String, Value> {
    object(json!({
        "items": list_of("agents_and_flows: an agent or flow", json!({
            "name": null_or_text("GitLab's text"),
            "description": null_or_text("preview, GitLab's text"),
            "type": null_or_text("agent, flow, third_party_flow, …"),
            "flow": null_or_text("selector of a foundational flow"),
            "agent": null_or_text("selector of a foundational agent"),
            "consumer_id": null_or_text("selector of a flow of this project"),
            "can_start_session": null_or_boolean("null: GitLab decides"),
            "why_not": null_or_text("why it cannot or might not"),
            "requires_url": null_or_text("pipeline or merge_request"),
        })),
        "eligibility": {"type": "object", "description": "agents_and_flows: whether sessions run here"},
        "sessions": list_of("list: a session", json!({
            "workflow_id": {"type": "string", "description": "its id"},
            "status": null_or_text("status"),
            "goal": null_or_text("preview, GitLab's text"),
            "flow": null_or_text("flow or agent reference"),
            "project": null_or_text("full path"),
            "web_url": null_or_text("its page"),
        })),
        "pageInfo": page_info(),
        "skipped_unverifiable_sessions": {"type": "integer", "description": "list: rows left out, unverifiable"},
        "excluded_by_policy": {"type": "integer", "description": "list: rows left out by policy"},
        "messages": null_or(&["array"], "transcript; null: missing"),
        "workflow_id": {"type": "string", "description": "get, transcript: the session"},
        "status": null_or_text("status"),
        "terminal": null_or_boolean("whether it has ended"),
        "poll_after_seconds": null_or_integer("look again then; null: no need"),
        "goal": null_or_text("preview, GitLab's text"),
        "flow": null_or_text("flow or agent reference"),
        "project": null_or_text("full path"),
        "web_url": null_or_text("its page"),
        "pending_input": null_or_object("what waits for a person; null: nothing"),
        "answer": null_or_text("latest answer, GitLab's text"),
        "summary": null_or_text("GitLab's text"),
        "created": {"type": "object", "description": "get: what it created"},
        "job_logs": {"type": "array", "items": {"type": "string"}, "description": "get: links"},
        "failure_reason": null_or_text("GitLab's text"),
        "agent_began": null_or_boolean("whether the agent ever ran"),
        "hints": hints(),
        "unavailable": unavailable(),
        "error": error(),
    }))
}

/// The results of changing: a session after a write, a dry run, or an error.
pub(crate) fn manage() -> Map<String, Value> {
    object(json!({
        "workflow_id": {"type": "string", "description": "the session"},
        "status": null_or_text("status; after an answer still the old one"),
        "flow": null_or_text("flow or agent reference"),
        "web_url": null_or_text("its page"),
        "poll_after_seconds": null_or_integer("look again then; null: no need"),
        "message": {"type": "string", "description": "GitLab's text"},
        "workload_id": {"type": "string", "description": "CI workload"},
        "sent": {"type": "boolean", "description": "stop: false when it had ended already"},
        "dry_run": {"type": "boolean", "description": "true: nothing was started"},
        "would_start": {"type": "object", "description": "dry run: the fields that would be sent"},
        "hints": hints(),
        "error": error(),
    }))
}

pub(super) fn object(properties: Value) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema
}

/// What may be null is one of two simple types: an array of types is refused by some clients, and a
/// property without any type is not checked by others.
fn null_or(kinds: &[&str], what: &str) -> Value {
    let kinds: Vec<_> = kinds.iter().chain(&["null"]).map(|kind| json!({"type": kind})).collect();
    json!({"anyOf": kinds, "description": what})
}

pub(super) fn null_or_text(what: &str) -> Value {
    null_or(&["string"], what)
}

pub(super) fn null_or_boolean(what: &str) -> Value {
    null_or(&["boolean"], what)
}

pub(super) fn null_or_integer(what: &str) -> Value {
    null_or(&["integer"], what)
}

pub(super) fn null_or_object(what: &str) -> Value {
    null_or(&["object"], what)
}

/// An id where it is a number, or text when it is too large for one.
pub(super) fn null_or_id(what: &str) -> Value {
    null_or(&["integer", "string"], what)
}

pub(super) fn list_of(what: &str, properties: Value) -> Value {
    json!({"type": "array", "items": {"type": "object", "description": what, "properties": properties}})
}

pub(super) fn hints() -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": "said by this server"})
}

pub(super) fn error() -> Value {
    json!({
        "type": "object",
        "description": "the call was refused or failed",
        "properties": {
            "kind": {"type": "string", "description": "what a program decides by"},
            "message": {"type": "string", "description": "one sentence"},
            "next_step": {"type": "string", "description": "what to do"},
            "retry_after_seconds": {"type": "integer", "description": "wait so long"},
            "required": {"type": "string", "description": "what is missing"},
            "gitlab_message": {"type": "string", "description": "GitLab's text"},
            "request_id": {"type": "string", "description": "in GitLab's logs"},
        },
        "required": ["kind", "message", "next_step"],
    })
}

pub(super) fn page_info() -> Value {
    json!({
        "type": "object",
        "properties": {"hasNextPage": null_or_boolean("true or false"), "endCursor": null_or_text("pass it as after")},
        "required": ["hasNextPage", "endCursor"],
    })
}

pub(super) fn unavailable() -> Value {
    list_of(
        "detail that this GitLab version lacks",
        json!({
            "detail": {"type": "string", "description": "field"},
        "since": {"type": "string", "description": "version"},
        }),
    )
}
