//! Who may call a route: tokens and scopes.

use super::refuse;
use crate::auth::{self, Caller, Viewer};
use crate::wire::{Answer, Request};
use crate::world::World;
use serde_json::json;

/// Scopes that open reading routes of the API at large.
pub(super) const READ: &[&str] = &["api", "read_api"];

/// Scopes that open writing routes.
pub(super) const WRITE: &[&str] = &["api"];

/// Scopes of the executor's routes, reading.
pub(super) const EXECUTOR_READ: &[&str] = &["api", "read_api", "ai_workflows"];

/// Scopes of the executor's routes, writing.
pub(super) const EXECUTOR_WRITE: &[&str] = &["api", "ai_workflows"];

/// Scopes that open the version.
pub(super) const VERSION: &[&str] = &["api", "read_api", "ai_features", "ai_workflows", "read_user"];

/// The viewer, who must be signed in with one of the scopes.
pub(super) fn viewer(world: &World, request: &Request, scopes: &[&str]) -> Result<Viewer, Answer> {
    optional(world, request, scopes)?.ok_or_else(|| refuse::message(401, "401 Unauthorized"))
}

/// The viewer, if somebody is signed in; a token that is no good is refused all the same.
pub(super) fn optional(world: &World, request: &Request, scopes: &[&str]) -> Result<Option<Viewer>, Answer> {
    match auth::caller(world, &request.headers) {
        Caller::Anonymous => Ok(None),
        Caller::Unknown => Err(refuse::message(401, "401 Unauthorized")),
        Caller::Expired => {
            Err(invalid_token("Token is expired. You can either do re-authorization or token refresh."))
        }
        Caller::Revoked => Err(invalid_token("Token was revoked. You have to re-authorize from the user.")),
        Caller::Known(viewer) if viewer.has_any(scopes) => Ok(Some(viewer)),
        Caller::Known(_) => Err(insufficient_scope(scopes)),
    }
}

fn invalid_token(description: &str) -> Answer {
    let challenge = format!(
        "Bearer realm=\"Protected by OAuth 2.0\", error=\"invalid_token\", error_description=\"{description}\""
    );
    Answer::json(401, &json!({ "error": "invalid_token", "error_description": description }))
        .with("www-authenticate", &challenge)
}

fn insufficient_scope(scopes: &[&str]) -> Answer {
    let description = "The request requires higher privileges than provided by the access token.";
    let body = json!({
        "error": "insufficient_scope", "error_description": description, "scope": scopes.join(" "),
    });
    Answer::json(403, &body)
}
