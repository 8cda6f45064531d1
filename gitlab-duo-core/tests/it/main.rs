//! The actions, tried against a GitLab in memory: order of checks, what is sent, what is told.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod admission;
mod client;
mod discover;
mod duplicates;
mod get;
mod input;
mod list;
mod reviewed;
mod start;
mod start_target;
mod stop;
mod through;
mod transcript;
mod wait;
mod world;
