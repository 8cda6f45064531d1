//! What is logged, on standard error alone: a line per tool call, a line per write that reached
//! GitLab or may have, and those of the adapter per request. No token, no argument but numeric ids,
//! and no text of a session is in any of them, at any level.

pub(crate) mod audit;
pub(crate) mod call;
pub mod output;
