//! What one connection watches. Watches end with it: they belong to it and to nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, JoinSet};

use crate::limits::SUBSCRIPTIONS;
use crate::resources::uri::ResourceUri;

/// The watches of one connection. Dropping it ends them.
pub(super) struct Watches {
    places: Arc<Semaphore>,
    tasks: Mutex<Tasks>,
}

#[derive(Default)]
struct Tasks {
    /// Aborts what it holds when it is dropped.
    set: JoinSet<()>,
    of: BTreeMap<ResourceUri, AbortHandle>,
}

/// One of the places that a connection has; free again when this is dropped.
pub(super) type Place = OwnedSemaphorePermit;

impl Default for Watches {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(SUBSCRIPTIONS)), tasks: Mutex::default() }
    }
}

impl Clone for Watches {
    /// A clone of a server serves another connection, which watches nothing yet.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Watches {
    /// A place; none when all are taken.
    pub(super) fn place(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// How many places are free.
    pub(super) fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Whether a task watches this resource.
    pub(super) fn is_watched(&self, uri: ResourceUri) -> bool {
        self.tasks().of.get(&uri).is_some_and(|task| !task.is_finished())
    }

    /// Lets a task watch this resource, in place of one that did so before.
    pub(super) fn start(&self, uri: ResourceUri, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.set.try_join_next().is_some() {}
        tasks.of.retain(|_, task| !task.is_finished());
        let task = tasks.set.spawn(task);
        if let Some(before) = tasks.of.insert(uri, task) {
            before.abort();
        }
    }

    /// Ends the task that watches this resource, if one does.
    pub(super) fn stop(&self, uri: ResourceUri) {
        if let Some(task) = self.tasks().of.remove(&uri) {
            task.abort();
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether something can be told after this request is answered. Over HTTP each request stands alone,
/// and only the newer generation keeps one open.
pub(super) fn has_connection(context: &RequestContext<RoleServer>) -> bool {
    context.extensions.get::<http::request::Parts>().is_none()
}
