//! What resolvers share while one operation runs.

use crate::auth::Viewer;
use crate::world::World;
use std::cell::{Cell, Ref, RefCell, RefMut};

pub(super) struct Context<'w> {
    world: RefCell<&'w mut World>,
    viewer: Option<Viewer>,
    /// Calls of `pinnedItemVersion` so far: only 20 are allowed.
    pub(super) pinned_calls: Cell<usize>,
}

impl<'w> Context<'w> {
    pub(super) fn new(world: &'w mut World, viewer: Option<Viewer>) -> Self {
        Self { world: RefCell::new(world), viewer, pinned_calls: Cell::new(0) }
    }

    pub(super) fn world(&self) -> Ref<'_, &'w mut World> {
        self.world.borrow()
    }

    pub(super) fn world_mut(&self) -> RefMut<'_, &'w mut World> {
        self.world.borrow_mut()
    }

    /// Number of the user who asks.
    pub(super) fn user(&self) -> Option<i64> {
        self.viewer.as_ref().map(|viewer| viewer.user)
    }

    pub(super) fn viewer(&self) -> Option<&Viewer> {
        self.viewer.as_ref()
    }
}
