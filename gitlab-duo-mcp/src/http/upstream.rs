//! The ways to GitLab that HTTP callers get.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::instance::InstanceUrl;
use secrecy::{ExposeSecret, SecretString};

use crate::caller::Caller;
use crate::server::Clock;

/// What the ways to GitLab are made of.
#[derive(Clone)]
pub struct UpstreamParts {
    /// The GitLab, which is named as the authorization server.
    pub instance: InstanceUrl,
    /// The way for a caller's token. Cheap: called for each request.
    pub with_token: Arc<dyn Fn(SecretString) -> Arc<dyn DuoWriter> + Send + Sync>,
    /// The caller that stands for those without a token, where the server shares its own.
    pub shared: Option<Caller>,
    /// Whether GitLab answers, asked anew.
    pub is_answering: Arc<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>,
    /// The present time.
    pub clock: Clock,
}

/// The ways to GitLab that HTTP callers get. Clones are the same.
#[derive(Clone)]
pub struct Upstream {
    pub(super) parts: UpstreamParts,
}

impl Upstream {
    /// Takes the parts.
    #[must_use]
    pub fn new(parts: UpstreamParts) -> Self {
        Self { parts }
    }

    /// The caller of a request with this token or none; none when it needs one.
    pub(super) fn caller(&self, token: Option<SecretString>) -> Option<Caller> {
        let Some(token) = token else {
            return self.parts.shared.clone();
        };
        let gateway = (self.parts.with_token)(token.clone());
        Some(Caller::of(gateway, token.expose_secret()))
    }
}

impl fmt::Debug for UpstreamParts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("UpstreamParts").field("instance", &self.instance).finish_non_exhaustive()
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Upstream").field("parts", &self.parts).finish()
    }
}
