//! The tools: data, and what happens when one is called.

pub(crate) mod compact;
pub(crate) mod input;
pub(crate) mod listing;
pub(crate) mod output;
pub(crate) mod run;
pub(crate) mod spec;
pub mod surface;
