//! Looking at a session again and again, politely, for what changes.

use std::time::Duration;

use futures_util::stream::unfold;

use crate::actions::get_session::{GetSession, get_session};
use crate::actions::wait_session::has_changed;
use crate::client::context::CallContext;
use crate::client::stream::DuoStream;
use crate::gateway::reader::DuoReader;
use crate::model::error::DuoError;
use crate::model::ids::WorkflowId;
use crate::rules::limits::{WAIT_STEP_SECONDS, WATCH_FAILURES, WATCH_STEP_SECONDS_MAX};
use crate::view::session::SessionView;

/// A session that is being followed.
struct Following<G> {
    context: CallContext<G>,
    id: WorkflowId,
    /// What was seen last; none before the first look.
    latest: Option<SessionView>,
    /// How long to wait before the next look.
    step: Duration,
    /// Looks that have failed one after the other.
    failures: u32,
}

/// The states of a session, from the present one to its end.
pub(super) fn changes<G: DuoReader + 'static>(
    context: CallContext<G>,
    id: WorkflowId,
) -> DuoStream<SessionView> {
    let following = Following { context, id, latest: None, step: shortest(), failures: 0 };
    DuoStream::of(unfold(following, |mut following| async move {
        following.next_change().await.map(|change| (change, following))
    }))
}

impl<G: DuoReader> Following<G> {
    async fn next_change(&mut self) -> Option<Result<SessionView, DuoError>> {
        if self.latest.as_ref().is_some_and(|latest| latest.terminal == Some(true)) {
            return None;
        }
        loop {
            if self.latest.is_some() {
                self.context.time.pause(self.step).await;
            }
            match self.look().await {
                Ok(session) => {
                    if let Some(change) = self.seen(session) {
                        return Some(Ok(change));
                    }
                }
                Err(error) if self.may_pass(&error) => self.failed(&error),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    async fn look(&self) -> Result<SessionView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        get_session(&**gateway, scope, GetSession { workflow_id: self.id, now: time.now() }).await
    }

    /// Takes note of a look; the session when something has changed since the one before.
    fn seen(&mut self, session: SessionView) -> Option<SessionView> {
        self.failures = 0;
        let is_change = self.latest.as_ref().is_none_or(|latest| has_changed(latest, &session));
        self.step = if is_change { shortest() } else { self.longer().min(longest(&session)) };
        self.latest = Some(session.clone());
        is_change.then_some(session)
    }

    /// Whether a failure is worth another look. The very first look is not repeated.
    fn may_pass(&self, error: &DuoError) -> bool {
        self.latest.is_some() && error.is_retryable_read() && self.failures < WATCH_FAILURES
    }

    fn failed(&mut self, error: &DuoError) {
        self.failures += 1;
        let bound = Duration::from_secs(WATCH_STEP_SECONDS_MAX);
        self.step = self.longer().min(bound).max(error.retry_after().unwrap_or_default());
    }

    fn longer(&self) -> Duration {
        self.step * 3 / 2
    }
}

fn shortest() -> Duration {
    Duration::from_secs(WAIT_STEP_SECONDS)
}

/// As long as GitLab's own rhythm makes another look worthless.
fn longest(session: &SessionView) -> Duration {
    Duration::from_secs(session.poll_after_seconds.map_or(WATCH_STEP_SECONDS_MAX, u64::from))
}
