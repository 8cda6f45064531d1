//! A page of a session's messages.

use serde::Serialize;

use crate::model::session::{Message, MessageKind};
use crate::rules::limits::{MESSAGE_CHARS, TITLE_CHARS, TRANSCRIPT_CHARS, WHOLE_MESSAGE_CHARS};
use crate::view::page::{PageInfoView, UnavailableView};
use crate::view::text::{Pen, TextField, is_zero};

/// A page of a session's messages, the newest page first, each page in the order of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TranscriptView {
    /// The session.
    pub workflow_id: String,
    /// GitLab's lower-case name; an unknown status as it came.
    #[serde(flatten)]
    pub status: TextField,
    /// The messages; null when the history is missing.
    pub messages: Option<Vec<MessageView>>,
    /// Messages in all; null when the history is missing.
    pub total: Option<usize>,
    /// How the transcript goes on, towards older messages.
    #[serde(rename = "pageInfo")]
    pub page_info: PageInfoView,
    /// What this program has to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Details that this instance does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<UnavailableView>,
    /// Invisible characters taken out of the texts above.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MessageView {
    /// Its place, 1 for the first message of the session.
    pub number: usize,
    /// `user`, `agent`, `tool`, `request`, `workflow_end`, or a new kind as it came.
    #[serde(flatten)]
    pub kind: TextField,
    /// The text.
    #[serde(flatten)]
    pub content: TextField,
    /// The tool that it is about.
    #[serde(flatten)]
    pub tool: TextField,
    /// The arguments of that tool, as JSON text.
    #[serde(flatten)]
    pub arguments: TextField,
    /// GitLab's `status` of the message.
    #[serde(flatten)]
    pub status: TextField,
    /// When it was written, as GitLab gave it.
    #[serde(flatten)]
    pub timestamp: TextField,
}

impl MessageView {
    /// The kind as a type; none when GitLab did not say.
    #[must_use]
    pub fn typed_kind(&self) -> Option<MessageKind> {
        self.kind.value().map(MessageKind::read)
    }

    /// The bounded view of a message on a page of `rows` messages.
    pub fn of(message: &Message, number: usize, rows: usize, pen: &mut Pen) -> Self {
        // Text and arguments of a message share what the page has for each.
        Self::within(message, number, (TRANSCRIPT_CHARS / rows.max(1)).min(MESSAGE_CHARS) / 2, pen)
    }

    /// The bounded view of a message of a whole transcript.
    pub(crate) fn of_whole(message: &Message, number: usize, pen: &mut Pen) -> Self {
        Self::within(message, number, WHOLE_MESSAGE_CHARS, pen)
    }

    fn within(message: &Message, number: usize, limit: usize, pen: &mut Pen) -> Self {
        let arguments = message.tool.as_ref().map(|tool| tool.arguments.to_string());
        let tool = message.tool.as_ref().map(|tool| tool.name.as_str());
        Self {
            number,
            kind: pen.text("kind", Some(message.kind.name()), TITLE_CHARS),
            content: pen.text("content", Some(&message.content), limit),
            tool: pen.text("tool", tool, TITLE_CHARS).or_left_out(),
            arguments: pen.text("arguments", arguments.as_deref(), limit).or_left_out(),
            status: pen.text("status", message.status.as_deref(), TITLE_CHARS).or_left_out(),
            timestamp: pen.text("timestamp", message.timestamp.as_deref(), TITLE_CHARS).or_left_out(),
        }
    }
}
