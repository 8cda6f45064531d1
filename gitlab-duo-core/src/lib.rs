//! GitLab Duo Agent Platform sessions: what they are, what may be done with them, and what a
//! caller is told. No HTTP, no GraphQL, no MCP: the way to GitLab is a pair of traits in [`gateway`].
//!
//! Begin with [`client::duo::Duo`]: one method per ability.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
//! # let (duo, _) = gitlab_duo_core::client::testing::duo_in_memory();
//! let mut sessions = duo.sessions(Default::default());
//! while let Some(session) = sessions.try_next().await? {
//!     println!("{} {}", session.id(), session.goal.value().unwrap_or("(goal not known)"));
//! }
//! # Ok(()) }
//! ```
//!
//! Imports run downwards: [`rules`] uses nothing of ours, [`model`] uses the rules, [`gateway`] and
//! [`view`] use the model, [`actions`] may use all of them, and [`client`] calls the actions.
//!
//! # What may grow
//!
//! GitLab grows, and this crate with it. Enums of GitLab's words (statuses, kinds, types) are
//! `#[non_exhaustive]` and keep what is new in a variant of its own; results and errors, which only
//! this crate makes, are `#[non_exhaustive]` structs. What an implementation of the port makes or has
//! to understand is not: there a new field or case must not be overlooked.
//!
//! # Features
//!
//! `testing`: a GitLab in memory and a clock that passes at once (`client::testing`, `gateway::testing`).

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod actions;
pub mod client;
pub mod gateway;
pub mod model;
pub mod rules;
pub mod view;

/// The programs of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
