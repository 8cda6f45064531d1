//! The port: what core asks of a GitLab, in the words of the domain.

pub mod error;
pub mod reader;
pub mod request;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod writer;
