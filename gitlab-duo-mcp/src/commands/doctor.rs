//! The self-check: what is configured, against what the GitLab says. It only reads.

mod access;
mod check;
mod instance;
mod project;
mod run;

pub use check::{Check, told};
pub use run::{Outside, examine};
