//! Merge requests of a project: `GET /projects/:id/merge_requests` (REST, any version).

use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::gateway::request::MergeRequest;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{MergeRequestIid, ProjectId, UserId};
use serde::Deserialize;

use crate::scalars::IdText;
use crate::wire::connection::Wire;

/// Rows asked for at most: one branch has few opened merge requests, most of them from forks.
const ROWS: &str = "20";

#[derive(Deserialize)]
struct Entity {
    iid: Option<IdText>,
    state: Option<String>,
    source_branch: Option<String>,
    source_project_id: Option<IdText>,
    web_url: Option<String>,
    author: Option<Author>,
}

#[derive(Deserialize)]
struct Author {
    id: Option<IdText>,
}

/// Reads a merge request by its number.
pub(crate) async fn merge_request(
    wire: &Wire,
    project: ProjectId,
    iid: MergeRequestIid,
) -> Result<Option<MergeRequest>, ReadError> {
    let address = wire.rest_address(&["projects", &project.to_string(), "merge_requests", &iid.to_string()]);
    let Some(entity) = wire.get_json::<Entity>("merge_request", address).await? else { return Ok(None) };
    match of_entity(&entity) {
        Some(found) if found.iid == iid => Ok(Some(found)),
        _ => {
            let message = "GitLab answered with another merge request than the one asked for";
            Err(GatewayError::new(ErrorKind::Unreadable, message))
        }
    }
}

/// Reads the newest opened merge request whose source branch lies in the project itself.
pub(crate) async fn opened_merge_request(
    wire: &Wire,
    project: ProjectId,
    source_branch: &str,
) -> Result<Option<MergeRequest>, ReadError> {
    let mut address = wire.rest_address(&["projects", &project.to_string(), "merge_requests"]);
    address
        .query_pairs_mut()
        .append_pair("state", "opened")
        .append_pair("source_branch", source_branch)
        .append_pair("order_by", "created_at")
        .append_pair("sort", "desc")
        .append_pair("per_page", ROWS);
    let entities: Option<Vec<Entity>> = wire.get_json("opened_merge_request", address).await?;
    Ok(newest(&entities.unwrap_or_default(), project, source_branch))
}

fn newest(entities: &[Entity], project: ProjectId, source_branch: &str) -> Option<MergeRequest> {
    let is_ours = |found: &MergeRequest| {
        found.source_project == Some(project) && found.source_branch.as_deref() == Some(source_branch)
    };
    entities.iter().filter_map(of_entity).find(is_ours)
}

/// None without a number, by which alone it can be named.
fn of_entity(entity: &Entity) -> Option<MergeRequest> {
    let author = entity.author.as_ref().and_then(|author| author.id.as_ref());
    let source_project = entity.source_project_id.as_ref();
    Some(MergeRequest {
        iid: MergeRequestIid::parse(entity.iid.as_ref()?.as_str()).ok()?,
        state: entity.state.clone(),
        source_branch: entity.source_branch.clone(),
        source_project: source_project.and_then(|id| ProjectId::parse(id.as_str()).ok()),
        web_url: entity.web_url.clone(),
        author: author.and_then(|id| UserId::parse(id.as_str()).ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_with_the_same_branch_name_is_passed_over() {
        let json = r#"[{"iid":9,"source_branch":"fix","source_project_id":77},{"source_branch":"fix","source_project_id":4021},
            {"iid":8,"source_branch":"fix","source_project_id":4021,"author":{"id":88}},
            {"iid":7,"source_branch":"fix","source_project_id":4021}]"#;
        let entities: Vec<Entity> = serde_json::from_str(json).unwrap();
        let found = newest(&entities, ProjectId::new(4021).unwrap(), "fix").unwrap();
        assert_eq!((found.iid.number(), found.author.map(UserId::number)), (8, Some(88)));
        assert_eq!(newest(&entities, ProjectId::new(4021).unwrap(), "main"), None);
    }

    #[test]
    fn every_other_part_may_be_missing() {
        let found = of_entity(&serde_json::from_str(r#"{"iid":"317","author":null}"#).unwrap()).unwrap();
        assert_eq!((found.iid.number(), found.state, found.source_project), (317, None, None));
    }
}
