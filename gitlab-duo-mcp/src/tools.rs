//! The tools at work: how they are listed, and what happens when one is called.

pub(crate) mod decide;
mod form;
pub(crate) mod icon;
pub(crate) mod listing;
pub(crate) mod revision;
pub(crate) mod run;
pub(crate) mod write;
