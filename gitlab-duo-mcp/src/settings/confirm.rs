//! When a person is asked before a write.

use std::time::Duration;

/// Seconds that a person may take when nothing is said.
const DEFAULT_SECONDS: u64 = 300;

/// When a person is asked, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirm {
    /// When.
    pub mode: ConfirmMode,
    /// How long an answer is waited for; after that nothing is sent.
    pub patience: Duration,
}

/// When a person is asked before a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfirmMode {
    /// Before approvals and stops, where the client can ask; elsewhere the write goes on.
    #[default]
    Approvals,
    /// Before every write; where the client cannot ask, the write is refused.
    Always,
    /// Never.
    Never,
}

impl Default for Confirm {
    fn default() -> Self {
        Self { mode: ConfirmMode::default(), patience: Duration::from_secs(DEFAULT_SECONDS) }
    }
}
