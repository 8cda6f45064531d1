//! A pipeline: `GET /projects/:id/pipelines/:pipeline_id` (REST, any version).

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::Pipeline;
use gitlab_duo_core::model::ids::{PipelineId, ProjectId};
use serde::Deserialize;

use crate::scalars::IdText;
use crate::wire::connection::Wire;

#[derive(Deserialize)]
struct Entity {
    project_id: Option<IdText>,
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    tag: Option<bool>,
    source: Option<String>,
}

/// Reads a pipeline.
pub(crate) async fn pipeline(
    wire: &Wire,
    project: ProjectId,
    id: PipelineId,
) -> Result<Option<Pipeline>, ReadError> {
    let address = wire.rest_address(&["projects", &project.to_string(), "pipelines", &id.to_string()]);
    let entity: Option<Entity> = wire.get_json("pipeline", address).await?;
    Ok(entity.map(of_entity))
}

fn of_entity(entity: Entity) -> Pipeline {
    Pipeline {
        project: entity.project_id.and_then(|id| ProjectId::parse(id.as_str()).ok()),
        git_ref: entity.git_ref,
        tag: entity.tag,
        source: entity.source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_may_be_missing() {
        let read = |json: &str| of_entity(serde_json::from_str(json).unwrap());
        let full = read(
            r#"{"id":50512,"project_id":4021,"ref":"refs/merge-requests/317/head","tag":false,"source":"push"}"#,
        );
        assert_eq!(full.project.map(ProjectId::number), Some(4021));
        assert_eq!(full.git_ref.as_deref(), Some("refs/merge-requests/317/head"));
        assert_eq!(read("{}"), Pipeline { project: None, git_ref: None, tag: None, source: None });
    }
}
