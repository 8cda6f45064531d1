//! Properties that hold for every input, tried on inputs that chance makes. What chance has found once stands in
//! `proptest-regressions` and, as a plain row, in the tests beside the code.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod checkpoints;
mod cutting;
mod goals;
mod ids;
mod lists;
mod projects;
mod scopes;
mod targets;
mod texts;
mod transcripts;
mod versions;
mod views;
