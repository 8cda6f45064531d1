//! What a project offers: consumers of catalog items, foundational agents, and whether sessions can run.

use crate::model::ids::{CatalogItemId, ConsumerId};
use crate::model::project::ProjectPath;
use crate::model::selector::{AgentReference, FlowReference};

/// The type of a catalog item.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemType {
    /// An agent.
    Agent,
    /// A flow.
    Flow,
    /// An external agent, run as a flow.
    ThirdPartyFlow,
    /// An agent that GitLab itself provides.
    FoundationalAgent,
    /// A type that this version does not know, in lower case.
    Other(String),
}

impl ItemType {
    /// Reads GitLab's spelling (`THIRD_PARTY_FLOW`) or the lower-case one.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let name = text.trim().to_ascii_lowercase();
        match name.as_str() {
            "agent" => Self::Agent,
            "flow" => Self::Flow,
            "third_party_flow" => Self::ThirdPartyFlow,
            "foundational_agent" => Self::FoundationalAgent,
            _ => Self::Other(name),
        }
    }

    /// The name in results: foundational agents are agents there.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Agent | Self::FoundationalAgent => "agent",
            Self::Flow => "flow",
            Self::ThirdPartyFlow => "third_party_flow",
            Self::Other(text) => text,
        }
    }
}

/// A type that a caller may ask for. Exhaustive on purpose: whoever implements the port has to know each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemFilter {
    /// Agents, foundational ones included.
    Agent,
    /// Flows.
    Flow,
    /// External agents.
    ThirdPartyFlow,
}

impl ItemFilter {
    /// The names that can be asked for.
    pub const NAMES: [&'static str; 3] = ["agent", "flow", "third_party_flow"];

    /// Reads one of [`Self::NAMES`].
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text {
            "agent" => Some(Self::Agent),
            "flow" => Some(Self::Flow),
            "third_party_flow" => Some(Self::ThirdPartyFlow),
            _ => None,
        }
    }
}

/// A catalog item enabled somewhere. Every part may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consumer {
    /// Its id; none for the made-up rows that GitLab gives negative ids.
    pub id: Option<ConsumerId>,
    /// Whether it is switched on; GitLab lists those that are off as well.
    pub enabled: Option<bool>,
    /// The item; none when it is gone or hidden.
    pub item: Option<CatalogItem>,
    /// The full path of the project it is enabled in; none for one of a group.
    pub project_path: Option<ProjectPath>,
    /// Whether the pinned version is a release, not a draft.
    pub released: Option<bool>,
    /// GitLab's own word on whether the caller may execute it (19.5).
    pub may_execute: Option<bool>,
}

/// A catalog item. Its own id is no selector, so it is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogItem {
    /// Its own id, which is the same wherever it is enabled.
    pub id: Option<CatalogItemId>,
    /// Its name.
    pub name: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// Its type; none when GitLab did not say.
    pub item_type: Option<ItemType>,
    /// Whether GitLab itself provides it.
    pub foundational: Option<bool>,
    /// The reference of a foundational flow.
    pub flow: Option<FlowReference>,
}

/// An agent that GitLab itself provides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundationalAgent {
    /// Its name; not unique.
    pub name: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// Its reference with version, the `workflow_definition` of its sessions.
    pub reference: AgentReference,
}

/// Facts of a project that decide whether sessions run there; none where GitLab did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Eligibility {
    /// Duo features are on.
    pub duo_features_enabled: Option<bool>,
    /// The Duo Agent Platform is usable for this caller.
    pub agent_platform_enabled: Option<bool>,
    /// Flow execution in CI is on.
    pub remote_flows_enabled: Option<bool>,
    /// Foundational flows are on.
    pub foundational_flows_enabled: Option<bool>,
    /// The caller has the minimum role to run sessions in CI.
    pub minimum_access: Option<bool>,
    /// A fitting runner is online.
    pub runner_available: Option<bool>,
    /// GitLab Credits are left.
    pub credits_available: Option<bool>,
    /// The project is archived.
    pub archived: Option<bool>,
    /// GitLab's checks that failed, in its own words.
    pub failed_checks: Vec<String>,
}
