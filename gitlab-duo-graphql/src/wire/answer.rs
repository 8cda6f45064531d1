//! An answer of whatever answered, read up to the limit.

use bytes::{Bytes, BytesMut};
use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::rules::limits::RESPONSE_BYTES;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::wire::failure::{Failure, Stage};

/// GitLab's id of a request.
const REQUEST_ID: &str = "x-request-id";
/// Bytes of the shortest text that is looked for as a token; shorter ones stand in any text.
const TOKEN_BYTES: usize = 8;
/// What stands in an answer where a token stood.
const INSTEAD_OF_TOKEN: &[u8] = b"(token)";

/// Status, headers and body.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Where it was asked for.
    pub(crate) url: Url,
}

impl RawAnswer {
    /// GitLab's id of the request, for reports.
    pub(crate) fn request_id(&self) -> Option<String> {
        let id = self.headers.get(REQUEST_ID)?.to_str().ok()?.trim();
        let is_id = !id.is_empty() && id.len() <= 128 && id.bytes().all(|byte| byte.is_ascii_graphic());
        is_id.then(|| id.to_owned())
    }

    /// Whether the body is a web page, by its type or by how it begins.
    pub(crate) fn is_html(&self) -> bool {
        let by_type = self.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let begins_as_page = || {
            let start = self.body.trim_ascii_start();
            let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
            let start = start.get(..start.len().min(16)).unwrap_or_default().to_ascii_lowercase();
            start.starts_with(b"<!doctype html") || start.starts_with(b"<html")
        };
        by_type.is_some_and(|value| value.to_ascii_lowercase().contains("text/html")) || begins_as_page()
    }

    /// The same answer without the token that was sent: a proxy's or a debugger's page may repeat it,
    /// and nobody here could tell it from GitLab's own words later.
    pub(crate) fn without(mut self, token: &SecretString) -> Self {
        let token = token.expose_secret().trim().as_bytes();
        if token.len() < TOKEN_BYTES {
            return self;
        }
        if self.headers.get(REQUEST_ID).is_some_and(|id| find(id.as_bytes(), token).is_some()) {
            self.headers.remove(REQUEST_ID);
        }
        if find(&self.body, token).is_some() {
            self.body = replaced(&self.body, token);
        }
        self
    }

    /// Where a redirect leads.
    pub(crate) fn location(&self) -> Option<Url> {
        let target = self.headers.get(LOCATION)?.to_str().ok()?;
        self.url.join(target).ok()
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn replaced(text: &[u8], part: &[u8]) -> Bytes {
    let (mut rest, mut clean) = (text, BytesMut::new());
    while let Some(start) = find(rest, part) {
        let (before, from) = rest.split_at(start);
        clean.extend_from_slice(before);
        clean.extend_from_slice(INSTEAD_OF_TOKEN);
        rest = from.get(part.len()..).unwrap_or_default();
    }
    clean.extend_from_slice(rest);
    clean.freeze()
}

/// Reads the body in pieces, counted after unpacking, and stops at the limit.
pub(crate) async fn read_answer(mut response: reqwest::Response, host: &str) -> Result<RawAnswer, Failure> {
    let status = response.status();
    let url = response.url().clone();
    let headers = std::mem::take(response.headers_mut());
    if response.content_length().is_some_and(|length| length > RESPONSE_BYTES as u64) {
        return Err(too_large(status));
    }
    let mut body = BytesMut::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > RESPONSE_BYTES => return Err(too_large(status)),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) => {
                let failure = Failure::of(&error, Stage::Answered(status), host);
                return Err(Failure { partial: body.freeze(), ..failure });
            }
        }
    }
    Ok(RawAnswer { status, headers, body: body.freeze(), url })
}

fn too_large(status: StatusCode) -> Failure {
    let message =
        format!("the answer of GitLab is larger than {} MiB and was not read", RESPONSE_BYTES >> 20);
    Failure::lasting(Stage::Answered(status), GatewayError::new(ErrorKind::TooLarge, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(body: &str, token: &str) -> RawAnswer {
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static(REQUEST_ID),
            http::HeaderValue::from_static("glpat-example"),
        )]);
        let url = Url::parse("https://git.example.test").unwrap();
        let body = Bytes::from(body.to_owned());
        RawAnswer { status: StatusCode::OK, headers, body, url }.without(&SecretString::from(token))
    }

    #[test]
    fn a_token_that_comes_back_is_taken_out() {
        let rows = [
            ("glpat-example", "(token)"),
            ("a glpat-example b glpat-exampleglpat-example", "a (token) b (token)(token)"),
            ("glpat-exampl", "glpat-exampl"),
            ("", ""),
        ];
        for (body, expected) in rows {
            assert_eq!(without(body, "glpat-example").body, expected.as_bytes());
        }
        assert_eq!(without("x", "glpat-example").request_id(), None);
        assert_eq!(without("a short token", "short").body, "a short token");
        assert_eq!(without("x", "glpat-other").request_id().as_deref(), Some("glpat-example"));
    }
}
