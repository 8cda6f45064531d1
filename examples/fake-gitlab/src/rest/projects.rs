//! Projects: found by number or encoded path, moved ones redirected.

use super::access;
use super::refuse::{self, Outcome};
use crate::auth::Viewer;
use crate::encoding::percent_decode;
use crate::wire::{Answer, Request};
use crate::world::{Project, World};
use serde_json::{Value, json};

pub(super) fn show(world: &World, request: &Request, id: &str) -> Outcome {
    let project = find(world, request, id)?;
    Ok(Answer::json(200, &entity(world, project)))
}

/// The project a path segment means, if the viewer may read it.
pub(super) fn find<'w>(world: &'w World, request: &Request, segment: &str) -> Result<&'w Project, Answer> {
    let viewer = access::optional(world, request, access::READ)?;
    let text = percent_decode(segment);
    if let Some(id) = world.moved.get(&text).filter(|id| readable(world, **id, viewer.as_ref())) {
        return Err(moved(world, request, segment, *id));
    }
    named(world, &text, viewer.as_ref()).ok_or_else(|| refuse::not_found_what("Project"))
}

/// The project of that number or full path. Text of digits only is a number.
pub(super) fn named<'w>(world: &'w World, text: &str, viewer: Option<&Viewer>) -> Option<&'w Project> {
    let all_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let project = if all_digits { world.projects.get(&text.parse().ok()?) } else { world.project_at(text) };
    project.filter(|project| project.readable_by(viewer.map(|viewer| viewer.user)))
}

pub(super) fn readable(world: &World, id: i64, viewer: Option<&Viewer>) -> bool {
    world.projects.get(&id).is_some_and(|project| project.readable_by(viewer.map(|viewer| viewer.user)))
}

fn moved(world: &World, request: &Request, segment: &str, id: i64) -> Answer {
    let path = request.path.replacen(segment, &id.to_string(), 1);
    let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
    let location = format!("{}{path}{query}", world.base_url);
    let text = format!("This resource has been moved permanently to {location}");
    Answer::new(301, "text/plain", text).with("location", &location)
}

fn entity(world: &World, project: &Project) -> Value {
    let group = project.group.and_then(|id| world.groups.get(&id));
    let namespace = group.map_or_else(
        || json!({ "id": 900, "kind": "user", "full_path": parent_path(&project.full_path) }),
        |group| {
            json!({
                "id": group.id, "name": group.name, "path": group.path(), "kind": "group",
                "full_path": group.full_path, "parent_id": group.parent,
                "web_url": format!("{}/groups/{}", world.base_url, group.full_path),
            })
        },
    );
    let above = group.map_or("Other User", |group| group.name.as_str());
    let mut body = json!({
        "id": project.id, "description": null, "name": project.path(),
        "name_with_namespace": format!("{above} / {}", project.path()), "path": project.path(),
        "path_with_namespace": project.full_path, "default_branch": project.default_branch,
        "web_url": world.project_url(project.id), "archived": project.archived,
        "visibility": project.visibility, "namespace": namespace,
    });
    overlay(&mut body, &project.rest);
    body
}

fn parent_path(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Lays fields over an object.
pub(super) fn overlay(body: &mut Value, over: &serde_json::Map<String, Value>) {
    if let Value::Object(body) = body {
        body.extend(over.clone());
    }
}
