//! Tool calls that wait for a decision.

use super::message::Message;
use super::session::Session;
use serde_json::Value;

/// A tool call, by name and arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Name of the tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
}

impl Session {
    /// The calls at the end of the messages that still wait; one decision answers all of them.
    pub fn pending_tool_calls(&self) -> Vec<ToolCall> {
        let messages = self.messages.as_deref().unwrap_or_default();
        let mut calls: Vec<_> = messages.iter().rev().map_while(pending_call).collect();
        calls.reverse();
        calls
    }
}

fn pending_call(message: &Message) -> Option<ToolCall> {
    if message.kind != "request" {
        return None;
    }
    let name = message.tool.get("name")?.as_str()?.to_owned();
    Some(ToolCall { name, args: message.tool.get("args").cloned().unwrap_or(Value::Null) })
}
