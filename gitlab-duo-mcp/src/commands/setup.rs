//! Sets up an MCP client: prints its configuration, or merges it into the client's file. A token is
//! never written, only where it comes from.

mod client;
mod entry;
mod file;
mod merge;
mod run;

pub use entry::Entry;
pub use file::SetupError;
pub use run::{print, write};
