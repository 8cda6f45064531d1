//! Every body that REST refuses with, and what a caller is to make of it.

use fake_gitlab::Fault;
use serde_json::{Value, json};

use crate::canned::{REQUEST_ID, json_answer, with};

/// One refusal: GitLab's answer and what the error says beside our own sentences.
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) answer: Fault,
    pub(crate) error: Value,
}

impl Refusal {
    fn new(status: u16, body: &Value, kind: &str, words: &str) -> Self {
        let error = json!({"kind": kind, "gitlab_message": words, "request_id": REQUEST_ID});
        Self { status, answer: json_answer(status, body), error }
    }

    fn message(status: u16, kind: &str, words: &str) -> Self {
        Self::new(status, &json!({"message": words}), kind, words)
    }

    /// GitLab's answer about a record that is not there, as opposed to a page or a path that is not served.
    pub(crate) fn is_absence(&self) -> bool {
        self.status == 404 && self.error["gitlab_message"] != NO_ROUTE
    }

    fn plus(mut self, more: &Value) -> Self {
        self.error = with(self.error, more);
        self
    }
}

pub(crate) const NO_ROUTE: &str = "404 Not Found";

/// All of them.
pub(crate) fn all() -> Vec<Refusal> {
    [bad_requests(), unauthorized(), forbidden(), absent(), of_the_moment()].into_iter().flatten().collect()
}

fn bad_requests() -> Vec<Refusal> {
    let kind = "invalid_arguments";
    let validation = "source does not have a valid value, environment does not have a valid value";
    let too_long = json!({"message": {"goal": ["is too long (maximum is 16384 characters)"]}});
    vec![
        Refusal::message(
            400,
            kind,
            "400 Bad request - The goal for code reviews must be a merge request IID or a full merge request URL",
        ),
        Refusal::message(400, kind, "400 Bad request - [\"You have insufficient permissions\"]"),
        Refusal::message(400, kind, "400 Bad request - [\"Can not execute workflow in CI\"]"),
        Refusal::message(400, kind, "400 Bad request - Can not stop workflow that has status finished"),
        Refusal::new(400, &too_long, kind, "goal: is too long (maximum is 16384 characters)"),
        Refusal::new(400, &json!({"error": validation}), kind, validation),
        Refusal::new(400, &json!({"error": "human_approval is missing"}), kind, "human_approval is missing"),
        Refusal::message(405, kind, "Non GET methods are not allowed for moved projects"),
        Refusal::message(422, kind, "Error in git branch creation"),
    ]
}

fn unauthorized() -> Vec<Refusal> {
    let kind = "unauthorized";
    let described = |description: &str| {
        let body = json!({"error": "invalid_token", "error_description": description});
        Refusal::new(401, &body, kind, &format!("invalid_token: {description}"))
    };
    vec![
        Refusal::message(401, kind, "401 Unauthorized"),
        described("Token is expired. You can either do re-authorization or token refresh."),
        described("Token was revoked. You have to re-authorize from the user."),
    ]
}

fn forbidden() -> Vec<Refusal> {
    let kind = "forbidden";
    let description = "The request requires higher privileges than provided by the access token.";
    let scope = json!({"error": "insufficient_scope", "error_description": description, "scope": "api"});
    vec![
        Refusal::message(403, kind, "403 Forbidden"),
        Refusal::message(
            403,
            kind,
            "403 Forbidden - session failed to start due to insufficient GitLab credits. Purchase more credits to continue.",
        ),
        Refusal::message(
            403,
            kind,
            "403 Forbidden - Identity verification is required to use GitLab Duo Agent Platform",
        ),
        Refusal::message(403, kind, "403 Forbidden - Agent or flow is not enabled for this project"),
        Refusal::message(
            403,
            kind,
            "A composite identity service account is required to start this workflow.",
        ),
        Refusal::new(403, &scope, kind, &format!("insufficient_scope: {description}"))
            .plus(&json!({"required": "api"})),
    ]
}

fn absent() -> Vec<Refusal> {
    let kind = "not_found";
    vec![
        Refusal::message(404, kind, "404 Project Not Found"),
        Refusal::message(404, kind, "404 Not found"),
        Refusal::message(404, kind, "404 Enabled agent or flow was not found for this project. Not Found"),
        Refusal::message(404, kind, "404 AI Catalog item not found for this workflow Not Found"),
        Refusal::message(404, kind, "404 AI Catalog consumer not found for this workflow Not Found"),
        Refusal::new(404, &json!({"error": NO_ROUTE}), kind, NO_ROUTE),
    ]
}

fn of_the_moment() -> Vec<Refusal> {
    let limited = "This endpoint has been requested too many times. Try again later.";
    let of_application = json_with(429, &json!({"message": {"error": limited}}), "60");
    let headers = [
        ("content-type", "text/plain"),
        ("x-request-id", REQUEST_ID),
        ("retry-after", "37"),
        ("ratelimit-name", "throttle_authenticated_api"),
        ("ratelimit-limit", "600"),
        ("ratelimit-observed", "601"),
        ("ratelimit-remaining", "0"),
        ("ratelimit-reset", "1793700000"),
        ("ratelimit-resettime", "Tue, 03 Nov 2026 10:00:00 GMT"),
    ];
    let error = |kind: &str, words: &str, more: &Value| {
        with(json!({"kind": kind, "gitlab_message": words, "request_id": REQUEST_ID}), more)
    };
    vec![
        Refusal::message(409, "server", "409 Conflict: Resource lock"),
        Refusal::message(413, "too_large", "Workflow trace exceeds maximum allowed size"),
        Refusal {
            status: 429,
            answer: of_application,
            error: error("rate_limited", limited, &json!({"retry_after_seconds": 60})),
        },
        Refusal {
            status: 429,
            answer: Fault::answer(429, &headers, "Retry later\n"),
            error: error("rate_limited", "Retry later", &json!({"retry_after_seconds": 37})),
        },
        Refusal::message(500, "server", "500 Internal Server Error"),
        Refusal {
            status: 502,
            answer: page(502, "Waiting for GitLab to boot"),
            error: error("server", "Waiting for GitLab to boot", &json!({})),
        },
        Refusal {
            status: 503,
            answer: json_with(503, &json!({"message": "503 Service Unavailable"}), "20"),
            error: error("server", "503 Service Unavailable", &json!({"retry_after_seconds": 20})),
        },
    ]
}

fn json_with(status: u16, body: &Value, retry_after: &str) -> Fault {
    let headers =
        [("content-type", "application/json"), ("x-request-id", REQUEST_ID), ("retry-after", retry_after)];
    Fault::answer(status, &headers, body.to_string())
}

/// A page of what stands in front of GitLab.
pub(crate) fn page(status: u16, title: &str) -> Fault {
    let headers = [("content-type", "text/html; charset=utf-8"), ("x-request-id", REQUEST_ID)];
    let page = format!(
        "<!DOCTYPE html>\n<html><head>\n<title>{title}</title>\n</head><body><h1>{status}</h1></body></html>\n"
    );
    Fault::answer(status, &headers, page)
}
