//! The handle on a running fake GitLab.

use crate::fault::Fault;
use crate::shared::{Shared, lock};
use crate::wire::{LoggedRequest, Server};
use crate::world::{TokenSpec, TokenState, World, demo};
use jiff::Timestamp;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A running GitLab on loopback. Clones are the same instance; the last one to go ends it.
#[derive(Clone)]
pub struct FakeGitLab {
    url: Arc<str>,
    shared: Arc<Shared>,
    server: Arc<Server>,
}

impl FakeGitLab {
    pub(crate) fn new(url: String, shared: Arc<Shared>, server: Server) -> Self {
        Self { url: url.into(), shared, server: Arc::new(server) }
    }

    /// Address without trailing slash, with the subpath if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Token of the default user `devuser` (number 88), with scope `api`.
    pub fn token(&self) -> &'static str {
        demo::TOKEN
    }

    /// Adds a token; one with the same secret is replaced.
    pub fn add_token(&self, spec: TokenSpec) {
        self.state(|world| {
            world.tokens.retain(|token| token.value != spec.value);
            world.tokens.push(spec.into());
        });
    }

    /// From now on that token is refused as expired.
    pub fn expire_token(&self, value: &str) {
        self.set_token(value, TokenState::Expired);
    }

    /// From now on that token is refused as revoked.
    pub fn revoke_token(&self, value: &str) {
        self.set_token(value, TokenState::Revoked);
    }

    fn set_token(&self, value: &str, state: TokenState) {
        self.state(|world| {
            for token in world.tokens.iter_mut().filter(|token| token.value == value) {
                token.state = state;
            }
        });
    }

    /// Lets time pass; sessions act along their scripts.
    pub fn advance(&self, by: Duration) {
        self.state(|world| world.advance(by));
    }

    /// The present moment of the instance.
    pub fn now(&self) -> Timestamp {
        self.state(|world| world.now())
    }

    /// Requests that were read, in the order of their arrival.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        lock(&self.shared.log).all()
    }

    /// Requests that could change something: any but GET and HEAD, outside of `/api/graphql`.
    pub fn writes(&self) -> Vec<LoggedRequest> {
        self.requests().into_iter().filter(LoggedRequest::is_write).collect()
    }

    /// Forgets the requests so far.
    pub fn clear_log(&self) {
        lock(&self.shared.log).clear();
    }

    /// TCP connections accepted so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Queues a fault. Of several that match a request, the one injected first happens.
    pub fn inject(&self, fault: Fault) {
        lock(&self.shared.faults).push(fault);
    }

    /// Forgets all faults that did not happen yet.
    pub fn clear_faults(&self) {
        lock(&self.shared.faults).clear();
    }

    /// Looks into the world, or changes it. No request is answered meanwhile.
    ///
    /// Do not use the handle inside of `look`: the world is locked.
    pub fn state<T>(&self, look: impl FnOnce(&mut World) -> T) -> T {
        look(&mut lock(&self.shared.world))
    }

    /// Closes the listener and every connection, and waits until that is done.
    pub async fn stop(&self) {
        self.server.stop().await;
    }
}

impl fmt::Debug for FakeGitLab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeGitLab").field("url", &self.url).finish_non_exhaustive()
    }
}
