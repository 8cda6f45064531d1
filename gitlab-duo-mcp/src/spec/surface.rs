//! Which set of tools is offered.

/// A set of tools. The same abilities of core stand behind each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Surface {
    /// Two tools with actions: one that browses, one that changes.
    Compact,
}

impl Surface {
    /// The names that can be configured.
    pub const NAMES: [&'static str; 1] = ["compact"];

    /// Reads one of [`Self::NAMES`].
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        match name {
            "compact" => Some(Self::Compact),
            _ => None,
        }
    }
}
