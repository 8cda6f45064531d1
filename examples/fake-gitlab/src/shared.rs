//! What the handle, the connections and the routes share.

use crate::fault::Faults;
use crate::graphql::Schemas;
use crate::wire::Log;
use crate::world::World;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct Shared {
    pub(crate) world: Mutex<World>,
    pub(crate) log: Mutex<Log>,
    pub(crate) faults: Mutex<Faults>,
    pub(crate) connections: AtomicUsize,
    pub(crate) schemas: Arc<Schemas>,
    pub(crate) subpath: String,
}

/// Locks, also after a test panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
