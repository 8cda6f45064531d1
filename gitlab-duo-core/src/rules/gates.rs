//! Which feature exists since which GitLab: one table, checked by the compiler.

use std::fmt;

use crate::rules::version::{GitLabVersion, Release};

/// Something that only newer instances can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Read and list sessions.
    ReadSessions,
    /// Discover agents and flows.
    Discover,
    /// Start a catalog flow by consumer.
    StartConsumer,
    /// Start by foundational reference; the reference is readable from there on.
    StartFlow,
    /// Stop a session.
    Stop,
    /// Send input at `input_required`.
    AnswerInput,
    /// Send input at plan and tool-call checkpoints.
    AnswerApproval,
    /// Start foundational agents.
    StartAgent,
    /// GitLab resolves branch and context of URL-targeted flows itself.
    ResolveTarget,
    /// Goals of more than 16,384 characters.
    LongGoal,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// The feature.
    pub feature: Feature,
    /// The first release that has it.
    pub since: Release,
    /// What it grants; refusals and the README print this.
    pub grants: &'static str,
}

/// Every gate, oldest first.
///
/// Sources: GitLab's GraphQL reference of each release and the REST code of 18.9, 19.3 and 19.5.
pub const GATES: [Gate; 10] = [
    gate(Feature::ReadSessions, 17, 3, "read and list sessions"),
    gate(Feature::Discover, 18, 5, "discover agents and flows"),
    gate(Feature::StartConsumer, 18, 7, "start a catalog flow by consumer"),
    gate(Feature::StartFlow, 18, 9, "start by foundational reference"),
    gate(Feature::Stop, 18, 9, "stop a session"),
    gate(Feature::AnswerInput, 19, 4, "send input at `input_required`"),
    gate(Feature::AnswerApproval, 19, 5, "send input at plan and tool-call checkpoints"),
    gate(Feature::StartAgent, 19, 5, "start foundational agents"),
    gate(Feature::ResolveTarget, 19, 5, "GitLab resolves branch and context of URL-targeted flows itself"),
    gate(Feature::LongGoal, 19, 5, "goals of more than 16,384 characters"),
];

const fn gate(feature: Feature, major: u16, minor: u16, grants: &'static str) -> Gate {
    Gate { feature, since: Release::new(major, minor), grants }
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses a bad index")]
const _: () = {
    let mut row = 0;
    while row < GATES.len() {
        assert!(GATES[row].feature as usize == row, "each feature has one row, in the order of the enum");
        assert!(row == 0 || !GATES[row].since.is_before(GATES[row - 1].since), "oldest first");
        row += 1;
    }
};

impl Feature {
    /// The row of this feature.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "the constant above proves that every feature has its row")]
    pub fn gate(self) -> &'static Gate {
        &GATES[self as usize]
    }
}

/// What an instance can do, by its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    version: GitLabVersion,
}

impl Support {
    /// The support of an instance that printed `version`. One whose version is unreadable counts as
    /// the oldest supported release.
    #[must_use]
    pub fn of(version: GitLabVersion) -> Self {
        Self { version }
    }

    /// The version as the instance printed it.
    #[must_use]
    pub fn version(&self) -> &GitLabVersion {
        &self.version
    }

    /// The release that gates and documents go by.
    #[must_use]
    pub fn release(&self) -> Release {
        self.version.release().unwrap_or(Feature::ReadSessions.gate().since)
    }

    /// Whether the instance has `feature`.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        !self.release().is_before(feature.gate().since)
    }

    /// Refuses what the instance does not have.
    ///
    /// # Errors
    /// [`ClosedGate`] names the feature, the release it needs and the version found.
    pub fn require(&self, feature: Feature) -> Result<(), ClosedGate> {
        if self.has(feature) { Ok(()) } else { Err(ClosedGate { feature, found: self.version.clone() }) }
    }
}

/// A feature that the instance does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedGate {
    /// The feature asked for.
    pub feature: Feature,
    /// The version of the instance.
    pub found: GitLabVersion,
}

impl fmt::Display for ClosedGate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gate { since, grants, .. } = self.feature.gate();
        write!(formatter, "to {grants} GitLab {since} or newer is needed; this instance is {}", self.found)
    }
}

impl std::error::Error for ClosedGate {}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(version: &str) -> Support {
        Support::of(GitLabVersion::read(version))
    }

    #[test]
    fn a_gate_opens_with_its_release_and_not_before() {
        for gate in &GATES {
            let before = gate.since.previous();
            assert!(support(&format!("{}.0-ee", gate.since)).has(gate.feature), "{:?}", gate.feature);
            assert!(!support(&format!("{before}.9-ee")).has(gate.feature), "{:?}", gate.feature);
            assert!(!support(&format!("{}.0-pre", gate.since)).has(gate.feature), "{:?}", gate.feature);
        }
    }

    #[test]
    fn an_unreadable_version_counts_as_the_oldest() {
        let support = support("nonsense");
        assert!(support.has(Feature::ReadSessions));
        let refusal = support.require(Feature::Discover).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "to discover agents and flows GitLab 18.5 or newer is needed; this instance is unreadable: `nonsense`"
        );
    }
}
