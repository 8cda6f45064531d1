//! One line for each request to GitLab: what it was for and what became of it, never what it said.

use std::time::Duration;

use http::Method;

use crate::wire::answer::RawAnswer;
use crate::wire::failure::{Failure, Stage};

/// Logs a request that has ended. Neither its path nor its query is told: a caller's argument may stand
/// in both.
pub(crate) fn request_ended(
    operation: &'static str,
    method: &Method,
    took: Duration,
    answer: &Result<RawAnswer, Failure>,
) {
    let method = method.as_str();
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    match answer {
        Ok(answer) => {
            let (status, bytes) = (answer.status.as_u16(), answer.body.len());
            let request_id = answer.request_id();
            tracing::info!(operation, method, status, ms, bytes, request_id, "GitLab answered");
        }
        Err(failure) => {
            let status = match failure.stage {
                Stage::Answered(status) => Some(status.as_u16()),
                Stage::NotSent | Stage::Sent => None,
            };
            let was_sent = failure.stage != Stage::NotSent;
            let kind = failure.error.kind.name();
            tracing::info!(operation, method, status, ms, kind, was_sent, "GitLab did not answer");
        }
    }
}
