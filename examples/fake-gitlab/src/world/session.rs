//! Sessions: the row, its messages, its CI legs and what it made.

use super::links::Link;
use super::message::Message;
use super::script::{Act, Script};
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// Names of the statuses.
pub mod status {
    /// Waits for its CI job.
    pub const CREATED: &str = "created";
    /// Runs.
    pub const RUNNING: &str = "running";
    /// Paused; the resume route refuses it.
    pub const PAUSED: &str = "paused";
    /// Ended well.
    pub const FINISHED: &str = "finished";
    /// Ended badly.
    pub const FAILED: &str = "failed";
    /// Stopped by a person.
    pub const STOPPED: &str = "stopped";
    /// Asks a question.
    pub const INPUT_REQUIRED: &str = "input_required";
    /// Shows a plan.
    pub const PLAN_APPROVAL_REQUIRED: &str = "plan_approval_required";
    /// Wants to run tools.
    pub const TOOL_CALL_APPROVAL_REQUIRED: &str = "tool_call_approval_required";
    /// Of a later release: has nothing to do at present.
    pub const IDLE: &str = "idle";
}

/// A session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Number of the session.
    pub id: i64,
    /// Number of its owner.
    pub user: i64,
    /// Project, unless it belongs to a group.
    pub project: Option<i64>,
    /// Group, unless it belongs to a project.
    pub namespace: Option<i64>,
    /// Status by name, in lower case.
    pub status: String,
    /// What it was asked to do.
    pub goal: String,
    /// Short title.
    pub title: Option<String>,
    /// What it did, in a few words.
    pub summary: Option<String>,
    /// `workflow_definition`.
    pub definition: String,
    /// `web`, `ambient`, `chat`, `ide` …
    pub environment: Option<String>,
    /// Name of the flow or agent for people.
    pub agent_name: Option<String>,
    /// Catalog item version; without one it can never be resumed.
    pub item_version: Option<i64>,
    /// Granted privileges by number.
    pub privileges: Vec<i64>,
    /// Privileges that need no approval, by number.
    pub pre_approved: Vec<i64>,
    /// Whether it may ask.
    pub allow_agent_to_request_user: bool,
    /// Container image, if named.
    pub image: Option<String>,
    /// Branch that the client asked for.
    pub requested_branch: Option<String>,
    /// Branch that the workload really started from.
    pub source_branch: Option<String>,
    /// `additional_context` as it was kept, without the categories that clients may not send.
    pub additional_context: Vec<Value>,
    /// Merge request it came from, by number.
    pub merge_request: Option<i64>,
    /// Work item it came from, by number within the project.
    pub issue: Option<i64>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its row changed last.
    pub updated_at: Timestamp,
    /// Messages of the newest checkpoint; `None` = no checkpoint.
    pub messages: Option<Vec<Message>>,
    /// Pipelines of its legs, oldest first.
    pub pipelines: Vec<i64>,
    /// Jobs whose logs can be read, oldest first.
    pub jobs: Vec<i64>,
    /// Objects it came from or made.
    pub links: Vec<Link>,
    /// Decisions it was given: approval and message.
    pub decisions: Vec<(bool, Option<String>)>,
    /// How it goes on.
    pub script: Script,
    /// Leg of the script that runs or ran last, counted from 0.
    pub leg: usize,
    /// What is still to happen in this leg, by time.
    pub pending: VecDeque<(Timestamp, Act)>,
    /// Fields laid over what GraphQL would answer.
    pub graphql: Map<String, Value>,
    /// Fields laid over what REST would answer.
    pub rest: Map<String, Value>,
}

impl Session {
    /// A session that was just created.
    pub fn new(id: i64, user: i64, project: Option<i64>, definition: &str, now: Timestamp) -> Self {
        Self {
            id,
            user,
            project,
            namespace: None,
            status: status::CREATED.to_owned(),
            goal: String::new(),
            title: Some(definition.to_owned()),
            summary: None,
            definition: definition.to_owned(),
            environment: None,
            agent_name: None,
            item_version: None,
            privileges: (1..=6).collect(),
            pre_approved: vec![1, 2],
            allow_agent_to_request_user: true,
            image: None,
            requested_branch: None,
            source_branch: None,
            additional_context: Vec::new(),
            merge_request: None,
            issue: None,
            created_at: now,
            updated_at: now,
            messages: None,
            pipelines: Vec::new(),
            jobs: Vec::new(),
            links: Vec::new(),
            decisions: Vec::new(),
            script: Script::never(),
            leg: 0,
            pending: VecDeque::new(),
            graphql: Map::new(),
            rest: Map::new(),
        }
    }

    /// Whether it waits for a person.
    pub fn awaits_input(&self) -> bool {
        self.status_group() == Some("AWAITING_INPUT")
    }

    /// The group of its status; `None` for a status GitLab does not know yet.
    pub fn status_group(&self) -> Option<&'static str> {
        Some(match self.status.as_str() {
            status::CREATED | status::RUNNING => "ACTIVE",
            status::PAUSED => "PAUSED",
            status::FINISHED | status::IDLE => "COMPLETED",
            status::FAILED => "FAILED",
            status::STOPPED => "CANCELED",
            status::INPUT_REQUIRED | status::PLAN_APPROVAL_REQUIRED | status::TOOL_CALL_APPROVAL_REQUIRED => {
                "AWAITING_INPUT"
            }
            _ => return None,
        })
    }

    /// Whether nothing more happens to it by itself or by an answer.
    pub fn terminal(&self) -> bool {
        matches!(self.status.as_str(), status::FINISHED | status::FAILED | status::STOPPED)
    }

    /// Appends a message to the newest checkpoint, making the first one if there was none.
    pub fn say(&mut self, message: Message) {
        self.messages.get_or_insert_default().push(message);
    }
}
