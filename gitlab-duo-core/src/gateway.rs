//! The port: what core asks of a GitLab, in the words of the domain.

pub mod error;
pub mod reader;
pub mod request;
pub mod writer;
