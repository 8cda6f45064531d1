//! The connection to one instance: an HTTP client with our rules, and what was learnt about the instance.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::instance::InstanceUrl;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;
use url::Url;

use crate::token::TokenSource;
use crate::wire::answer::{RawAnswer, read_answer};
use crate::wire::failure::{Failure, Stage};
use crate::wire::log::request_ended;
use crate::wire::memory::VersionMemory;

/// One instance with one credential. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Wire {
    pub(crate) shared: Arc<Shared>,
    pub(crate) tokens: Arc<dyn TokenSource>,
}

/// What all credentials share: nothing in here depends on who asks.
pub(crate) struct Shared {
    client: reqwest::Client,
    pub(crate) url: InstanceUrl,
    base: Url,
    pub(crate) version: VersionMemory,
    /// By operation: the newest document that the instance was not seen to refuse.
    ceilings: Mutex<BTreeMap<&'static str, usize>>,
}

/// A request, without its credential.
pub(crate) struct Request {
    /// What it is for, in the log.
    pub(crate) operation: &'static str,
    pub(crate) method: Method,
    pub(crate) url: Url,
    /// JSON.
    pub(crate) body: Option<Bytes>,
}

impl Shared {
    pub(crate) fn new(client: reqwest::Client, url: InstanceUrl, base: Url) -> Self {
        Self { client, url, base, version: VersionMemory::default(), ceilings: Mutex::default() }
    }

    /// The address of a resource; each segment is encoded as one.
    pub(crate) fn address(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Whether `url` has scheme, host and port of this instance: only there the token may go.
    pub(crate) fn is_same_origin(&self, url: &Url) -> bool {
        self.base.origin() == url.origin()
    }

    /// The host, for messages.
    pub(crate) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    pub(crate) fn ceiling(&self, operation: &'static str) -> Option<usize> {
        self.ceilings.lock().unwrap_or_else(PoisonError::into_inner).get(operation).copied()
    }

    /// Remembers that the document after `index` was refused.
    pub(crate) fn lower_ceiling(&self, operation: &'static str, index: usize) {
        let mut ceilings = self.ceilings.lock().unwrap_or_else(PoisonError::into_inner);
        let ceiling = ceilings.entry(operation).or_insert(index);
        *ceiling = index.min(*ceiling);
    }

    /// Sends one request once and reads its answer, whatever its status.
    pub(crate) async fn exchange(
        &self,
        request: &Request,
        token: &SecretString,
    ) -> Result<RawAnswer, Failure> {
        let begun = Instant::now();
        let answer = self.sent(request, token).await;
        request_ended(request.operation, &request.method, begun.elapsed(), &answer);
        answer
    }

    /// The status of an address for somebody without a credential; none when no answer came.
    pub(crate) async fn status_without_credential(&self, url: Url) -> Option<StatusCode> {
        Some(self.client.get(url).send().await.ok()?.status())
    }

    async fn sent(&self, request: &Request, token: &SecretString) -> Result<RawAnswer, Failure> {
        let mut outgoing = self
            .client
            .request(request.method.clone(), request.url.clone())
            .header(AUTHORIZATION, bearer(token).map_err(Failure::not_sent)?)
            .header(ACCEPT, "application/json");
        if let Some(body) = &request.body {
            outgoing = outgoing.header(CONTENT_TYPE, "application/json").body(body.clone());
        }
        let response =
            outgoing.send().await.map_err(|error| Failure::of(&error, Stage::Sent, self.host()))?;
        Ok(read_answer(response, self.host()).await?.without(token))
    }
}

impl Wire {
    /// The token to send now.
    ///
    /// # Errors
    /// Kind `unauthorized` when there is none. Nothing was sent.
    pub(crate) async fn token(&self) -> Result<SecretString, GatewayError> {
        let token = self.tokens.token().await;
        token.map_err(|missing| GatewayError::new(ErrorKind::Unauthorized, missing.to_string()))
    }
}

fn bearer(token: &SecretString) -> Result<HeaderValue, GatewayError> {
    let header = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret()));
    let mut header = header.map_err(|_| {
        let message =
            "the GitLab token holds characters that cannot be sent: is it a whole token, on one line?";
        GatewayError::new(ErrorKind::Unauthorized, message)
    })?;
    header.set_sensitive(true);
    Ok(header)
}
