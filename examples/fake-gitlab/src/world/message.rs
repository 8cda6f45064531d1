//! Messages of a session, as its newest checkpoint carries them.

use serde_json::{Value, json};

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// `user`, `agent`, `tool`, `request` or `workflow_end`.
    pub kind: String,
    /// Text.
    pub content: String,
    /// `success`, `failure`, `pending`, `cancelled`, or none.
    pub status: Option<String>,
    /// `user`, `assistant`, `tool`, or none.
    pub role: Option<String>,
    /// Part of the flow that spoke.
    pub component: Option<String>,
    /// Name and arguments of a tool call; null for none.
    pub tool: Value,
    /// Time as text; filled in when the message is spoken, unless set before.
    pub timestamp: Option<String>,
    /// Fields laid over what GraphQL would answer.
    pub graphql: serde_json::Map<String, Value>,
}

impl Message {
    fn new(kind: &str, content: &str, status: &str, role: Option<&str>) -> Self {
        Self {
            kind: kind.to_owned(),
            content: content.to_owned(),
            status: Some(status.to_owned()),
            role: role.map(str::to_owned),
            component: None,
            tool: Value::Null,
            timestamp: None,
            graphql: serde_json::Map::new(),
        }
    }

    /// What the person said.
    pub fn user(content: &str) -> Self {
        Self::new("user", content, "success", Some("user"))
    }

    /// What the agent said.
    pub fn agent(content: &str) -> Self {
        Self::new("agent", content, "success", Some("assistant")).by("developer")
    }

    /// What the agent said when it went wrong.
    pub fn failure(content: &str) -> Self {
        Self::new("agent", content, "failure", Some("assistant"))
    }

    /// A tool that ran.
    pub fn tool(content: &str, name: &str, args: Value) -> Self {
        let mut message = Self::new("tool", content, "success", Some("tool")).by("developer");
        message.tool = json!({ "name": name, "args": args });
        message
    }

    /// A question, or a plan to approve.
    pub fn request(content: &str) -> Self {
        Self::new("request", content, "pending", None).by("developer")
    }

    /// A tool call that waits for a decision.
    pub fn tool_request(name: &str, args: Value) -> Self {
        let content = format!("Tool {name} requires approval. Please confirm if you want to proceed.");
        let mut message = Self::new("request", &content, "success", None).by("developer");
        message.tool = json!({ "name": name, "args": args });
        message
    }

    /// The last message of a session that ended by itself.
    pub fn end() -> Self {
        Self::new("workflow_end", "Workflow completed", "success", None)
    }

    /// The same, spoken by another part of the flow.
    #[must_use]
    pub fn by(mut self, component: &str) -> Self {
        self.component = Some(component.to_owned());
        self
    }

    /// The same, spoken at that time.
    #[must_use]
    pub fn at(mut self, timestamp: &str) -> Self {
        self.timestamp = Some(timestamp.to_owned());
        self
    }
}

/// The plan as the state of the executor has it: the numbered lines of the last message with a plan.
pub(crate) fn plan_steps(messages: &[Message]) -> Value {
    let plan = messages.iter().rev().find(|message| message.content.starts_with("Plan:"));
    let lines = plan.map(|message| message.content.lines().skip(1)).into_iter().flatten();
    lines
        .filter_map(|line| line.split_once(". "))
        .map(|(id, description)| json!({ "id": id, "description": description, "status": "Not Started" }))
        .collect()
}
