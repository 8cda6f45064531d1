//! What may be done: one file per ability, each reading like its description.

pub mod agents_and_flows;
mod duplicates;
mod flows;
pub mod get_session;
pub mod list_sessions;
mod projects;
pub mod read_transcript;
pub mod send_input;
mod start_goal;
pub mod start_session;
mod start_target;
pub mod stop_session;
pub mod wait_session;
