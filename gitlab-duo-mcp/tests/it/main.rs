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
mod commands;
mod completion;
mod doctor;
mod documented;
mod eras;
mod every_fault;
mod followed;
mod foreign_text;
mod gitlab_surface;
mod http;
mod json_rpc;
mod known_clients;
mod listing;
mod logs;
mod person;
mod policy;
mod private_ca;
mod process;
mod prompts;
mod proxy;
mod readable;
mod resources;
mod results;
mod separate_callers;
mod settings_files;
mod settings_tables;
mod size;
mod story;
mod subscriptions;
mod talk;
mod tasks;
mod trouble;
mod waiting;
mod wire;
mod world;
