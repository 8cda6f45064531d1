//! Statuses of a session: the nine that GitLab has, and whatever it will add.

use std::fmt;

use crate::rules::limits::{POLL_CREATED_SECONDS, POLL_RUNNING_SECONDS};

/// The status of a session, by GitLab's `statusName`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// Waits for its CI job.
    Created,
    /// Runs.
    Running,
    /// Paused. GitLab's resume route refuses it.
    Paused,
    /// Ended well.
    Finished,
    /// Ended badly. It may have changed things before.
    Failed,
    /// Ended by a person.
    Stopped,
    /// Waits for an answer.
    InputRequired,
    /// Waits for a yes to its plan.
    PlanApprovalRequired,
    /// Waits for a yes to tool calls.
    ToolCallApprovalRequired,
    /// A status that this version does not know, as it came.
    Other(String),
}

const KNOWN: [(&str, Status); 9] = [
    ("created", Status::Created),
    ("running", Status::Running),
    ("paused", Status::Paused),
    ("finished", Status::Finished),
    ("failed", Status::Failed),
    ("stopped", Status::Stopped),
    ("input_required", Status::InputRequired),
    ("plan_approval_required", Status::PlanApprovalRequired),
    ("tool_call_approval_required", Status::ToolCallApprovalRequired),
];

impl Status {
    /// The nine statuses with their names, in the order of GitLab's codes 0 to 8.
    #[must_use]
    pub fn known() -> &'static [(&'static str, Self)] {
        &KNOWN
    }

    /// Reads a status in any of GitLab's spellings: `input_required`, `INPUT_REQUIRED`, `input required`.
    ///
    /// ```
    /// use gitlab_duo_core::model::status::Status;
    ///
    /// assert_eq!(Status::read("INPUT_REQUIRED"), Status::InputRequired);
    /// assert_eq!(Status::read("input required"), Status::InputRequired);
    /// assert_eq!(Status::read("compacting"), Status::Other("compacting".to_owned()));
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Self {
        let name = text.trim().to_ascii_lowercase().replace(' ', "_");
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        known.map_or_else(|| Self::Other(text.trim().to_owned()), |(_, status)| status.clone())
    }

    /// GitLab's lower-case name; an unknown status as it came.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Created => "created",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::InputRequired => "input_required",
            Self::PlanApprovalRequired => "plan_approval_required",
            Self::ToolCallApprovalRequired => "tool_call_approval_required",
            Self::Other(text) => text,
        }
    }

    /// Whether the session has ended; none when the status is unknown here.
    #[must_use]
    pub fn is_terminal(&self) -> Option<bool> {
        match self {
            Self::Finished | Self::Failed | Self::Stopped => Some(true),
            Self::Other(_) => None,
            _ => Some(false),
        }
    }

    /// Seconds until the next look is worth it; none when waiting for a person, paused, ended or unknown.
    #[must_use]
    pub fn poll_after_seconds(&self) -> Option<u32> {
        match self {
            Self::Created => Some(POLL_CREATED_SECONDS),
            Self::Running => Some(POLL_RUNNING_SECONDS),
            _ => None,
        }
    }

    /// The group of this status; none when the status is unknown here.
    #[must_use]
    pub fn group(&self) -> Option<StatusGroup> {
        Some(match self {
            Self::Created | Self::Running => StatusGroup::Active,
            Self::Paused => StatusGroup::Paused,
            Self::Finished => StatusGroup::Completed,
            Self::Failed => StatusGroup::Failed,
            Self::Stopped => StatusGroup::Canceled,
            Self::InputRequired | Self::PlanApprovalRequired | Self::ToolCallApprovalRequired => {
                StatusGroup::AwaitingInput
            }
            Self::Other(_) => return None,
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A group of statuses (GitLab's `statusGroup`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatusGroup {
    /// Created or running.
    Active,
    /// Paused.
    Paused,
    /// At one of the three checkpoints.
    AwaitingInput,
    /// Finished.
    Completed,
    /// Failed.
    Failed,
    /// Stopped.
    Canceled,
    /// A group that this version does not know, in lower case.
    Other(String),
}

/// Names of the groups that can be asked for.
pub const STATUS_GROUPS: [&str; 6] =
    ["active", "paused", "awaiting_input", "completed", "failed", "canceled"];

impl StatusGroup {
    /// Reads a group in GitLab's spelling or in lower case.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let name = text.trim().to_ascii_lowercase();
        match name.as_str() {
            "active" => Self::Active,
            "paused" => Self::Paused,
            "awaiting_input" => Self::AwaitingInput,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "canceled" => Self::Canceled,
            _ => Self::Other(name),
        }
    }

    /// The name in lower case.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::AwaitingInput => "awaiting_input",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Other(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_groups_follow_gitlab() {
        for (name, status) in Status::known() {
            assert_eq!(status.name(), *name);
            assert_eq!(Status::read(&name.to_ascii_uppercase()), *status);
            assert_eq!(Status::read(&name.replace('_', " ")), *status);
            let group = status.group().map(|group| group.name().to_owned());
            assert!(STATUS_GROUPS.contains(&group.as_deref().unwrap_or("")), "{name}");
        }
    }

    #[test]
    fn an_unknown_status_promises_nothing() {
        let status = Status::read("compacting");
        assert_eq!((status.is_terminal(), status.group(), status.poll_after_seconds()), (None, None, None));
        assert_eq!(Status::read("IDLE").name(), "IDLE");
    }
}
