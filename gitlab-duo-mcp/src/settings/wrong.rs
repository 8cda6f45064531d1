//! What is said when a setting is wrong.

use std::fmt;

/// A setting that stops the start: its name and what is accepted, never its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSetting {
    setting: String,
    accepted: String,
}

impl WrongSetting {
    /// A wrong `setting`, with what is accepted for it.
    #[must_use]
    pub fn new(setting: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { setting: setting.into(), accepted: accepted.into() }
    }
}

impl fmt::Display for WrongSetting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.setting, self.accepted)
    }
}

impl std::error::Error for WrongSetting {}
