//! The readable history of a session, one JSON object a line.

use super::history::raw_message;
use crate::rest::access;
use crate::rest::refuse::{self, Outcome};
use crate::wire::{Answer, Request};
use crate::world::World;
use serde_json::{Value, json};

pub(super) fn show(world: &World, request: &Request, id: &str) -> Outcome {
    let viewer = access::viewer(world, request, access::EXECUTOR_READ)?;
    let id = id.parse::<i64>().map_err(|_| refuse::invalid("workflow_id is invalid"))?;
    let found = world.sessions.get(&id).filter(|session| world.may_read(session, viewer.user));
    let session = found.ok_or_else(refuse::not_found)?;
    // The whole state is for the owner; for others such a session is not there.
    if request.query.contains("full=true") && session.user != viewer.user {
        return Err(refuse::not_found());
    }
    let mut lines = vec![json!({ "channel": "goal", "value": session.goal })];
    for message in session.messages.as_deref().unwrap_or_default() {
        let mut line = raw_message(message);
        if let Value::Object(line) = &mut line {
            line.insert("channel".to_owned(), json!("ui_chat_log"));
        }
        lines.push(line);
    }
    lines.push(json!({ "channel": "status", "value": "Execution" }));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ok(Answer::new(200, "application/x-ndjson", text))
}
