//! A write: one request, sent once, whatever becomes of it.

use gitlab_duo_core::gateway::error::{GatewayError, Outcome, WriteError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::WorkflowId;
use http::{HeaderMap, StatusCode};

use crate::wire::answer::RawAnswer;
use crate::wire::connection::{Request, Wire};
use crate::wire::failure::{Failure, Stage};
use crate::wire::refusal;

impl Wire {
    /// Sends one request and returns its answer when GitLab accepted it (2xx).
    pub(crate) async fn write(&self, request: &Request) -> Result<RawAnswer, WriteError> {
        let token = self.token().await.map_err(|error| failed(Outcome::Refused, error))?;
        let answer = self.shared.exchange(request, &token).await;
        let answer = answer.map_err(|failure| of_failure(failure, request))?;
        if answer.status == StatusCode::UNAUTHORIZED {
            // For the calls to come: this one is not sent again.
            self.renewed(&token).await;
        }
        if answer.status.is_success() {
            return Ok(answer);
        }
        let error = if answer.status.is_redirection() {
            let mut error = self.refused_redirect(&answer);
            error.message.push_str("; a redirected write is not sent again");
            error
        } else {
            refusal::of(&answer)
        };
        Err(of_status(answer.status, error))
    }
}

/// An accepted write whose answer cannot be read.
pub(crate) fn accepted(error: GatewayError) -> WriteError {
    failed(Outcome::Accepted, GatewayError { kind: ErrorKind::Unreadable, ..error })
}

fn of_failure(failure: Failure, request: &Request) -> WriteError {
    match failure.stage {
        Stage::NotSent => {
            let message = format!("{}; nothing was sent", failure.error.message);
            failed(Outcome::Refused, GatewayError { message, ..failure.error })
        }
        Stage::Sent => unknown(failure.error),
        Stage::Answered(status) if status.is_success() => {
            let workflow_id = named_session(&failure.partial);
            WriteError { workflow_id, ..accepted(failure.error) }
        }
        Stage::Answered(status) => {
            // The status alone says enough.
            let (headers, url) = (HeaderMap::new(), request.url.clone());
            of_status(status, refusal::of(&RawAnswer { status, headers, body: failure.partial, url }))
        }
    }
}

/// 4xx, 3xx and 503 are refusals; after any other status nobody knows.
fn of_status(status: StatusCode, mut error: GatewayError) -> WriteError {
    if status == StatusCode::SERVICE_UNAVAILABLE {
        error.message.push_str("; the request was refused");
    } else if status.is_server_error() {
        return unknown(error);
    }
    failed(Outcome::Refused, error)
}

fn unknown(error: GatewayError) -> WriteError {
    failed(Outcome::Unknown, GatewayError { kind: ErrorKind::OutcomeUnknown, ..error })
}

fn failed(outcome: Outcome, error: GatewayError) -> WriteError {
    WriteError { outcome, error, workflow_id: None }
}

/// The id that a broken-off answer begins with.
pub(crate) fn named_session(partial: &[u8]) -> Option<WorkflowId> {
    // The rest may end, or be cut here, inside a character.
    let text = partial.get(..partial.len().min(64))?.utf8_chunks().next()?.valid();
    let rest = text.trim_start().strip_prefix('{')?.trim_start().strip_prefix("\"id\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find(|character: char| !character.is_ascii_digit())?;
    // Only a number with something behind it is whole.
    WorkflowId::parse(rest.get(..end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_id_is_taken_from_a_broken_answer() {
        let rows = [
            (r#"{"id":750,"project"#, Some(750)),
            (r#" { "id" : 750 , "#, Some(750)),
            (r#"{"id":75"#, None),
            (r#"{"id":-1,"#, None),
            (r#"{"iid":750,"#, None),
            ("", None),
        ];
        for (partial, expected) in rows {
            assert_eq!(named_session(partial.as_bytes()).map(WorkflowId::number), expected, "{partial}");
        }
        let umlauts = format!(r#"{{"id":750,"goal":"{}"#, "ä".repeat(40));
        for end in 10..umlauts.len() {
            let named = named_session(&umlauts.as_bytes()[..end]);
            assert_eq!(named.map(WorkflowId::number), Some(750), "{end}");
        }
    }

    #[test]
    fn a_status_says_whether_anything_happened() {
        let outcome = |status: u16| {
            let error = GatewayError::new(ErrorKind::Server, "x");
            of_status(StatusCode::from_u16(status).unwrap(), error).outcome
        };
        for refused in [301, 400, 401, 403, 404, 405, 408, 409, 422, 429, 503] {
            assert_eq!(outcome(refused), Outcome::Refused, "{refused}");
        }
        for unknown in [500, 501, 502, 504, 520, 524] {
            assert_eq!(outcome(unknown), Outcome::Unknown, "{unknown}");
        }
    }
}
