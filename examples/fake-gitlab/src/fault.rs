//! Faults: what can go wrong between a client and GitLab, injected one by one.

mod bodies;
mod effect;
mod matching;
mod network;
mod queue;
mod refusals;

pub(crate) use effect::Effect;
pub use matching::Fault;
pub(crate) use queue::Faults;
