//! Resolves and admits the project of a call or of a session, before any detail is fetched.

use crate::gateway::reader::DuoReader;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::project::{Project, ProjectLink, ProjectRef};
use crate::model::scope::Scope;

/// The project that a caller named, resolved and admitted.
pub(super) async fn admitted_project(
    reader: &dyn DuoReader,
    scope: &Scope,
    project: &ProjectRef,
) -> Result<Project, DuoError> {
    let found = reader.project(project).await?.ok_or_else(|| no_such_project(project))?;
    scope.admit(&found)?;
    Ok(found)
}

fn no_such_project(project: &ProjectRef) -> DuoError {
    DuoError::new(ErrorKind::NotFound, format!("project `{project}` does not exist, or you may not see it"))
}

/// Admits a session by its real project, without fetching any detail of it. One request, and
/// none at all when nothing is restricted.
pub(super) async fn admit_session(
    reader: &dyn DuoReader,
    scope: &Scope,
    id: WorkflowId,
) -> Result<(), DuoError> {
    if !scope.restricts_projects() {
        return Ok(());
    }
    let project = reader.session_project(id).await?.ok_or_else(|| no_such_session(id))?;
    // An operator's list is checked before anything else is looked up for this session.
    scope.admit_allowed(project.id)?;
    let project = completed(reader, project).await?;
    Ok(scope.admit_link(&project)?)
}

/// The link with its path, looked up when the instance gives only the id. A project that is gone or
/// hidden leaves the link as it was.
pub(super) async fn completed(reader: &dyn DuoReader, link: ProjectLink) -> Result<ProjectLink, DuoError> {
    match (link.id, &link.path) {
        (Some(id), None) => {
            let found = reader.project(&ProjectRef::Id(id)).await?;
            Ok(found.map_or(link, ProjectLink::from))
        }
        _ => Ok(link),
    }
}

pub(super) fn no_such_session(id: WorkflowId) -> DuoError {
    DuoError::new(
        ErrorKind::NotFound,
        format!("session {id} does not exist, is older than GitLab keeps sessions, or is not visible to you"),
    )
}
