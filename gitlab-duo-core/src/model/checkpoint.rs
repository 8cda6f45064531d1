//! What a waiting session waits for, and whether it can be answered now.
//!
//! Source: GitLab 19.3 and 19.5, `WorkflowPolicy` and the resume route.

use crate::model::session::{History, Message, MessageKind, Session, ToolCall};
use crate::model::status::Status;
use crate::rules::gates::{ClosedGate, Feature, Support};

/// The kind of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointKind {
    /// A question, or the turn of the person.
    Input,
    /// A plan that wants a yes.
    PlanApproval,
    /// Tool calls that want a yes; one decision answers all of them.
    ToolCallApproval,
}

impl CheckpointKind {
    /// The checkpoint of a status; none when the session waits for nobody.
    #[must_use]
    pub fn of(status: &Status) -> Option<Self> {
        match status {
            Status::InputRequired => Some(Self::Input),
            Status::PlanApprovalRequired => Some(Self::PlanApproval),
            Status::ToolCallApprovalRequired => Some(Self::ToolCallApproval),
            _ => None,
        }
    }

    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::PlanApproval => "plan_approval",
            Self::ToolCallApproval => "tool_call_approval",
        }
    }

    /// The feature that answering it needs.
    #[must_use]
    pub fn feature(self) -> Feature {
        match self {
            Self::Input => Feature::AnswerInput,
            Self::PlanApproval | Self::ToolCallApproval => Feature::AnswerApproval,
        }
    }
}

/// A checkpoint with what is pending there.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its kind.
    pub kind: CheckpointKind,
    /// Whether it can be answered now.
    pub answerable: Answerable,
    /// The question, or the words that ask for the yes.
    pub question: Option<String>,
    /// The plan, for a plan approval.
    pub plan: Option<String>,
    /// The pending tool calls, for a tool-call approval; none when the history is missing.
    pub tool_calls: Option<Vec<ToolCall>>,
}

/// Whether a checkpoint can be answered now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answerable {
    /// GitLab says so.
    Yes,
    /// This GitLab is too old for it.
    TooOld(ClosedGate),
    /// It is a colleague's session: only its owner may answer.
    NotOwner,
    /// GitLab says no, mostly because the last CI job still winds down.
    NotYet,
    /// The session carries no catalog item version, so that GitLab's resume route answers 404.
    NoItemVersion,
    /// GitLab did not say.
    Unknown,
    /// GitLab says yes, but the session carries no catalog item version, and whether an agent's
    /// session can do without is not known.
    Unproven,
}

impl Answerable {
    /// The three-valued answer.
    #[must_use]
    pub fn can_send(&self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::Unknown | Self::Unproven => None,
            Self::TooOld(_) | Self::NotOwner | Self::NotYet | Self::NoItemVersion => Some(false),
        }
    }

    /// Why it cannot, or might not; none when it can.
    #[must_use]
    pub fn why_not(&self) -> Option<String> {
        Some(match self {
            Self::Yes => return None,
            Self::TooOld(gate) => gate.to_string(),
            Self::NotOwner => "only the person who started this session can answer it".to_owned(),
            Self::NotYet => "GitLab does not take an answer now: most often the last CI job is still \
                             finishing, look again in a minute"
                .to_owned(),
            Self::NoItemVersion => "this session was started without a catalog item, and GitLab cannot \
                                    resume such sessions: answer it on its page, or start the flow anew"
                .to_owned(),
            Self::Unknown => "GitLab did not say whether it takes an answer now".to_owned(),
            Self::Unproven => {
                "this session carries no catalog item version: GitLab may refuse the answer".to_owned()
            }
        })
    }
}

impl Checkpoint {
    /// The checkpoint of a session; none when it waits for nobody.
    #[must_use]
    pub fn of(session: &Session, support: &Support) -> Option<Self> {
        let kind = CheckpointKind::of(session.row.status.as_ref()?)?;
        let messages = session.history.as_ref().and_then(|history| history.messages.as_deref());
        Some(Self {
            kind,
            answerable: answerable(kind, session, support),
            question: messages.and_then(question),
            plan: messages.filter(|_| kind == CheckpointKind::PlanApproval).and_then(plan),
            tool_calls: messages.filter(|_| kind == CheckpointKind::ToolCallApproval).map(pending_tool_calls),
        })
    }
}

fn answerable(kind: CheckpointKind, session: &Session, support: &Support) -> Answerable {
    if let Err(gate) = support.require(kind.feature()) {
        return Answerable::TooOld(gate);
    }
    let is_agent = session.environment.as_deref() == Some("ambient");
    match (session.permissions.resume, session.permissions.update, session.has_item_version) {
        (Some(false), Some(false), _) => Answerable::NotOwner,
        (Some(false), _, _) => Answerable::NotYet,
        (None, _, _) => Answerable::Unknown,
        (Some(true), _, Some(false)) if is_agent => Answerable::Unproven,
        (Some(true), _, Some(false)) => Answerable::NoItemVersion,
        (Some(true), _, _) => Answerable::Yes,
    }
}

/// The last request without a tool; in chat-like sessions the last answer of the agent ends the turn.
fn question(messages: &[Message]) -> Option<String> {
    let trailing = trailing_requests(messages);
    let asked = trailing.iter().rev().find(|message| message.tool.is_none() && !message.content.is_empty());
    asked.map(|message| message.content.clone()).or_else(|| match trailing {
        [] => latest_answer(messages).map(str::to_owned),
        // Requests for tool calls speak for themselves; their calls are listed.
        _ => None,
    })
}

/// The plan is restated by the agent's message before the request.
fn plan(messages: &[Message]) -> Option<String> {
    latest_answer(messages).map(str::to_owned)
}

/// Every call of the trailing run of requests that carry a tool, oldest first.
fn pending_tool_calls(messages: &[Message]) -> Vec<ToolCall> {
    let pending = messages.iter().rev().take_while(|message| message.kind == MessageKind::Request);
    let mut calls: Vec<_> = pending.map_while(|message| message.tool.clone()).collect();
    calls.reverse();
    calls
}

fn trailing_requests(messages: &[Message]) -> &[Message] {
    let run = messages.iter().rev().take_while(|message| message.kind == MessageKind::Request).count();
    messages.get(messages.len() - run..).unwrap_or_default()
}

/// The newest message of the agent that says something, however many tool messages follow it.
#[must_use]
pub fn latest_answer(messages: &[Message]) -> Option<&str> {
    let is_answer = |message: &&Message| {
        let is_agent = message.kind == MessageKind::Agent || message.role.as_deref() == Some("assistant");
        is_agent && !message.content.trim().is_empty()
    };
    messages.iter().rev().find(is_answer).map(|message| message.content.as_str())
}

/// Why a session failed: the engine's errors, or the last thing the agent failed at.
#[must_use]
pub fn failure_reason(history: &History) -> Option<String> {
    if !history.errors.is_empty() {
        return Some(history.errors.join("\n"));
    }
    let messages = history.messages.as_deref().unwrap_or_default();
    let failed =
        |message: &&Message| message.status.as_deref() == Some("failure") && !message.content.is_empty();
    messages.iter().rev().find(failed).map(|message| message.content.clone())
}

/// Whether the agent ever ran; none when nothing tells. A checkpoint or a message of the agent or a
/// tool proves that it did, the status `created` that it did not.
#[must_use]
pub fn agent_began(session: &Session) -> Option<bool> {
    let Some(history) = &session.history else {
        return (session.row.status == Some(Status::Created)).then_some(false);
    };
    let Some(messages) = &history.messages else { return Some(true) };
    let by_agent = |message: &Message| !matches!(message.kind, MessageKind::User);
    if messages.iter().any(by_agent) { Some(true) } else { None }
}
