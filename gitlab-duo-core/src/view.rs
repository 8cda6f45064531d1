//! What a caller is told: bounded, cleaned of invisible characters, serializable.

pub mod catalog;
pub mod checkpoint;
pub mod created;
pub mod error;
pub mod list;
pub mod outcome;
pub mod page;
pub mod session;
pub mod text;
pub mod transcript;
