//! GitLab Duo Agent Platform sessions over a real GitLab: core's port, by typed GraphQL queries and the few REST
//! calls that GitLab has no query for.
//!
//! ```no_run
//! use gitlab_duo_graphql::gateway::GitLab;
//!
//! # async fn example(token: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let duo = GitLab::connect("https://gitlab.example.com", token)?;
//! let started = duo.start("acme/api").flow("developer/v1").goal("Fix the failing tests").send().await?;
//! let mut states = duo.watch(started.id());
//! while let Some(session) = states.try_next().await? {
//!     println!("{}", session.status.value().unwrap_or("unknown"));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What [`Duo`](gitlab_duo_core::client::duo::Duo) offers is the same over every port; the port itself, without
//! policy and gates, is [`gateway::GitLab`].
//!
//! Layers, imports run downwards: [`connect`] over [`gateway`] over `operations` over `wire`. Nothing is sent before the first call.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod builder;
pub mod connect;
pub mod facts;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod gateway;
#[rustfmt::skip]
mod generated;
mod operations;
mod scalars;
#[cfg(test)]
mod search;
pub mod time;
pub mod token;
mod wire;

/// The programs of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
