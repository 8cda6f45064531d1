//! What a server is made of: its settings, its callers, and which writes are on their way.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::scope::Scope;

use crate::caller::Caller;
use crate::completion::cache::Cache;
use crate::in_flight::InFlight;
use crate::limits::{BESIDE_REQUEST, CALL};
use crate::looks::{Elapsed, SharedLooks};
use crate::server::callers::Callers;
use crate::server::clock::{Clock, Pause, elapsed_by, real_elapsed, real_pause};
use crate::server::watches::Watches;
use crate::settings::confirm::Confirm;
use crate::spec::surface::Surface;

/// How a server behaves.
#[derive(Clone)]
pub struct ServerSettings {
    /// The GitLab that arguments with URLs are read against.
    pub instance: InstanceUrl,
    /// What the operator allows.
    pub scope: Scope,
    /// Which tools are offered.
    pub surface: Surface,
    /// When a person is asked before a write.
    pub confirm: Confirm,
    /// The present time.
    pub clock: Clock,
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, scope, surface, confirm, clock: _ } = self;
        formatter
            .debug_struct("ServerSettings")
            .field("instance", instance)
            .field("scope", scope)
            .field("surface", surface)
            .field("confirm", confirm)
            .finish_non_exhaustive()
    }
}

/// An MCP server over one GitLab, for one caller or for those that the requests bring. Clones share
/// which writes are on their way, looks of waiters, and what completion read a moment ago; no call
/// leaves anything else behind.
#[derive(Clone)]
pub struct Server {
    pub(super) callers: Callers,
    pub(super) settings: Arc<ServerSettings>,
    pub(super) call_bound: Duration,
    pub(super) in_flight: InFlight,
    pub(super) looks: SharedLooks,
    pub(super) pause: Pause,
    pub(super) elapsed: Elapsed,
    pub(super) watches: Watches,
    pub(super) completions: Cache,
}

impl Server {
    /// A server over a GitLab with one credential.
    #[must_use]
    pub fn new(gateway: Arc<dyn DuoWriter>, settings: ServerSettings) -> Self {
        Self::over(Callers::One(Some(Caller::only(gateway))), settings)
    }

    /// A server without a token: every call is refused as `unauthorized`, with how to set one.
    #[must_use]
    pub fn without_token(settings: ServerSettings) -> Self {
        Self::over(Callers::One(None), settings)
    }

    /// A server whose every HTTP request brings its [`Caller`] in its extensions.
    #[must_use]
    pub fn for_callers(settings: ServerSettings) -> Self {
        Self::over(Callers::OfRequest, settings)
    }

    fn over(callers: Callers, settings: ServerSettings) -> Self {
        Self {
            callers,
            settings: Arc::new(settings),
            call_bound: CALL,
            in_flight: InFlight::default(),
            looks: SharedLooks::default(),
            pause: real_pause(),
            elapsed: real_elapsed(),
            watches: Watches::default(),
            completions: Cache::default(),
        }
    }

    /// The same server, whose waits let the time of its clock pass in this way instead of sleeping.
    #[must_use]
    pub fn with_pause(self, pause: Pause) -> Self {
        let elapsed = elapsed_by(Arc::clone(&self.settings.clock));
        Self { pause, elapsed, ..self }
    }

    /// The same server over a gateway whose single requests may take this long. A call is answered
    /// within 50 seconds, since many clients give up after a minute; whoever lets one request take
    /// longer than that has asked for longer calls, too.
    #[must_use]
    pub fn with_request_timeout(self, timeout: Duration) -> Self {
        Self { call_bound: timeout.saturating_add(BESIDE_REQUEST).max(CALL), ..self }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The refusal of a call without a token.
pub(super) fn no_token() -> DuoError {
    DuoError::new(ErrorKind::Unauthorized, "no GitLab token is set, so nothing was sent").with_next_step(
        "set the environment variable GITLAB_TOKEN of this server to a personal access token with the scope `api` (`read_api` for browsing only) and restart it",
    )
}
