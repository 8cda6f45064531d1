//! Settings: a flag before its environment variable, read once at the start. A wrong one stops the
//! start with a line that names it and what is accepted; values are never repeated, since any of
//! them may hold a secret by mistake.

pub mod confirm;
pub mod flags;
pub mod read;
pub mod wrong;
