//! Finds the session that a start would only repeat.

use jiff::{SignedDuration, Timestamp};

use crate::gateway::reader::DuoReader;
use crate::gateway::request::SessionQuery;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::page::PageSize;
use crate::model::project::Project;
use crate::model::session::SessionRow;
use crate::model::status::Status;
use crate::rules::limits::{DUPLICATE_MINUTES, DUPLICATE_ROWS};

/// What makes two starts the same.
pub(super) struct Sameness<'a> {
    pub(super) project: &'a Project,
    /// The `workflowDefinition` that the new session would have; none when it is not known.
    pub(super) flow: Option<&'a str>,
    /// The name of a custom flow, since all of them share one definition.
    pub(super) name: Option<&'a str>,
    pub(super) goal: &'a str,
    pub(super) now: Timestamp,
}

/// Refuses a start that the caller made already, a moment ago, and that has not ended.
///
/// # Errors
/// `duplicate` with the session's id, and whatever the list fails with: a start that cannot be
/// checked is not made.
pub(super) async fn refuse_duplicate(reader: &dyn DuoReader, start: &Sameness<'_>) -> Result<(), DuoError> {
    let first = PageSize::new(DUPLICATE_ROWS).unwrap_or_default();
    let query = SessionQuery { project: Some(start.project.path.clone()), first, ..SessionQuery::default() };
    let page = reader.sessions(&query).await?.value;
    match page.rows.iter().find(|row| start.is_repeated_by(row)) {
        None => Ok(()),
        Some(row) => Err(DuoError {
            workflow_id: Some(row.id),
            status: row.status.clone(),
            ..DuoError::new(
                ErrorKind::Duplicate,
                format!(
                    "session {} was started less than {DUPLICATE_MINUTES} minutes ago with the same project, flow and goal",
                    row.id
                ),
            )
        }),
    }
}

impl Sameness<'_> {
    fn is_repeated_by(&self, row: &SessionRow) -> bool {
        let is_of_project = row.project.id.is_none_or(|id| id == self.project.id);
        let has_flow = match (self.flow, row.flow.as_deref()) {
            (Some(wanted), Some(given)) => wanted == given,
            _ => true,
        };
        let has_name = match (self.name, row.agent_name.as_deref()) {
            (Some(wanted), Some(given)) => wanted == given,
            _ => true,
        };
        // What is not known does not make two starts differ, but the goal must be the same.
        let has_goal = row.goal.as_deref().is_some_and(|goal| goal.trim() == self.goal.trim());
        is_of_project && has_flow && has_name && has_goal && self.is_recent(row) && !has_ended(row)
    }

    fn is_recent(&self, row: &SessionRow) -> bool {
        let window = SignedDuration::from_mins(DUPLICATE_MINUTES);
        row.created_at.is_some_and(|created_at| self.now.duration_since(created_at) < window)
    }
}

fn has_ended(row: &SessionRow) -> bool {
    row.status.as_ref().and_then(Status::is_terminal) == Some(true)
}
