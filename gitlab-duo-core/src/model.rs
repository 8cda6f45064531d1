//! The domain: what GitLab's Duo sessions are made of, parsed once and never loose again.

pub mod catalog;
pub mod checkpoint;
pub mod error;
pub mod ids;
pub mod instance;
pub mod page;
pub mod project;
pub mod scope;
pub mod seen;
pub mod selector;
pub mod session;
pub mod status;
pub mod target;
