//! What a project offers.

use serde::Serialize;

use crate::model::catalog::Eligibility;
use crate::model::ids::ConsumerId;
use crate::model::selector::{AgentReference, Selector};
use crate::rules::limits::{FAILURE_CHARS, OFFERED_NAMES};
use crate::view::page::{PageInfoView, UnavailableView};
use crate::view::text::{Pen, TextField, is_zero};

/// A page of agents and flows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CatalogView {
    /// The project that was meant.
    pub project: String,
    /// The rows; foundational agents first.
    pub items: Vec<CatalogItemView>,
    /// How the list goes on: an empty page may have a next one.
    #[serde(rename = "pageInfo")]
    pub page_info: PageInfoView,
    /// Whether sessions can run here.
    pub eligibility: EligibilityView,
    /// What this program has to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Details that this instance does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<UnavailableView>,
    /// Invisible characters taken out of the texts above.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

/// An agent or flow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CatalogItemView {
    /// Its name; null when the item is gone or hidden.
    #[serde(flatten)]
    pub name: TextField,
    /// What it does, a preview.
    #[serde(flatten)]
    pub description: TextField,
    /// `agent`, `flow`, `third_party_flow`, or a new type as it came.
    #[serde(flatten)]
    pub item_type: TextField,
    /// Whether GitLab itself provides it.
    pub foundational: Option<bool>,
    /// The reference of a foundational flow: a selector.
    pub flow: Option<String>,
    /// The reference of a foundational agent: a selector.
    pub agent: Option<String>,
    /// The consumer id of a flow that can, or might, be started: a selector.
    pub consumer_id: Option<String>,
    /// Whether a session can be started with it; null when GitLab cannot tell.
    pub can_start_session: Option<bool>,
    /// Why it cannot, or might not; null when it can.
    pub why_not: Option<String>,
    /// The page whose URL it needs: `pipeline`, `merge_request`, or null.
    pub requires_url: Option<&'static str>,
}

impl CatalogItemView {
    /// What starts a session of this row; none when it cannot be started, or offers nothing to
    /// start it by. Where GitLab cannot tell whether it can, there is one.
    #[must_use]
    pub fn selector(&self) -> Option<Selector> {
        if self.can_start_session == Some(false) {
            return None;
        }
        let consumer = self.consumer_id.as_deref().and_then(|id| ConsumerId::parse(id).ok());
        let agent = self.agent.as_deref().and_then(AgentReference::new);
        consumer.map(Selector::Consumer).or_else(|| agent.map(Selector::Agent))
    }
}

/// Facts of a project that decide whether sessions run there; null where GitLab did not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EligibilityView {
    /// Duo features are on.
    pub duo_features_enabled: Option<bool>,
    /// The Duo Agent Platform is usable for this caller.
    pub agent_platform_enabled: Option<bool>,
    /// Flow execution in CI is on.
    pub remote_flows_enabled: Option<bool>,
    /// Foundational flows are on.
    pub foundational_flows_enabled: Option<bool>,
    /// The caller has the minimum role.
    pub minimum_access: Option<bool>,
    /// A fitting runner is online.
    pub runner_available: Option<bool>,
    /// GitLab Credits are left.
    pub credits_available: Option<bool>,
    /// The project is archived.
    pub archived: Option<bool>,
    /// GitLab's checks that failed, in its own words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_checks: Vec<String>,
}

impl EligibilityView {
    /// The bounded view.
    pub fn of(eligibility: &Eligibility, pen: &mut Pen) -> Self {
        let checks = eligibility.failed_checks.iter().take(OFFERED_NAMES);
        Self {
            duo_features_enabled: eligibility.duo_features_enabled,
            agent_platform_enabled: eligibility.agent_platform_enabled,
            remote_flows_enabled: eligibility.remote_flows_enabled,
            foundational_flows_enabled: eligibility.foundational_flows_enabled,
            minimum_access: eligibility.minimum_access,
            runner_available: eligibility.runner_available,
            credits_available: eligibility.credits_available,
            archived: eligibility.archived,
            failed_checks: checks.map(|check| pen.clipped(check, FAILURE_CHARS).text).collect(),
        }
    }
}
