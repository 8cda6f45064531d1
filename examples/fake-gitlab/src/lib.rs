//! A GitLab that answers over real HTTP on loopback and plays GitLab Duo Agent Platform sessions.
//!
//! It knows GitLab, in seven releases, and nothing of its users. Sessions live along scripts and
//! move only when [`FakeGitLab::advance`] lets time pass; faults happen only when injected.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! use fake_gitlab::FakeGitLab;
//! use std::time::Duration;
//!
//! let gitlab = FakeGitLab::builder().version("19.4.0-ee").start().await?;
//! assert!(gitlab.url().starts_with("http://127.0.0.1:"));
//! gitlab.advance(Duration::from_secs(30));
//! assert_eq!(gitlab.now().to_string(), "2026-10-20T09:25:10Z");
//! # Ok(()) }
//! ```

mod auth;
mod builder;
mod clock;
mod encoding;
mod fault;
mod gitlab;
mod graphql;
mod rest;
mod shared;
mod version;
mod wire;
pub mod world;

pub use builder::Builder;
pub use fault::Fault;
pub use gitlab::FakeGitLab;
pub use version::Version;
pub use wire::{LoggedRequest, Outcome};
pub use world::{TokenSpec, World};
