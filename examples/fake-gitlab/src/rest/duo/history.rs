//! Reading a session: the row, its raw checkpoints, its queued events.

use super::entity::entity;
use crate::rest::refuse::{self, Outcome};
use crate::rest::{access, paging};
use crate::wire::{Answer, Request};
use crate::world::{Message, Session, World, plan_steps};
use serde_json::{Value, json};

pub(super) fn show(world: &World, request: &Request, id: &str) -> Outcome {
    let session = own_session(world, request, id, access::EXECUTOR_READ)?;
    Ok(Answer::json(200, &entity(world, session, &Value::Null)))
}

pub(super) fn checkpoints(world: &World, request: &Request, id: &str) -> Outcome {
    let session = own_session(world, request, id, access::EXECUTOR_READ)?;
    let messages = session.messages.as_deref().unwrap_or_default();
    let rows: Vec<_> = (1..=messages.len())
        .rev()
        .map(|count| checkpoint(session, count, messages.get(..count).unwrap_or_default()))
        .collect();
    paging::page(request, &rows)
}

pub(super) fn events(world: &World, request: &Request, id: &str) -> Outcome {
    own_session(world, request, id, access::EXECUTOR_READ)?;
    paging::page(request, &[])
}

/// The caller's session of that number; those of others do not exist for these routes.
pub(super) fn own_session<'w>(
    world: &'w World,
    request: &Request,
    id: &str,
    scopes: &[&str],
) -> Result<&'w Session, Answer> {
    let viewer = access::viewer(world, request, scopes)?;
    let id = id.parse::<i64>().map_err(|_| refuse::invalid("id is invalid"))?;
    world.sessions.get(&id).filter(|session| session.user == viewer.user).ok_or_else(refuse::not_found)
}

fn checkpoint(session: &Session, count: usize, messages: &[Message]) -> Value {
    let thread = thread_ts(session.id, count);
    let log: Vec<_> = messages.iter().map(raw_message).collect();
    json!({
        "id": session.id * 1000 + i64::try_from(count).unwrap_or_default(),
        "thread_ts": thread,
        "parent_ts": (count > 1).then(|| thread_ts(session.id, count - 1)),
        "checkpoint_ns": null,
        "checkpoint": { "v": 4, "id": thread, "channel_values": {
            "status": "Execution", "plan": { "steps": plan_steps(messages) }, "ui_chat_log": log,
        } },
        "checkpoint_writes": [],
        "current_thread": 0,
        "metadata": { "source": "loop", "step": count, "parents": {} },
    })
}

/// A message as the executor keeps it.
pub(super) fn raw_message(message: &Message) -> Value {
    json!({
        "message_type": message.kind, "content": message.content, "timestamp": message.timestamp,
        "status": message.status, "tool_info": message.tool, "correlation_id": null,
        "message_sub_type": null,
    })
}

fn thread_ts(session: i64, count: usize) -> String {
    format!("1f0adf2c-{count:04x}-6b10-8002-{session:012x}")
}
