//! Prompts: the usual jobs, told to a model call by call. Making one asks GitLab nothing.

pub(crate) mod arguments;
pub(crate) mod calls;
pub(crate) mod given;
pub(crate) mod listing;
pub(crate) mod spec;
pub(crate) mod table;
mod texts;
