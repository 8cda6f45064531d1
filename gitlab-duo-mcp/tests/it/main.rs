//! Conversations with the server: in process against a GitLab in memory, and with the program itself.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod aliases;
mod arguments;
mod cancel;
mod client;
mod completion;
mod eras;
mod every_fault;
mod foreign_text;
mod gitlab_surface;
mod json_rpc;
mod known_clients;
mod listing;
mod policy;
mod process;
mod prompts;
mod proxy;
mod resources;
mod results;
mod separate_callers;
mod size;
mod subscriptions;
mod talk;
mod trouble;
mod waiting;
mod wire;
mod world;
