//! Loose JSON becomes a request of core, once.

mod browse;
pub(crate) mod call;
pub(crate) mod door;
pub(crate) mod loose;
mod manage;
mod names;
pub(crate) mod parse;
mod project;
