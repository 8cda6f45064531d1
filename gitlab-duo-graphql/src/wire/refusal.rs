//! From an HTTP status and body to what a caller can do about it.

use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use http::StatusCode;

use crate::wire::answer::RawAnswer;
use crate::wire::retry_after;
use crate::wire::words::{self, Words};

/// The refusal in an answer that is not 2xx.
pub(crate) fn of(answer: &RawAnswer) -> GatewayError {
    let is_html = answer.is_html();
    let words = if is_html { words::of_page(&answer.body) } else { words::of_body(&answer.body) };
    let (kind, message) = if is_html { of_page(answer.status) } else { of_api(answer, &words) };
    GatewayError {
        kind,
        message,
        gitlab_message: words.text,
        retry_after_seconds: retry_after::seconds(answer.status, &answer.headers),
        required: words.required,
        request_id: answer.request_id(),
    }
}

/// A 2xx answer that is not what the API answers.
pub(crate) fn unreadable(answer: &RawAnswer) -> GatewayError {
    let message = if answer.body.trim_ascii().is_empty() {
        "GitLab answered with an empty body".to_owned()
    } else if answer.is_html() {
        page_instead_of_api(&answer.body).to_owned()
    } else {
        "GitLab's answer is not the JSON that its API answers, or was cut".to_owned()
    };
    let mut error = GatewayError::new(ErrorKind::Unreadable, message);
    error.request_id = answer.request_id();
    error
}

fn page_instead_of_api(body: &[u8]) -> &'static str {
    let page = String::from_utf8_lossy(body.get(..body.len().min(64 * 1024)).unwrap_or_default());
    if page.contains("/users/sign_in") || page.contains("type=\"password\"") {
        "a sign-in page came instead of GitLab's API: something in front of GitLab wants a sign-in in a browser"
    } else {
        "a web page came instead of GitLab's API: check the GitLab URL"
    }
}

/// Web pages come from what stands in front of GitLab, or from a wrong address.
fn of_page(status: StatusCode) -> (ErrorKind, String) {
    let code = status.as_u16();
    match status {
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => proxy_sign_in(),
        StatusCode::TOO_MANY_REQUESTS => (ErrorKind::RateLimited, "too many requests".to_owned()),
        _ if status.is_server_error() => (
            ErrorKind::Server,
            format!("a web page with status {code} came instead of GitLab's API: it is down"),
        ),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            let message = "something in front of GitLab refuses, with a web page instead of the API's answer";
            (ErrorKind::Forbidden, format!("{message} (status {code})"))
        }
        _ => (
            ErrorKind::Unreadable,
            format!("a web page with status {code} came instead of GitLab's API: check the GitLab URL"),
        ),
    }
}

fn proxy_sign_in() -> (ErrorKind, String) {
    let message = "the proxy wants a sign-in: check user and password in the proxy setting";
    (ErrorKind::Network, message.to_owned())
}

fn of_api(answer: &RawAnswer, words: &Words) -> (ErrorKind, String) {
    let code = answer.status.as_u16();
    let (kind, message) = match code {
        401 => {
            (ErrorKind::Unauthorized, "GitLab does not accept the token: it may be wrong, expired or revoked")
        }
        403 if words.code.is_some() => {
            (ErrorKind::Forbidden, "the token may not do this: it lacks a scope or permission")
        }
        403 => (ErrorKind::Forbidden, "GitLab does not allow this"),
        404 if words.is_no_route => (
            ErrorKind::NotFound,
            "this GitLab has no such interface: it is too old for it, or has no Duo sessions",
        ),
        404 => (ErrorKind::NotFound, "GitLab finds nothing there: it is not there, or you may not see it"),
        405 => (ErrorKind::InvalidArguments, "GitLab does not take this there"),
        407 => return proxy_sign_in(),
        408 => (ErrorKind::Timeout, "GitLab gave up waiting for the request"),
        409 => (ErrorKind::Server, "GitLab was busy with another change of the same thing"),
        413 => (ErrorKind::TooLarge, "GitLab finds this too large"),
        429 => return (ErrorKind::RateLimited, rate_limited(answer)),
        400 | 422 => (ErrorKind::InvalidArguments, "GitLab does not accept this request"),
        503 => (ErrorKind::Server, "GitLab is not available at the moment"),
        500..=599 => (ErrorKind::Server, "GitLab failed"),
        402 | 410 | 451 => (ErrorKind::Forbidden, "GitLab does not allow this"),
        400..=499 => (ErrorKind::InvalidArguments, "GitLab does not accept this request"),
        _ => return (ErrorKind::Unreadable, format!("GitLab answered with the unexpected status {code}")),
    };
    (kind, format!("{message} (status {code})"))
}

fn rate_limited(answer: &RawAnswer) -> String {
    match retry_after::limit_name(&answer.headers) {
        Some(limit) => format!("too many requests: the limit `{limit}` is reached"),
        None => "too many requests".to_owned(),
    }
}
