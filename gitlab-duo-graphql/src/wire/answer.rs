//! An answer of whatever answered, read up to the limit.

use bytes::{Bytes, BytesMut};
use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::rules::limits::RESPONSE_BYTES;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::wire::failure::{Failure, Stage};

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
        let id = self.headers.get("x-request-id")?.to_str().ok()?.trim();
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

    /// Where a redirect leads.
    pub(crate) fn location(&self) -> Option<Url> {
        let target = self.headers.get(LOCATION)?.to_str().ok()?;
        self.url.join(target).ok()
    }
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
