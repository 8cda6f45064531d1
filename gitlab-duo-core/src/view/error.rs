//! A refusal or failure as a caller sees it.

use serde::Serialize;

use crate::model::error::DuoError;
use crate::model::status::Status;
use crate::rules::limits::{GITLAB_MESSAGE_CHARS, TITLE_CHARS};
use crate::view::text::{Pen, TextField, is_zero};

/// A refusal or failure, with what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ErrorView {
    /// The kind, by name.
    pub kind: &'static str,
    /// One plain sentence.
    pub message: String,
    /// What to do next.
    pub next_step: String,
    /// Seconds to wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// The scope or permission that is needed.
    #[serde(flatten)]
    pub required: TextField,
    /// GitLab's own words.
    #[serde(flatten)]
    pub gitlab_message: TextField,
    /// GitLab's request id, for reports.
    #[serde(flatten)]
    pub request_id: TextField,
    /// The session that this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<String>,
    /// The present status of that session.
    #[serde(flatten)]
    pub status: TextField,
    /// Invisible characters taken out of GitLab's words.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

impl ErrorView {
    /// The bounded view.
    #[must_use]
    pub fn of(error: &DuoError) -> Self {
        let mut pen = Pen::default();
        let mut field = |name, text: Option<&str>, limit| pen.text(name, text, limit).or_left_out();
        let required = field("required", error.required.as_deref(), TITLE_CHARS);
        let gitlab_message = field("gitlab_message", error.gitlab_message.as_deref(), GITLAB_MESSAGE_CHARS);
        let request_id = field("request_id", error.request_id.as_deref(), TITLE_CHARS);
        let status = field("status", error.status.as_ref().map(Status::name), TITLE_CHARS);
        Self {
            kind: error.kind.name(),
            message: error.message.clone(),
            next_step: error.next_step.clone(),
            retry_after_seconds: error.retry_after_seconds,
            required,
            gitlab_message,
            request_id,
            workflow_id: error.workflow_id.map(|id| id.to_string()),
            status,
            removed_characters: pen.removed(),
        }
    }
}
