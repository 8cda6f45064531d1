//! GitLab Duo Agent Platform sessions over a real GitLab: core's port, by typed GraphQL queries and the few REST
//! calls that GitLab has no query for.
//!
//! ```no_run
//! use gitlab_duo_core::gateway::reader::DuoReader;
//! use gitlab_duo_core::gateway::request::SessionQuery;
//! use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
//! use gitlab_duo_graphql::gateway::GitLab;
//! use gitlab_duo_graphql::token::StaticToken;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let url = InstanceUrl::parse("https://gitlab.example.com", PlainHttp::LoopbackOnly)?;
//! let gitlab = GitLab::builder(url).token(StaticToken::new("glpat-example")).build()?;
//! let page = gitlab.sessions(&SessionQuery::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Layers, imports run downwards: [`gateway`] over `operations` over `wire`. Nothing is sent before the first call.

pub mod builder;
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
pub mod token;
mod wire;
