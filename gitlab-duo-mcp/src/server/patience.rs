//! A wait on real time, and a client that is told how it goes.

use std::time::Duration;

use async_trait::async_trait;
use gitlab_duo_core::actions::wait_session::Patience;
use jiff::Timestamp;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

use crate::server::clock::{Clock, Pause};

/// The patience of one call.
pub(super) struct ClientPatience {
    clock: Clock,
    pause: Pause,
    /// None when the client gave no token: then nothing is told.
    progress: Option<(Peer<RoleServer>, ProgressToken)>,
}

impl ClientPatience {
    pub(super) fn of(context: &RequestContext<RoleServer>, clock: Clock, pause: Pause) -> Self {
        let token = context.meta.get_progress_token();
        Self { clock, pause, progress: token.map(|token| (context.peer.clone(), token)) }
    }
}

#[async_trait]
impl Patience for ClientPatience {
    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    async fn pause(&self, time: Duration) {
        (self.pause)(time).await;
    }

    async fn waited(&self, waited: Duration, limit: Duration, status: Option<&str>) {
        let Some((peer, token)) = &self.progress else { return };
        // Only statuses that are known here: the words of others do not belong into a progress bar.
        let known = status.filter(|status| status.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        let message = format!("the session is {}", known.unwrap_or("unchanged"));
        let told = ProgressNotificationParam::new(token.clone(), waited.as_secs_f64())
            .with_total(limit.as_secs_f64())
            .with_message(message);
        // A client that no longer listens ends the call by itself.
        let _unheard = peer.notify_progress(told).await;
    }
}
