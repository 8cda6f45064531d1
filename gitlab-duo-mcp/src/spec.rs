//! What the tools are: data, from which the tool list, the parser and the tests are made.

pub(crate) mod choices;
pub(crate) mod compact;
pub(crate) mod gitlab;
mod gitlab_output;
pub(crate) mod icon;
pub(crate) mod input;
pub(crate) mod output;
pub mod surface;
pub(crate) mod table;
pub(crate) mod tool;
