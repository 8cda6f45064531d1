//! What several answers have in common.

pub(super) mod accepted;
pub(super) mod rows;
pub(super) mod walk;
