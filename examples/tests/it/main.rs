//! The examples that other tools may start from, played against a GitLab over real HTTP.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::duplicate_mod, reason = "each example brings the stage that it plays on")]

#[path = "../../ci_bot.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod ci_bot;
#[path = "../../board/desk.rs"]
mod desk;
#[path = "../../export_transcript.rs"]
#[expect(dead_code, reason = "the way from the command line is not played")]
mod export_transcript;
#[path = "../../board/screen.rs"]
mod screen;
#[path = "../../support/mod.rs"]
mod support;

mod board_keys;
mod bot_outcomes;
mod quoting;
