//! GitLab Duo Agent Platform sessions: what they are, what may be done with them, and what a
//! caller is told. No HTTP, no GraphQL, no MCP: the way to GitLab is a pair of traits in [`gateway`].
//!
//! Imports run downwards: [`rules`] uses nothing of ours, [`model`] uses the rules, [`gateway`] and
//! [`view`] use the model, [`actions`] may use all of them.

pub mod actions;
pub mod client;
pub mod gateway;
pub mod model;
pub mod rules;
pub mod view;
