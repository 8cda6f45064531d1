//! Which set of tools is offered.

/// A set of tools. The same abilities of core stand behind each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Surface {
    /// Two tools with actions: one that browses, one that changes.
    Compact,
    /// The tools of GitLab's own MCP server, under their names, and one that stops.
    GitLab,
}

impl Surface {
    /// The names that can be configured.
    pub const NAMES: [&'static str; 2] = ["compact", "gitlab"];

    /// Reads one of [`Self::NAMES`].
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        match name {
            "compact" => Some(Self::Compact),
            "gitlab" => Some(Self::GitLab),
            _ => None,
        }
    }
}
