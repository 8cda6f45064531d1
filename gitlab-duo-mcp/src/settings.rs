//! Settings: flags before the environment before the settings file, read once at the start. A wrong
//! one stops the start with a line that names it and what is accepted; values are never repeated,
//! since any of them may hold a secret by mistake.

pub mod command_line;
pub mod confirm;
pub mod environment;
pub mod file;
pub mod http;
pub mod layers;
pub mod policy;
pub mod read;
pub mod table;
pub mod task;
pub mod token;
pub mod wrong;
