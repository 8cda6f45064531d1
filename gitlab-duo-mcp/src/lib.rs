//! An MCP server for GitLab Duo Agent Platform sessions: an adapter over `gitlab-duo-core` and
//! nothing else. It keeps no session, schedules nothing, and knows no way to GitLab of its own.
//!
//! A call goes one way: loose JSON is parsed once into a typed request (`arguments`, by the tools described in [`spec`]), core's action
//! is called (`tools`), and its view is told as a short text beside the structured result (`text`,
//! `reply`). The protocol itself is spoken in [`server`] only.

mod arguments;
pub mod caller;
pub mod commands;
mod completion;
mod detached;
mod fit;
pub mod http;
mod in_flight;
mod limits;
pub mod log;
mod looks;
mod prompts;
mod reply;
mod resources;
#[cfg(test)]
mod search;
pub mod server;
pub mod settings;
pub mod spec;
mod text;
mod tools;
