//! Refusals in GitLab's own words and shapes. None of them is executed.

use super::effect::Effect;
use super::matching::Fault;
use crate::clock;
use crate::wire::Answer;
use serde_json::{Value, json};
use std::time::Duration;

impl Fault {
    fn refusal(name: &str, answer: Answer) -> Self {
        Self::new(name, Effect::Answer(answer))
    }

    fn message(name: &str, status: u16, message: impl Into<Value>) -> Self {
        Self::refusal(name, Answer::json(status, &json!({ "message": message.into() })))
    }

    /// 429 of the edge: plain text and all rate limit headers.
    pub fn rate_limited_text(retry_after: u64) -> Self {
        let reset = clock::later(clock::start(), Duration::from_secs(retry_after));
        let answer = Answer::new(429, "text/plain", "Retry later\n")
            .with("retry-after", &retry_after.to_string())
            .with("ratelimit-name", "throttle_authenticated_api")
            .with("ratelimit-limit", "2000")
            .with("ratelimit-observed", "2001")
            .with("ratelimit-remaining", "0")
            .with("ratelimit-reset", &reset.as_second().to_string())
            .with("ratelimit-resettime", &clock::http(reset));
        Self::refusal("rate limited, text", answer)
    }

    /// 429 of the application: `message` is an object. The header is whatever is given, or absent.
    pub fn rate_limited_json(retry_after: Option<&str>) -> Self {
        let error = "This endpoint has been requested too many times. Try again later.";
        let answer = Answer::json(429, &json!({ "message": { "error": error } }));
        let answer = match retry_after {
            Some(value) => answer.with("retry-after", value),
            None => answer,
        };
        Self::refusal("rate limited, json", answer)
    }

    /// 200 with a GraphQL error that speaks of too many requests.
    pub fn rate_limited_graphql() -> Self {
        let error = json!({ "message": "This endpoint has been requested too many times. Try again later." });
        Self::refusal("rate limited, graphql", Answer::json(200, &json!({ "errors": [error] })))
    }

    /// 401 without a reason.
    pub fn unauthorized() -> Self {
        Self::message("unauthorized", 401, "401 Unauthorized")
    }

    /// 401 of an expired token.
    pub fn unauthorized_expired() -> Self {
        Self::invalid_token("Token is expired. You can either do re-authorization or token refresh.")
    }

    /// 401 of a revoked token.
    pub fn unauthorized_revoked() -> Self {
        Self::invalid_token("Token was revoked. You have to re-authorize from the user.")
    }

    fn invalid_token(description: &str) -> Self {
        let body = json!({ "error": "invalid_token", "error_description": description });
        let challenge = format!(
            "Bearer realm=\"Protected by OAuth 2.0\", error=\"invalid_token\", error_description=\"{description}\""
        );
        Self::refusal("invalid token", Answer::json(401, &body).with("www-authenticate", &challenge))
    }

    /// 401 of GraphQL.
    pub fn graphql_unauthorized() -> Self {
        Self::graphql_errors(401, "Invalid token")
    }

    /// Any error body of GraphQL with that status.
    pub fn graphql_errors(status: u16, message: &str) -> Self {
        let body = json!({ "errors": [{ "message": message }] });
        Self::refusal("graphql errors", Answer::json(status, &body))
    }

    /// 503 of GraphQL: the query took too long.
    pub fn graphql_timeout() -> Self {
        let message = "Request timed out. Please try a less complex query or a smaller set of records.";
        Self::graphql_errors(503, message)
    }

    /// 403 without a reason.
    pub fn forbidden() -> Self {
        Self::message("forbidden", 403, "403 Forbidden")
    }

    /// 403 with GitLab's reason after a dash.
    pub fn forbidden_because(reason: &str) -> Self {
        Self::message("forbidden with a reason", 403, format!("403 Forbidden - {reason}"))
    }

    /// 403 for lack of credits.
    pub fn credits() -> Self {
        Self::forbidden_because(
            "session failed to start due to insufficient GitLab credits. Purchase more credits to continue.",
        )
    }

    /// 403 until the identity is verified.
    pub fn identity_verification() -> Self {
        Self::forbidden_because("Identity verification is required to use GitLab Duo Agent Platform")
    }

    /// 403 without composite identity.
    pub fn service_account() -> Self {
        let message = "A composite identity service account is required to start this workflow.";
        Self::message("service account", 403, message)
    }

    /// 403 for lack of that scope.
    pub fn insufficient_scope(scope: &str) -> Self {
        let description = "The request requires higher privileges than provided by the access token.";
        let body = json!({ "error": "insufficient_scope", "error_description": description, "scope": scope });
        Self::refusal("insufficient scope", Answer::json(403, &body))
    }

    /// 400 with the model's errors by field.
    pub fn model_errors() -> Self {
        Self::message("model errors", 400, json!({ "goal": ["is too long (maximum is 16384 characters)"] }))
    }

    /// 400 of the parameter check; the key is `error`.
    pub fn validation(error: &str) -> Self {
        Self::refusal("validation", Answer::json(400, &json!({ "error": error })))
    }

    /// 404 of a record.
    pub fn not_found() -> Self {
        Self::message("not found", 404, "404 Not found")
    }

    /// 404 of a route.
    pub fn no_route() -> Self {
        Self::refusal("no route", Answer::json(404, &json!({ "error": "404 Not Found" })))
    }

    /// 405 of a write that names the old path of a project.
    pub fn moved_project() -> Self {
        Self::message("moved project", 405, "Non GET methods are not allowed for moved projects")
    }

    /// 409 of an optimistic lock.
    pub fn conflict() -> Self {
        Self::message("conflict", 409, "409 Conflict: Resource lock")
    }

    /// 422 with that sentence.
    pub fn unprocessable(message: &str) -> Self {
        Self::message("unprocessable", 422, message)
    }

    /// 500 of the application.
    pub fn internal_error() -> Self {
        Self::message("internal error", 500, "500 Internal Server Error")
    }

    /// 502 page of the component before the application.
    pub fn html_502() -> Self {
        let page = "<!DOCTYPE html>\n<html>\n<head>\n  <title>Waiting for GitLab to boot</title>\n</head>\n\
            <body>\n  <h1>HTTP 502: Waiting for GitLab to boot</h1>\n</body>\n</html>\n";
        Self::refusal("html 502", Answer::html(502, page))
    }

    /// 503 with `Retry-After`.
    pub fn unavailable(retry_after: u64) -> Self {
        let page = "<html><body><h1>503 Service Unavailable</h1></body></html>";
        Self::refusal("unavailable", Answer::html(503, page).with("retry-after", &retry_after.to_string()))
    }
}
