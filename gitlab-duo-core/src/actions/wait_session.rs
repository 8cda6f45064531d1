//! Read a session once something has changed.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::actions::get_session::{GetSession, get_session};
use crate::gateway::reader::DuoReader;
use crate::model::error::DuoError;
use crate::model::ids::WorkflowId;
use crate::model::scope::Scope;
use crate::rules::limits::{WAIT_SECONDS_MAX, WAIT_STEP_SECONDS, WAIT_STEP_SECONDS_MAX};
use crate::view::session::SessionView;

/// How long to wait: 1 to 300 seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitSeconds(u64);

impl WaitSeconds {
    /// A wait of `seconds`; none outside 1 to 300.
    #[must_use]
    pub fn new(seconds: u64) -> Option<Self> {
        (1..=WAIT_SECONDS_MAX).contains(&seconds).then_some(Self(seconds))
    }

    /// The wait.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.0)
    }
}

/// Which session to wait for.
#[derive(Clone, Copy, Debug)]
pub struct WaitSession {
    /// The session.
    pub workflow_id: WorkflowId,
    /// How long at most.
    pub limit: WaitSeconds,
}

/// Time that passes, and somebody who is told how a wait goes. Core has neither: a program brings
/// its clock, a test one that passes at once.
#[async_trait]
pub trait Patience: Send + Sync {
    /// The present time.
    fn now(&self) -> Timestamp;

    /// Lets `time` pass.
    async fn pause(&self, time: Duration);

    /// Tells that `waited` of `limit` has passed without a change; the status is one that GitLab gave.
    /// Nobody is told unless this is written.
    async fn waited(&self, waited: Duration, limit: Duration, status: Option<&str>) {
        let _ = (waited, limit, status);
    }
}

/// Reads a session and returns at the first change that matters (status, pending input, end), or
/// when the time is over. A session that has ended, or that can be answered, is returned at once:
/// nothing changes there by itself. GitLab is asked every 5 seconds at first, then less often.
/// Dropping the future ends the wait and the read in flight.
///
/// # Errors
/// Those of [`get_session`].
pub async fn wait_session(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: WaitSession,
    patience: &dyn Patience,
) -> Result<SessionView, DuoError> {
    let look =
        || get_session(reader, scope, GetSession { workflow_id: request.workflow_id, now: patience.now() });
    let limit = request.limit.duration();
    let first = look().await?;
    let mut latest = first.clone();
    let mut waited = Duration::ZERO;
    let mut step = Duration::from_secs(WAIT_STEP_SECONDS);
    while !is_settled(&latest) && !has_changed(&first, &latest) && waited < limit {
        let pause = step.min(limit.saturating_sub(waited));
        patience.pause(pause).await;
        waited += pause;
        patience.waited(waited, limit, latest.status.value()).await;
        // The very last second is not worth a look less than a step after the one before.
        if pause < Duration::from_secs(WAIT_STEP_SECONDS) {
            break;
        }
        latest = look().await?;
        step = (step * 3 / 2).min(Duration::from_secs(WAIT_STEP_SECONDS_MAX));
    }
    Ok(latest)
}

/// Whether nothing more happens to a session by itself: it has ended, or can be answered.
#[must_use]
pub fn is_settled(session: &SessionView) -> bool {
    let can_be_answered =
        session.pending_input.as_ref().is_some_and(|pending| pending.can_send == Some(true));
    session.terminal == Some(true) || can_be_answered
}

/// Whether something that matters has changed: the status, the end, or what waits for a person.
pub(crate) fn has_changed(first: &SessionView, latest: &SessionView) -> bool {
    first.status != latest.status
        || first.terminal != latest.terminal
        || first.pending_input != latest.pending_input
}
