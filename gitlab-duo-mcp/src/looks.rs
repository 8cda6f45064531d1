//! Looks at sessions that waiters share: however many wait for one session, GitLab is asked no more
//! often than for one of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::Lookup;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::rules::limits::WAIT_STEP_SECONDS;
use tokio::sync::Mutex as Turn;

use crate::caller::CallerKey;

/// How much time has passed since some moment before this process began to wait.
pub(crate) type Elapsed = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How old a look of another waiter may be.
const FRESH: Duration = Duration::from_secs(WAIT_STEP_SECONDS);

/// The sessions that are waited for, each by one caller: what one may see is no look of another.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedLooks(Arc<Mutex<Waited>>);

type Waited = BTreeMap<(CallerKey, WorkflowId), Weak<Slots>>;

/// The latest look, taken by one waiter at a time.
#[derive(Debug, Default)]
struct Slots {
    session: Turn<Option<Taken<Answer<Lookup>>>>,
    project: Turn<Option<Taken<Option<ProjectLink>>>>,
}

#[derive(Debug)]
struct Taken<T> {
    /// When the read began: what happened before that is in it.
    at: Duration,
    result: Result<T, ReadError>,
}

/// One waiter for one session.
pub(crate) struct Waiter {
    id: WorkflowId,
    slots: Arc<Slots>,
    /// A look that began earlier may miss what this waiter's client has just done.
    since: Duration,
    elapsed: Elapsed,
}

impl SharedLooks {
    /// A waiter from now on. Nothing stays when the last one of a session has gone.
    pub(crate) fn waiter(&self, caller: CallerKey, id: WorkflowId, elapsed: Elapsed) -> Waiter {
        let mut waited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waited.retain(|_, slots| slots.strong_count() > 0);
        let slots = waited.get(&(caller, id)).and_then(Weak::upgrade).unwrap_or_default();
        waited.insert((caller, id), Arc::downgrade(&slots));
        Waiter { id, slots, since: elapsed(), elapsed }
    }
}

impl Waiter {
    /// Whether it waits for this session.
    pub(crate) fn is_for(&self, id: WorkflowId) -> bool {
        self.id == id
    }

    /// The session, from another waiter's look if one is fresh, by `read` otherwise.
    pub(crate) async fn session(
        &self,
        read: impl Future<Output = Result<Answer<Lookup>, ReadError>>,
    ) -> Result<Answer<Lookup>, ReadError> {
        self.shared(&self.slots.session, read).await
    }

    /// The project of the session, likewise.
    pub(crate) async fn project(
        &self,
        read: impl Future<Output = Result<Option<ProjectLink>, ReadError>>,
    ) -> Result<Option<ProjectLink>, ReadError> {
        self.shared(&self.slots.project, read).await
    }

    async fn shared<T: Clone>(
        &self,
        slot: &Turn<Option<Taken<T>>>,
        read: impl Future<Output = Result<T, ReadError>>,
    ) -> Result<T, ReadError> {
        // A waiter that goes while it reads gives its turn to the next one.
        let mut latest = slot.lock().await;
        let at = (self.elapsed)();
        if let Some(taken) = latest.as_ref()
            && taken.at >= self.since
            && at.saturating_sub(taken.at) < FRESH
        {
            return taken.result.clone();
        }
        let result = read.await;
        *latest = Some(Taken { at, result: result.clone() });
        result
    }
}
