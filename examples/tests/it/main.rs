//! The examples that other tools may start from, played against a GitLab over real HTTP.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::duplicate_mod, reason = "each example brings the stage that it plays on")]

#[path = "../../approve_with_a_person.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod approve_with_a_person;
#[path = "../../ci_bot.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod ci_bot;
#[path = "../../board/desk.rs"]
mod desk;
#[path = "../../export_transcript.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod export_transcript;
#[path = "../../mcp_task_client.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod mcp_task_client;
#[path = "../../board/screen.rs"]
mod screen;
#[path = "../../support/mod.rs"]
mod support;
#[path = "../../watch_session.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod watch_session;

mod board_keys;
mod bot_outcomes;
mod mcp_clients;
mod quoting;
