//! A project by id or path: `GET /projects/:id` (REST, any version).

use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::project::{Project, ProjectPath, ProjectRef};
use serde::Deserialize;

use crate::scalars::IdText;
use crate::wire::connection::Wire;

#[derive(Deserialize)]
struct Entity {
    id: Option<IdText>,
    path_with_namespace: Option<String>,
    web_url: Option<String>,
}

/// Finds a project. GitLab redirects the old path of a renamed one.
pub(crate) async fn find_project(wire: &Wire, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
    let name = project.to_string();
    let found: Option<Entity> =
        wire.get_json("find_project", wire.rest_address(&["projects", &name])).await?;
    found.map(|entity| of_entity(&entity)).transpose()
}

fn of_entity(entity: &Entity) -> Result<Project, ReadError> {
    let id = entity.id.as_ref().and_then(|id| ProjectId::parse(id.as_str()).ok());
    let path = entity.path_with_namespace.as_deref().and_then(|path| ProjectPath::parse(path).ok());
    let missing = |field: &str| {
        GatewayError::new(
            ErrorKind::Unreadable,
            format!("GitLab's answer about the project has no `{field}`"),
        )
    };
    Ok(Project {
        id: id.ok_or_else(|| missing("id"))?,
        path: path.ok_or_else(|| missing("path_with_namespace"))?,
        web_url: entity.web_url.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_and_path_are_needed_by_name() {
        let read = |json: &str| of_entity(&serde_json::from_str(json).unwrap());
        let project = read(r#"{"id":4021,"path_with_namespace":"acme/api","web_url":null,"new":1}"#).unwrap();
        assert_eq!((project.id.number(), project.path.as_str(), project.web_url), (4021, "acme/api", None));
        assert!(read(r#"{"path_with_namespace":"acme/api"}"#).unwrap_err().message.contains("`id`"));
        assert!(read(r#"{"id":"4021"}"#).unwrap_err().message.contains("`path_with_namespace`"));
    }
}
