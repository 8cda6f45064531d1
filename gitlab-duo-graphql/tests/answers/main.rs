//! answers
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod canned;
mod answers;
mod catalog;
mod checkpoints;
mod graphql_errors;
mod lists;
mod refusals;
mod rest_errors;
mod session_nodes;
mod sessions;
mod starts;
