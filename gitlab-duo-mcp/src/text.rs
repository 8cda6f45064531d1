//! What a person or model reads beside the structured result: a few plain lines, in which text from
//! GitLab is always quoted so that it cannot pass for ours.

pub(crate) mod catalog;
pub(crate) mod error;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod outcome;
pub(crate) mod question;
pub(crate) mod session;
pub(crate) mod tool_arguments;
pub(crate) mod transcript;
