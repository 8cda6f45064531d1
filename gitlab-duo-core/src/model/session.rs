//! A session as GitLab describes it. Everything that an older or odd answer may lack is optional:
//! none means that it is not known, never that it is not there.

use jiff::Timestamp;
use serde_json::Value;

use crate::model::ids::{MergeRequestIid, WorkflowId};
use crate::model::project::ProjectLink;
use crate::model::status::{Status, StatusGroup};

/// A row of the caller's own sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id.
    pub id: WorkflowId,
    /// Its status.
    pub status: Option<Status>,
    /// The group as GitLab gave it.
    pub status_group: Option<StatusGroup>,
    /// What it shall do.
    pub goal: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// The `workflowDefinition`: a reference, or `ai_catalog_agent` for a custom flow.
    pub flow: Option<String>,
    /// The name of the agent or flow.
    pub agent_name: Option<String>,
    /// Its project.
    pub project: ProjectLink,
    /// Its page, as GitLab gave it.
    pub web_url: Option<String>,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
}

impl SessionRow {
    /// A row of which nothing but the id is known.
    #[must_use]
    pub fn unknown(id: WorkflowId) -> Self {
        Self {
            id,
            status: None,
            status_group: None,
            goal: None,
            title: None,
            flow: None,
            agent_name: None,
            project: ProjectLink::default(),
            web_url: None,
            created_at: None,
            updated_at: None,
        }
    }

    /// The group: GitLab's word, or what the status implies.
    #[must_use]
    pub fn group(&self) -> Option<StatusGroup> {
        self.status_group.clone().or_else(|| self.status.as_ref().and_then(Status::group))
    }
}

/// A session with its details.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// What a list row knows as well.
    pub row: SessionRow,
    /// What it did, in GitLab's words.
    pub summary: Option<String>,
    /// Where it runs, in lower case (`web`, `ambient`, `chat`, …).
    pub environment: Option<String>,
    /// Whether it carries a version of a catalog item, without which GitLab cannot resume it.
    pub has_item_version: Option<bool>,
    /// What the caller may do with it.
    pub permissions: Permissions,
    /// Whether GitLab says that it left `created` without a checkpoint.
    pub stalled: Option<bool>,
    /// Its history; none when GitLab has none (not begun, expired) or cannot tell.
    pub history: Option<History>,
    /// What it created.
    pub created: Created,
    /// Pages of its CI jobs, newest first.
    pub job_logs: Vec<String>,
}

impl Session {
    /// How many messages its history has; none when that is not known.
    #[must_use]
    pub fn message_count(&self) -> Option<usize> {
        self.history.as_ref()?.messages.as_ref().map(Vec::len)
    }

    /// A session of which nothing but the row is known.
    #[must_use]
    pub fn bare(row: SessionRow) -> Self {
        Self {
            row,
            summary: None,
            environment: None,
            has_item_version: None,
            permissions: Permissions::default(),
            stalled: None,
            history: None,
            created: Created::default(),
            job_logs: Vec::new(),
        }
    }
}

/// What the caller may do with a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Answer it now: GitLab's `resumeDuoWorkflow`, false also while the last CI job winds down.
    pub resume: Option<bool>,
    /// Change it at all: false on a colleague's session.
    pub update: Option<bool>,
}

/// The latest checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Messages, oldest first; none when this instance does not give them.
    pub messages: Option<Vec<Message>>,
    /// Errors of the engine.
    pub errors: Vec<String>,
}

/// One message of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who or what it is from.
    pub kind: MessageKind,
    /// The role, as in `assistant`.
    pub role: Option<String>,
    /// The text.
    pub content: String,
    /// GitLab's `status` of the message: `success`, `failure`, `pending`, `cancelled`.
    pub status: Option<String>,
    /// The tool call it is about.
    pub tool: Option<ToolCall>,
    /// When it was written, as GitLab gave it.
    pub timestamp: Option<String>,
}

/// The kind of a message (GitLab's `messageType`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind {
    /// From the person.
    User,
    /// From the agent.
    Agent,
    /// A tool's work.
    Tool,
    /// Waits for a person.
    Request,
    /// The end of the session.
    WorkflowEnd,
    /// A kind that this version does not know, as it came.
    Other(String),
}

impl MessageKind {
    /// Reads GitLab's name.
    #[must_use]
    pub fn read(text: &str) -> Self {
        match text {
            "user" => Self::User,
            "agent" => Self::Agent,
            "tool" => Self::Tool,
            "request" => Self::Request,
            "workflow_end" => Self::WorkflowEnd,
            _ => Self::Other(text.to_owned()),
        }
    }

    /// GitLab's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Request => "request",
            Self::WorkflowEnd => "workflow_end",
            Self::Other(text) => text,
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Its arguments, as the agent wrote them.
    pub arguments: Value,
}

impl ToolCall {
    /// Reads GitLab's `toolInfo`: text that holds JSON, the text `null` when there is none. Of what
    /// cannot be read the whole text stands as arguments: a person must see that something is there.
    ///
    /// ```
    /// use gitlab_duo_core::model::session::ToolCall;
    ///
    /// let call = ToolCall::read(r#"{"name":"run_command","args":{"program":"ls"}}"#);
    /// assert_eq!(call.map(|call| call.name).as_deref(), Some("run_command"));
    /// assert_eq!(ToolCall::read("null"), None);
    /// ```
    #[must_use]
    pub fn read(tool_info: &str) -> Option<Self> {
        let mut info = match serde_json::from_str(tool_info) {
            Ok(Value::Object(info)) => info,
            Ok(_) => return None,
            Err(_) if tool_info.trim().is_empty() => return None,
            Err(_) => return Some(Self { name: String::new(), arguments: Value::from(tool_info) }),
        };
        let name = match info.remove("name") {
            Some(Value::String(name)) => name,
            // An object is a pending call even when its name is odd: a person must see it.
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        Some(Self { name, arguments: info.remove("args").unwrap_or(Value::Null) })
    }
}

/// What a session created; none where this instance cannot tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Created {
    /// Merge requests.
    pub merge_requests: Option<Links<CreatedMergeRequest>>,
    /// Work items.
    pub work_items: Option<Links<CreatedWorkItem>>,
    /// Notes.
    pub notes: Option<Links<CreatedNote>>,
}

impl Created {
    /// Whether anything at all was created; none when unknown.
    #[must_use]
    pub fn is_anything(&self) -> Option<bool> {
        let counts = [
            self.merge_requests.as_ref().map(Links::count),
            self.work_items.as_ref().map(Links::count),
            self.notes.as_ref().map(Links::count),
        ];
        if counts.iter().flatten().any(|count| *count > 0) {
            return Some(true);
        }
        if counts.iter().all(Option::is_some) { Some(false) } else { None }
    }
}

/// Objects of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links<T> {
    /// Those that the caller may see.
    pub items: Vec<T>,
    /// Whether GitLab has more of them; none when it did not say.
    pub has_more: Option<bool>,
    /// Those that the caller may not see.
    pub hidden: usize,
}

impl<T> Links<T> {
    fn count(&self) -> usize {
        self.items.len() + self.hidden + usize::from(self.has_more == Some(true))
    }
}

/// A merge request that a session created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedMergeRequest {
    /// Its number.
    pub iid: Option<MergeRequestIid>,
    /// Its title.
    pub title: Option<String>,
    /// Its state.
    pub state: Option<String>,
    /// Its page.
    pub web_url: Option<String>,
}

/// A work item that a session created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedWorkItem {
    /// Its number.
    pub iid: Option<u64>,
    /// Its title.
    pub title: Option<String>,
    /// Its state, in lower case.
    pub state: Option<String>,
    /// Its page.
    pub web_url: Option<String>,
}

/// A note that a session wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedNote {
    /// Its text.
    pub body: Option<String>,
    /// Where it stands.
    pub url: Option<String>,
}
