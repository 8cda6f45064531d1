//! When a person is asked before a write.

use std::time::Duration;

use crate::settings::layers::{Layers, accepted};
use crate::settings::table::{CONFIRM, CONFIRM_SECONDS};
use crate::settings::wrong::WrongSetting;

/// Seconds that a person may take when nothing is said.
const DEFAULT_SECONDS: u64 = 300;
/// Most seconds that a person may take.
const MAX_SECONDS: u64 = 3_600;

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

impl Confirm {
    /// Reads the two settings.
    ///
    /// # Errors
    /// [`WrongSetting`] for an unknown word, or seconds outside their bounds.
    pub fn read(layers: &Layers) -> Result<Self, WrongSetting> {
        let seconds = layers.seconds(&CONFIRM_SECONDS, 1..=MAX_SECONDS)?.unwrap_or(DEFAULT_SECONDS);
        let mode = layers.first(&CONFIRM, mode)?.unwrap_or_default();
        Ok(Self { mode, patience: Duration::from_secs(seconds) })
    }
}

impl Default for Confirm {
    fn default() -> Self {
        Self { mode: ConfirmMode::default(), patience: Duration::from_secs(DEFAULT_SECONDS) }
    }
}

fn mode(text: &str) -> Result<ConfirmMode, String> {
    match text {
        "approvals" => Ok(ConfirmMode::Approvals),
        "always" => Ok(ConfirmMode::Always),
        "never" => Ok(ConfirmMode::Never),
        _ => Err(accepted(&CONFIRM)),
    }
}
