//! Status events, of which `stop` is the one that clients send.

use super::entity::entity;
use super::history::own_session;
use super::params::object;
use crate::rest::access;
use crate::rest::refuse::{self, Outcome};
use crate::wire::{Answer, Request};
use crate::world::{World, status};
use serde_json::Value;

const WAITING: [&str; 4] = [
    status::PAUSED,
    status::INPUT_REQUIRED,
    status::PLAN_APPROVAL_REQUIRED,
    status::TOOL_CALL_APPROVAL_REQUIRED,
];

pub(super) fn update(world: &mut World, request: &Request, id: &str) -> Outcome {
    let session = own_session(world, request, id, access::EXECUTOR_WRITE)?;
    let (id, present) = (session.id, session.status.clone());
    let body = object(request)?;
    let Some(event) = body.get("status_event").and_then(Value::as_str) else {
        return Err(refuse::invalid("status_event is missing"));
    };
    let (target, from) = transition(event).ok_or_else(|| {
        refuse::bad_request(&format!("Can not update workflow status, unsupported event: {event}"))
    })?;
    if present != target {
        if !from.contains(&present.as_str()) {
            let text = format!("Can not {event} workflow that has status {present}");
            return Err(refuse::bad_request(&text));
        }
        apply(world, id, target);
    }
    let session = world.sessions.get(&id).ok_or_else(refuse::not_found)?;
    Ok(Answer::json(200, &entity(world, session, &Value::Null)))
}

/// The status an event leads to, and those it may come from.
fn transition(event: &str) -> Option<(&'static str, Vec<&'static str>)> {
    let active = || {
        let mut from = vec![status::CREATED, status::RUNNING, status::IDLE];
        from.extend(WAITING);
        from
    };
    Some(match event {
        "start" => (status::RUNNING, vec![status::CREATED]),
        "pause" => (status::PAUSED, vec![status::RUNNING]),
        "require_input" => (status::INPUT_REQUIRED, vec![status::RUNNING]),
        "require_plan_approval" => (status::PLAN_APPROVAL_REQUIRED, vec![status::RUNNING]),
        "require_tool_call_approval" => (status::TOOL_CALL_APPROVAL_REQUIRED, vec![status::RUNNING]),
        "resume" => (status::RUNNING, WAITING.to_vec()),
        "retry" => (status::RUNNING, vec![status::RUNNING, status::STOPPED, status::FAILED]),
        "finish" => (status::FINISHED, vec![status::RUNNING]),
        "drop" => (status::FAILED, active()),
        "stop" => (status::STOPPED, active()),
        _ => return None,
    })
}

/// Only a stop reaches CI; every other event changes the row and nothing else.
fn apply(world: &mut World, id: i64, target: &str) {
    if target == status::STOPPED {
        return world.stop(id);
    }
    let now = world.now();
    if let Some(session) = world.session_mut(id) {
        session.status = target.to_owned();
        session.updated_at = now;
        session.pending.clear();
    }
}
