//! The tools at work: how they are listed, and what happens when one is called.

mod form;
pub(crate) mod icon;
pub(crate) mod listing;
pub(crate) mod revision;
pub(crate) mod run;
