//! What was learnt about an instance's version.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::rules::version::GitLabVersion;
use tokio::sync::Mutex;

/// What was learnt, and the reading in flight. A failure is not remembered, but those who waited for it share it.
#[derive(Default)]
pub(crate) struct VersionMemory {
    pub(crate) known: OnceLock<GitLabVersion>,
    pub(crate) failures: AtomicU64,
    pub(crate) reading: Mutex<Option<ReadError>>,
}
