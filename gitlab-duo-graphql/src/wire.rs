//! The way to GitLab: one HTTP client, bounded answers, reads that may be repeated and writes that never are.

pub(crate) mod answer;
pub(crate) mod connection;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod graphql;
pub(crate) mod graphql_error;
pub(crate) mod log;
pub(crate) mod memory;
pub(crate) mod presence;
pub(crate) mod proxy;
pub(crate) mod read;
pub(crate) mod refusal;
pub(crate) mod rest;
pub(crate) mod retry_after;
pub(crate) mod version;
pub(crate) mod words;
pub(crate) mod write;
