//! What the agreed revision of the protocol has.

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;

/// The features that differ between revisions, as far as this server uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    /// 2024-11-05: text only.
    Plain,
    /// 2025-03-26: hints.
    Hints,
    /// 2025-06-18: titles, output schemas, structured results.
    Structured,
    /// Since 2025-11-25: icons.
    Icons,
}

impl Revision {
    /// The revision of a request; the oldest when nothing was agreed.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        context.protocol_version().map_or(Self::Plain, |version| Self::of_version(&version))
    }

    pub(crate) fn of_version(version: &ProtocolVersion) -> Self {
        let is_since = |first: &ProtocolVersion| version.as_str() >= first.as_str();
        if is_since(&ProtocolVersion::V_2025_11_25) {
            Self::Icons
        } else if is_since(&ProtocolVersion::V_2025_06_18) {
            Self::Structured
        } else if is_since(&ProtocolVersion::V_2025_03_26) {
            Self::Hints
        } else {
            Self::Plain
        }
    }

    /// Whether tools carry hints.
    pub(crate) fn has_annotations(self) -> bool {
        self != Self::Plain
    }

    /// Whether there are titles, output schemas and structured results.
    pub(crate) fn has_structured(self) -> bool {
        self >= Self::Structured
    }

    /// Whether there are icons.
    pub(crate) fn has_icons(self) -> bool {
        self >= Self::Icons
    }
}
