//! Whether GitLab answers, asked seldom however often it is wanted.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::http::upstream::Upstream;
use crate::limits::{READINESS, READINESS_PROBE};

/// The last answer and when it came. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Readiness(Arc<Mutex<Option<(Timestamp, bool)>>>);

impl Readiness {
    /// Whether GitLab answers. Those who ask while it is being asked wait for the same answer.
    pub(super) async fn of(&self, upstream: &Upstream) -> bool {
        let mut last = self.0.lock().await;
        let now = (upstream.parts.clock)();
        let counts = SignedDuration::try_from(READINESS).unwrap_or(SignedDuration::MAX);
        let is_fresh = |at: Timestamp| (SignedDuration::ZERO..counts).contains(&now.duration_since(at));
        if let Some((at, answered)) = *last
            && is_fresh(at)
        {
            return answered;
        }
        let asked = tokio::time::timeout(READINESS_PROBE, (upstream.parts.is_answering)()).await;
        let answered = asked.unwrap_or(false);
        *last = Some(((upstream.parts.clock)(), answered));
        answered
    }
}
