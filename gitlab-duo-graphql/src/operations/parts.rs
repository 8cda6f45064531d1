//! What several answers have in common.

pub(crate) mod accepted;
pub(super) mod rows;
pub(super) mod walk;
