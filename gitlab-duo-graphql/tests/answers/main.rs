//! answers
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod canned;
mod answers;
mod catalog;
mod checkpoints;
mod lists;
mod session_nodes;
mod sessions;
mod starts;
