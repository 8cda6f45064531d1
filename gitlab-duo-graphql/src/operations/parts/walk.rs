//! Finds a session where GitLab has no look-up by id (before 18.5): in the newest pages of the caller's own list.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::ids::{ProjectId, WorkflowId};
use gitlab_duo_core::model::page::Unavailable;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::model::session::SessionRow;
use gitlab_duo_core::model::status::StatusGroup;
use gitlab_duo_core::rules::limits::{WALK_PAGE_ROWS, WALK_PAGES};

use super::rows::session_row;
use crate::generated::list_sessions::list_sessions::{ListSessionsDuoWorkflowWorkflows, Variables};
use crate::generated::list_sessions::{ListSessions, OPERATION};
use crate::wire::connection::Wire;
use crate::wire::document::{Document, Operation};

/// What became of the walk.
pub(crate) enum Walked {
    /// The row, and the document that brought it.
    Found(Box<SessionRow>, &'static Document),
    /// All rows were looked at.
    Absent,
    /// There are more rows than are looked at.
    GaveUp { rows: u32 },
}

/// Looks at the newest rows, page by page.
pub(crate) async fn walk(wire: &Wire, id: WorkflowId) -> Result<Walked, ReadError> {
    let mut after = None;
    let mut rows = 0;
    for _ in 0..WALK_PAGES {
        let variables = |_: &Document| Variables {
            first: Some(i64::from(WALK_PAGE_ROWS)),
            after: after.clone(),
            project_path: None,
            status_group: None,
            statuses: None,
        };
        let reply = wire.query::<ListSessions>(&OPERATION, variables).await?;
        let document = reply.document;
        let page = reply.data.as_ref().and_then(|data| data.duo_workflow_workflows.as_ref());
        let Some((page, nodes)) = page.and_then(|page| Some((page, page.nodes.as_ref()?))) else {
            return Err(reply.error());
        };
        let mut found = nodes.iter().flatten().filter_map(|node| session_row!(node));
        if let Some(row) = found.find(|row| row.id == id) {
            return Ok(Walked::Found(Box::new(row), document));
        }
        rows += u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        match next(page) {
            Next::End => return Ok(Walked::Absent),
            Next::Page(_) if reply.is_last_of_window => break,
            Next::Page(cursor) if after.as_ref() != Some(&cursor) => after = Some(cursor),
            Next::Page(_) | Next::Unknown => break,
        }
    }
    Ok(Walked::GaveUp { rows })
}

/// Details of `operation` that a row of the list does not carry.
pub(crate) fn unavailable(operation: &Operation, row: &Document) -> Vec<Unavailable> {
    let is_in_row = |name: &str| {
        let known = OPERATION.details.iter().any(|detail| detail.name == name);
        known && !row.missing.iter().any(|missing| missing.name == name)
    };
    let missing = operation.details.iter().filter(|detail| !is_in_row(detail.name));
    missing.map(|detail| detail.unavailable()).collect()
}

enum Next {
    End,
    Page(String),
    Unknown,
}

fn next(page: &ListSessionsDuoWorkflowWorkflows) -> Next {
    let info = page.page_info.as_ref();
    match (info.and_then(|info| info.has_next_page), info.and_then(|info| info.end_cursor.clone())) {
        (Some(false), _) => Next::End,
        (Some(true), Some(cursor)) => Next::Page(cursor),
        _ => Next::Unknown,
    }
}
