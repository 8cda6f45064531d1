//! Loose JSON becomes a request of core, once.

pub(crate) mod browse;
pub(crate) mod call;
pub(crate) mod loose;
pub(crate) mod manage;
pub(crate) mod names;
pub(crate) mod project;
