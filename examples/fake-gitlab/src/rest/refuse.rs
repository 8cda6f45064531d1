//! Refusals of REST in their different envelopes.

use crate::wire::Answer;
use serde_json::{Value, json};

/// What a route gives: an answer either way.
pub(super) type Outcome = Result<Answer, Answer>;

/// `{"message": …}` with that status.
pub(super) fn message(status: u16, message: impl Into<Value>) -> Answer {
    Answer::json(status, &json!({ "message": message.into() }))
}

/// `{"error": …}`, as the parameter check answers.
pub(super) fn invalid(error: &str) -> Answer {
    Answer::json(400, &json!({ "error": error }))
}

pub(super) fn bad_request(detail: &str) -> Answer {
    message(400, format!("400 Bad request - {detail}"))
}

/// Errors of a service come as a list that was printed as text.
pub(super) fn bad_request_list(detail: &str) -> Answer {
    bad_request(&json!([detail]).to_string())
}

pub(super) fn forbidden() -> Answer {
    message(403, "403 Forbidden")
}

pub(super) fn forbidden_because(reason: &str) -> Answer {
    message(403, format!("403 Forbidden - {reason}"))
}

pub(super) fn not_found() -> Answer {
    message(404, "404 Not found")
}

pub(super) fn not_found_what(what: &str) -> Answer {
    message(404, format!("404 {what} Not Found"))
}

pub(super) fn no_route() -> Answer {
    Answer::json(404, &json!({ "error": "404 Not Found" }))
}

pub(super) fn wrong_verb() -> Answer {
    Answer::json(405, &json!({ "error": "405 Not Allowed" }))
}
