//! What can go wrong between here and GitLab.

use std::fmt;

use crate::model::error::{DuoError, Effect, ErrorKind};
use crate::model::ids::WorkflowId;

/// A failed request: what it means for the caller, and GitLab's own words apart from ours.
///
/// No part of a token is ever in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayError {
    /// What the caller has to deal with.
    pub kind: ErrorKind,
    /// One plain sentence of ours, without a full stop.
    pub message: String,
    /// GitLab's own words, unbounded and uncleaned: data, not advice.
    pub gitlab_message: Option<String>,
    /// Seconds to wait, when GitLab said so.
    pub retry_after_seconds: Option<u64>,
    /// The scope or permission that is needed, when GitLab said so.
    pub required: Option<String>,
    /// GitLab's `X-Request-Id`, for reports.
    pub request_id: Option<String>,
}

impl GatewayError {
    /// A failure of which nothing but kind and sentence is known.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            gitlab_message: None,
            retry_after_seconds: None,
            required: None,
            request_id: None,
        }
    }
}

impl fmt::Display for GatewayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for GatewayError {}

/// A read that did not succeed. Nothing was changed by it.
pub type ReadError = GatewayError;

/// A write that was not seen to succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// What is known about its effect.
    pub outcome: Outcome,
    /// Why.
    pub error: GatewayError,
    /// The session that the answer named before it became unreadable.
    pub workflow_id: Option<WorkflowId>,
}

/// What is known about the effect of a failed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The request never left, or GitLab refused it: nothing happened.
    Refused,
    /// The request was sent and no answer tells what became of it.
    Unknown,
    /// GitLab accepted it, but what it answered cannot be read.
    Accepted,
}

impl fmt::Display for WriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl std::error::Error for WriteError {}

const NOT_ACCEPTED: &str =
    "read GitLab's own words: they say what it does not accept; change that before calling again";

impl From<GatewayError> for DuoError {
    fn from(error: GatewayError) -> Self {
        let mut own = Self::new(error.kind, error.message);
        if error.kind == ErrorKind::InvalidArguments && error.gitlab_message.is_some() {
            // Only GitLab knows what it does not accept, and it need not be an argument.
            own = own.with_next_step(NOT_ACCEPTED);
        }
        Self {
            retry_after_seconds: error.retry_after_seconds,
            required: error.required,
            gitlab_message: error.gitlab_message,
            request_id: error.request_id,
            ..own
        }
    }
}

impl From<WriteError> for DuoError {
    fn from(WriteError { outcome, error, workflow_id }: WriteError) -> Self {
        let cause = Self { workflow_id, ..Self::from(error) };
        let (kind, effect, message) = match outcome {
            Outcome::Refused => return cause,
            Outcome::Unknown => (
                ErrorKind::OutcomeUnknown,
                Effect::Unknown,
                format!("the request was sent and its outcome is not known: {cause}"),
            ),
            Outcome::Accepted => (
                ErrorKind::Unreadable,
                Effect::Accepted,
                format!("GitLab accepted the request, but its answer cannot be read: {cause}"),
            ),
        };
        let next_step = "look with list before acting again: this program never repeats a write";
        Self { kind, effect, message, next_step: next_step.to_owned(), ..cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_keeps_what_is_known_about_it() {
        let rows = [
            (Outcome::Refused, ErrorKind::Forbidden, ErrorKind::Forbidden, false),
            (Outcome::Unknown, ErrorKind::Timeout, ErrorKind::OutcomeUnknown, true),
            (Outcome::Accepted, ErrorKind::TooLarge, ErrorKind::Unreadable, true),
        ];
        for (outcome, kind, expected, is_sent_to_look) in rows {
            let mut error = GatewayError::new(kind, "why");
            error.gitlab_message = Some("GitLab's words".to_owned());
            error.retry_after_seconds = Some(37);
            error.required = Some("api".to_owned());
            error.request_id = Some("01ABC".to_owned());
            let workflow_id = WorkflowId::new(73);
            let own = DuoError::from(WriteError { outcome, error, workflow_id });
            assert_eq!((own.kind, own.workflow_id), (expected, workflow_id));
            assert!(own.message.ends_with("why"), "{own}");
            assert_eq!(own.next_step.starts_with("look with list"), is_sent_to_look, "{}", own.next_step);
            assert_eq!(own.gitlab_message.as_deref(), Some("GitLab's words"));
            assert_eq!((own.retry_after_seconds, own.required.as_deref()), (Some(37), Some("api")));
            assert_eq!(own.request_id.as_deref(), Some("01ABC"));
        }
    }
}
