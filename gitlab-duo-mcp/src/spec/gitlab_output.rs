//! The output schemas of the surface `gitlab`. An id is a number, or text beyond what every client
//! reads exactly.

use serde_json::{Map, Value, json};

use crate::spec::output::{
    error, hints, list_of, null_or_boolean, null_or_id, null_or_integer, null_or_object, null_or_text,
    object, page_info, unavailable,
};

pub(super) fn discover() -> Map<String, Value> {
    object(json!({
        "items": list_of("an agent or flow", json!({
            "name": null_or_text("GitLab's text"),
            "description": null_or_text("preview, GitLab's text"),
            "type": null_or_text("agent, flow, third_party_flow, …"),
            "foundational": null_or_boolean("whether GitLab provides it"),
            "workflow_definition": null_or_text("reference of a foundational agent"),
            "can_start_session": null_or_boolean("true, false, or null when GitLab decides"),
            "ai_catalog_item_consumer_id": null_or_id("selector of a flow that can be started here"),
            "flow": null_or_text("selector of a foundational flow"),
            "agent": null_or_text("selector of a foundational agent"),
            "why_not": null_or_text("why it cannot, or might not, be started"),
            "requires_url": null_or_text("pipeline or merge_request"),
        })),
        "eligibility": {"type": "object", "description": "facts that decide whether sessions run here"},
        "pageInfo": page_info(),
        "hints": hints(),
        "unavailable": unavailable(),
        "error": error(),
    }))
}

pub(super) fn list() -> Map<String, Value> {
    object(json!({
        "sessions": list_of("a session", json!({
            "id": null_or_id("its workflow_id"),
            "status": null_or_text("status"),
            "goal": null_or_text("preview, GitLab's text"),
            "flow": null_or_text("flow or agent reference"),
            "project": null_or_text("full path"),
            "web_url": null_or_text("its page"),
            "created_at": null_or_text("time"),
        })),
        "pageInfo": page_info(),
        "hidden_chat_sessions": {"type": "integer", "description": "rows left out: interactive chats"},
        "skipped_unverifiable_sessions": {"type": "integer", "description": "rows left out, their project cannot be verified"},
        "excluded_by_policy": {"type": "integer", "description": "rows left out by settings or project"},
        "hints": hints(),
        "unavailable": unavailable(),
        "error": error(),
    }))
}

pub(super) fn get() -> Map<String, Value> {
    object(json!({
        "workflow_id": null_or_id("the session"),
        "status": null_or_text("status"),
        "web_url": null_or_text("its page"),
        "poll_after_seconds": null_or_integer("look again then; null: waiting changes nothing"),
        "turn_complete": {"type": "boolean", "description": "true: it has ended"},
        "awaiting_approval": {"type": "boolean", "description": "true: it waits for a person"},
        "paused": {"type": "boolean", "description": "true: it is paused"},
        "terminal": null_or_boolean("whether it has ended"),
        "goal": null_or_text("preview, GitLab's text"),
        "flow": null_or_text("flow or agent reference"),
        "project": null_or_text("full path"),
        "pending_input": null_or_object("what waits for a person: kind, can_send, question, plan, tool_calls, how_to_answer; null: nothing"),
        "answer": null_or_text("latest answer of the agent, GitLab's text"),
        "summary": null_or_text("GitLab's text"),
        "created": {"type": "object", "description": "merge_requests, work_items, notes; each null when unknown"},
        "job_logs": {"type": "array", "items": {"type": "string"}, "description": "links"},
        "failure_reason": null_or_text("GitLab's text"),
        "agent_began": null_or_boolean("whether the agent ever ran"),
        "hints": hints(),
        "unavailable": unavailable(),
        "error": error(),
    }))
}

pub(super) fn start() -> Map<String, Value> {
    let mut schema = change();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(
            "dry_run".to_owned(),
            json!({"type": "boolean", "description": "true: nothing was started"}),
        );
        let what = "dry run: the fields that would be sent";
        properties.insert("would_start".to_owned(), json!({"type": "object", "description": what}));
    }
    schema
}

pub(super) fn change() -> Map<String, Value> {
    object(json!({
        "workflow_id": null_or_id("the session"),
        "status": null_or_text("status; after an answer still the old one"),
        "workload_id": null_or_id("the CI workload, when known"),
        "poll_after_seconds": null_or_integer("look again then; null: waiting changes nothing"),
        "flow": null_or_text("flow or agent reference"),
        "web_url": null_or_text("its page"),
        "message": {"type": "string", "description": "GitLab's text"},
        "sent": {"type": "boolean", "description": "stop: false when it had ended already"},
        "hints": hints(),
        "error": error(),
    }))
}
