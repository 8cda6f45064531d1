//! What waits for a person, and what may be sent.

use serde::Serialize;

use crate::model::checkpoint::{Checkpoint, CheckpointKind};
use crate::model::session::ToolCall;
use crate::rules::limits::{QUESTION_CHARS, TITLE_CHARS, TOOL_CALL_CHARS, TOOL_CALLS, TOOL_CALLS_CHARS};
use crate::view::text::{Pen, TextField, is_zero};

/// What waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PendingInputView {
    #[serde(skip)]
    checkpoint: CheckpointKind,
    /// `input`, `plan_approval` or `tool_call_approval`.
    pub kind: &'static str,
    /// Whether it can be answered now; null when GitLab did not say.
    pub can_send: Option<bool>,
    /// Why it cannot, or might not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// The question, or the words that ask for the yes; null when the history is missing.
    #[serde(flatten)]
    pub question: TextField,
    /// The plan.
    #[serde(flatten)]
    pub plan: TextField,
    /// Every pending tool call; null when the history is missing.
    #[serde(skip_serializing_if = "ToolCallsView::is_none")]
    pub tool_calls: ToolCallsView,
    /// Pending tool calls beyond those shown.
    #[serde(skip_serializing_if = "is_zero")]
    pub tool_calls_not_shown: usize,
    /// What may be sent, in our words.
    pub how_to_answer: &'static str,
}

/// The pending tool calls of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ToolCallsView {
    /// This kind of checkpoint has none.
    NotOfThisKind,
    /// There are some, but the history is missing: null.
    Unknown,
    /// The calls, oldest first.
    Calls(Vec<ToolCallView>),
}

impl ToolCallsView {
    fn is_none(&self) -> bool {
        *self == Self::NotOfThisKind
    }
}

/// A pending tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolCallView {
    /// The tool.
    #[serde(flatten)]
    pub name: TextField,
    /// Its arguments, as JSON text.
    #[serde(flatten)]
    pub arguments: TextField,
}

impl PendingInputView {
    /// The kind as a type.
    #[must_use]
    pub fn typed_kind(&self) -> CheckpointKind {
        self.checkpoint
    }

    /// Whether `other` asks a person for the very same: whether it can be answered does not count.
    #[must_use]
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.checkpoint == other.checkpoint
            && self.question == other.question
            && self.plan == other.plan
            && self.tool_calls == other.tool_calls
            && self.tool_calls_not_shown == other.tool_calls_not_shown
    }

    /// The bounded view.
    pub fn of(checkpoint: &Checkpoint, pen: &mut Pen) -> Self {
        let calls = checkpoint.tool_calls.as_deref();
        let plan = pen.text("plan", checkpoint.plan.as_deref(), QUESTION_CHARS);
        let has_plan = checkpoint.kind == CheckpointKind::PlanApproval;
        Self {
            checkpoint: checkpoint.kind,
            kind: checkpoint.kind.name(),
            can_send: checkpoint.answerable.can_send(),
            why_not: checkpoint.answerable.why_not(),
            question: pen.text("question", checkpoint.question.as_deref(), QUESTION_CHARS),
            plan: if has_plan { plan } else { plan.or_left_out() },
            tool_calls: tool_calls(checkpoint.kind, calls, pen),
            tool_calls_not_shown: calls.map_or(0, |calls| calls.len().saturating_sub(TOOL_CALLS)),
            how_to_answer: how_to_answer(checkpoint.kind),
        }
    }
}

fn tool_calls(kind: CheckpointKind, calls: Option<&[ToolCall]>, pen: &mut Pen) -> ToolCallsView {
    match (kind, calls) {
        (CheckpointKind::ToolCallApproval, Some(calls)) => {
            let shown = calls.len().min(TOOL_CALLS);
            let share = (TOOL_CALLS_CHARS / shown.max(1)).min(TOOL_CALL_CHARS);
            ToolCallsView::Calls(calls.iter().take(shown).map(|call| tool_call(call, share, pen)).collect())
        }
        (CheckpointKind::ToolCallApproval, None) => ToolCallsView::Unknown,
        _ => ToolCallsView::NotOfThisKind,
    }
}

fn tool_call(call: &ToolCall, arguments_chars: usize, pen: &mut Pen) -> ToolCallView {
    let arguments = call.arguments.to_string();
    ToolCallView {
        name: pen.text("name", Some(&call.name), TITLE_CHARS),
        arguments: pen.text("arguments", Some(&arguments), arguments_chars),
    }
}

/// GitLab's meaning of the two fields, which surprises: an answer travels with `false`.
fn how_to_answer(kind: CheckpointKind) -> &'static str {
    match kind {
        CheckpointKind::Input => {
            "human_approval false with the answer as human_message; true, without a message, means: just go on"
        }
        CheckpointKind::PlanApproval => {
            "human_approval true accepts the plan; false, with human_message, asks for another one; false does not stop the session"
        }
        CheckpointKind::ToolCallApproval => {
            "human_approval true runs every listed call; false, with or without human_message, runs none of them; false does not stop the session"
        }
    }
}
