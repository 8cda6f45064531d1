//! Short answers of our own.

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, HeaderName, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde_json::Value;

/// A sentence. No part of what was sent is repeated in it.
pub(super) fn sentence(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    with(response, CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))
}

/// A refusal that passes.
pub(super) fn later(text: &'static str) -> Response {
    with(sentence(StatusCode::SERVICE_UNAVAILABLE, text), RETRY_AFTER, HeaderValue::from_static("1"))
}

/// JSON.
pub(super) fn json(value: &Value) -> Response {
    let response = Response::new(Body::from(value.to_string()));
    with(response, CONTENT_TYPE, HeaderValue::from_static("application/json"))
}

/// The same answer with a header.
pub(super) fn with(mut response: Response, name: HeaderName, value: HeaderValue) -> Response {
    response.headers_mut().insert(name, value);
    response
}
