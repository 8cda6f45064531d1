//! Checkpoints and messages.

use crate::world::{Message, Session, World, plan_steps};
use serde_json::{Value, json};

/// The newest checkpoint of a session, or null.
pub(super) fn latest(session: &Session) -> Value {
    let Some(messages) = &session.messages else { return Value::Null };
    checkpoint(session, messages, &session.status)
}

/// The checkpoint after that many messages.
pub(super) fn event(world: &World, id: i64, step: Option<usize>) -> Option<Value> {
    let session = world.sessions.get(&id)?;
    let messages = session.messages.as_ref()?;
    let step = step.unwrap_or(messages.len());
    let status = if step == messages.len() { session.status.as_str() } else { "running" };
    Some(checkpoint(session, messages.get(..step)?, status))
}

fn checkpoint(session: &Session, messages: &[Message], status: &str) -> Value {
    let count = messages.len();
    let shown: Vec<_> = messages.iter().enumerate().map(|(index, one)| message(one, index)).collect();
    let thread = thread_ts(session.id, count);
    let parent = (count > 1).then(|| thread_ts(session.id, count - 1));
    json!({
        "workflowStatus": status.to_uppercase(), "executionStatus": sentence(status), "errors": null,
        "threadTs": thread, "parentTs": parent, "timestamp": thread, "parentTimestamp": parent,
        "checkpointNs": null, "checkpointWrites": [], "compressedCheckpoint": null, "currentThread": 0,
        "workflowGoal": session.goal, "workflowDefinition": session.definition,
        "metadata": json!({ "source": "loop", "step": count }).to_string(),
        "checkpoint": raw(messages).to_string(),
        "lastDuoMessage": shown.last(), "duoMessages": shown,
    })
}

fn thread_ts(session: i64, count: usize) -> String {
    format!("1f0adf2c-{count:04x}-6b10-8002-{session:012x}")
}

/// `plan_approval_required` as `Plan approval required`.
fn sentence(status: &str) -> String {
    let text = status.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn raw(messages: &[Message]) -> Value {
    let log: Vec<_> = messages
        .iter()
        .map(|one| {
            json!({
                "message_type": one.kind, "content": one.content, "timestamp": one.timestamp,
                "status": one.status, "tool_info": one.tool, "correlation_id": null,
            })
        })
        .collect();
    json!({ "channel_values": { "status": "Execution", "plan": { "steps": plan_steps(messages) }, "ui_chat_log": log } })
}

fn message(message: &Message, index: usize) -> Value {
    let mut object = json!({
        "content": message.content, "messageType": message.kind, "messageSubType": null,
        "status": message.status, "toolInfo": message.tool.to_string(), "timestamp": message.timestamp,
        "correlationId": null, "messageId": message_id(message, index), "role": message.role,
        "componentName": message.component, "subsessionId": null, "threadTs": null, "parentTs": null,
        "additionalContext": null, "alternativeCount": null,
    });
    if let Value::Object(object) = &mut object {
        object.extend(message.graphql.clone());
    }
    object
}

fn message_id(message: &Message, index: usize) -> Option<String> {
    match message.kind.as_str() {
        "user" => Some(format!("user-{}", index + 1)),
        "agent" => Some(format!("lc_run--{:02}", index + 1)),
        _ => None,
    }
}
