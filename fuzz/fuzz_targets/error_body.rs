//! Answers that are refusals or cannot be read. Input: a line with the status, a line with a header's value, the body.

#![no_main]

use gitlab_duo_core::gateway::error::Outcome;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::view::error::ErrorView;
use gitlab_duo_fuzz::{check_refusal, check_view};
use gitlab_duo_graphql::fuzzing::{refused, unreadable, write_answer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(3, |byte| *byte == b'\n');
    let status =
        parts.next().and_then(|status| std::str::from_utf8(status).ok()?.parse().ok()).unwrap_or(500);
    let value = parts.next().unwrap_or_default();
    let body = parts.next().unwrap_or_default();
    let by_headers = ["retry-after", "ratelimit-name", "ratelimit-reset", "x-request-id", "date"]
        .map(|name| (name, value));
    let exhausted: &[u8] = b"0";
    for headers in [&[("content-type", value), ("ratelimit-remaining", exhausted)], &by_headers[..]] {
        let error = refused(status, headers, body);
        check_refusal(&error);
        check_refusal(&unreadable(headers, body));
        check_view(
            &serde_json::to_value(ErrorView::of(&DuoError::from(error))).expect("a view can be written"),
        );
    }
    let asked = WorkflowId::new(750);
    match write_answer(body, asked) {
        Ok(accepted) => assert_eq!(Some(accepted.id), asked),
        Err(error) => {
            assert_eq!((error.outcome, error.workflow_id), (Outcome::Accepted, asked));
            check_refusal(&error.error);
        }
    }
    if let Err(error) = write_answer(body, None) {
        assert_eq!(error.outcome, Outcome::Accepted);
    }
});
