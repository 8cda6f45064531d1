//! The server over HTTP, with a fake GitLab behind it.

mod crowd;
mod door;
mod peer;
mod program;
mod protocol;
mod readiness;
mod replicas;
mod slow;
