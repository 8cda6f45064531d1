//! Completion: what a person may mean while they type. It is help and never fails: what cannot be
//! read is not offered.

pub(crate) mod cache;
pub(crate) mod choose;
pub(crate) mod known;
pub(crate) mod offer;
