//! Conversations with the server: in process against a GitLab in memory, and with the program itself.

mod cancel;
mod client;
mod eras;
mod foreign_text;
mod listing;
mod policy;
mod process;
mod results;
mod size;
mod trouble;
mod wire;
mod world;
