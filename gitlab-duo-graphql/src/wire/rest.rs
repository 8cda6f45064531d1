//! REST: addresses below `/api/v4`, JSON in and out.

use bytes::Bytes;
use gitlab_duo_core::gateway::error::ReadError;
use http::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::wire::answer::RawAnswer;
use crate::wire::connection::{Request, Wire};
use crate::wire::{refusal, words};

impl Wire {
    /// The address of a REST resource.
    pub(crate) fn rest_address(&self, segments: &[&str]) -> Url {
        let all: Vec<&str> = ["api", "v4"].iter().chain(segments).copied().collect();
        self.shared.address(&all)
    }

    /// A REST request with a JSON body.
    pub(crate) fn rest_request(
        &self,
        operation: &'static str,
        method: Method,
        segments: &[&str],
        body: &Value,
    ) -> Request {
        let body = Some(Bytes::from(body.to_string()));
        Request { operation, method, url: self.rest_address(segments), body }
    }

    /// Reads a resource; none when GitLab says that it is not there.
    pub(crate) async fn get_json<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        url: Url,
    ) -> Result<Option<T>, ReadError> {
        let answer = self.read(&Request { operation, method: Method::GET, url, body: None }).await?;
        if is_absence(&answer) {
            return Ok(None);
        }
        if !answer.status.is_success() {
            return Err(refusal::of(&answer));
        }
        json(&answer).map(Some)
    }
}

/// Reads the JSON of a 2xx answer.
pub(crate) fn json<T: DeserializeOwned>(answer: &RawAnswer) -> Result<T, ReadError> {
    serde_json::from_slice(&answer.body).map_err(|error| {
        tracing::debug!(line = error.line(), column = error.column(), "an answer cannot be read");
        refusal::unreadable(answer)
    })
}

/// A 404 of the API about a record. A web page, or a path that is not served, is another matter.
fn is_absence(answer: &RawAnswer) -> bool {
    answer.status == StatusCode::NOT_FOUND && !answer.is_html() && !words::of_body(&answer.body).is_no_route
}
