//! The project of a session and nothing else of it: a restriction is checked before any detail is asked for.

use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{ProjectId, WorkflowId};
use gitlab_duo_core::model::project::ProjectLink;

use super::parts::rows::{another_session, project_link};
use super::parts::walk::{Walked, walk};
use crate::generated::session_project::session_project::{ResponseData, Variables};
use crate::generated::session_project::{OPERATION, SessionProject};
use crate::scalars::IdText;
use crate::wire::connection::Wire;

/// Reads the project. Where GitLab has no look-up by id and the session is not among the newest rows, that is an
/// error: it is not known.
pub(crate) async fn session_project(wire: &Wire, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
    let support = wire.instance().await?.support;
    if OPERATION.index_for(support.release()).is_none() {
        return match walk(wire, id).await? {
            Walked::Found(row, _) => Ok(Some(row.project)),
            Walked::Absent => Ok(None),
            Walked::GaveUp { rows } => Err(gave_up(rows)),
        };
    }
    let global = IdText::global("Ai::DuoWorkflows::Workflow", id.number());
    let reply =
        wire.query::<SessionProject>(&OPERATION, |_| Variables { workflow_id: global.clone() }).await?;
    match reply.data.as_ref().and_then(|data| link(data, id)) {
        Some(link) => link,
        None if reply.has_code("WORKFLOW_NOT_FOUND") => Ok(None),
        None => Err(reply.error()),
    }
}

fn gave_up(rows: u32) -> ReadError {
    let message = format!(
        "the session is not among your newest {rows} sessions, and this GitLab cannot look one up by its id"
    );
    GatewayError::new(ErrorKind::NotFound, message)
}

/// None when the answer has no list.
fn link(data: &ResponseData, id: WorkflowId) -> Option<Result<Option<ProjectLink>, ReadError>> {
    let nodes = data.duo_workflow_workflows.as_ref()?.nodes.as_ref()?;
    let Some(node) = nodes.iter().flatten().next() else { return Some(Ok(None)) };
    let found = node.id.as_ref().and_then(|id| WorkflowId::parse(id.as_str()).ok());
    Some(if found == Some(id) { Ok(Some(project_link!(node))) } else { Err(another_session()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Result<Option<ProjectLink>, ReadError>> {
        link(&serde_json::from_str(json).unwrap(), WorkflowId::new(73).unwrap())
    }

    #[test]
    fn only_the_session_asked_for_is_looked_at() {
        let rows = r#"{"duoWorkflowWorkflows":{"nodes":[{"id":"73","projectId":"gid://gitlab/Project/4021","project":null}]}}"#;
        assert_eq!(read(rows).unwrap().unwrap().unwrap().id.unwrap().number(), 4021);
        let group = r#"{"duoWorkflowWorkflows":{"nodes":[{"id":73}]}}"#;
        assert_eq!(read(group).unwrap().unwrap(), Some(ProjectLink::default()));
        assert!(read(r#"{"duoWorkflowWorkflows":{"nodes":[{"id":74}]}}"#).unwrap().is_err());
        assert!(read(r#"{"duoWorkflowWorkflows":{"nodes":[{"id":null}]}}"#).unwrap().is_err());
        assert_eq!(read(r#"{"duoWorkflowWorkflows":{"nodes":[]}}"#).unwrap().unwrap(), None);
        assert!(read(r#"{"duoWorkflowWorkflows":null}"#).is_none());
    }
}
