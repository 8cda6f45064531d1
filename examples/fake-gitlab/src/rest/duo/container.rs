//! Where a session is created: a project, a group, or the default one.

use super::params::Params;
use crate::auth::Viewer;
use crate::rest::{projects, refuse};
use crate::wire::Answer;
use crate::world::World;

/// The place of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Project(i64),
    Group(i64),
}

const NO_DEFAULT: &str = "No default namespace found. Please provide project_id or namespace_id, or configure \
    a default Duo namespace.";

pub(super) fn find(world: &World, params: &Params, viewer: &Viewer) -> Result<Container, Answer> {
    if let Some(text) = &params.project_id {
        return project(world, text, viewer);
    }
    if let Some(text) = &params.namespace_id {
        let group = match text.parse::<i64>() {
            Ok(id) => world.groups.get(&id),
            Err(_) => world.group_at(text),
        };
        let visible = group.filter(|group| world.in_group(viewer.user, group.id));
        return visible
            .map(|group| Container::Group(group.id))
            .ok_or_else(|| refuse::not_found_what("Namespace"));
    }
    world.settings.default_namespace.map(Container::Group).ok_or_else(|| refuse::bad_request(NO_DEFAULT))
}

fn project(world: &World, text: &str, viewer: &Viewer) -> Result<Container, Answer> {
    let moved = world.moved.get(text).is_some_and(|id| projects::readable(world, *id, Some(viewer)));
    if moved {
        return Err(refuse::message(405, "Non GET methods are not allowed for moved projects"));
    }
    let project =
        projects::named(world, text, Some(viewer)).ok_or_else(|| refuse::not_found_what("Project"))?;
    if !project.has_member(viewer.user) {
        return Err(refuse::forbidden_because("Access to the container is not allowed"));
    }
    Ok(Container::Project(project.id))
}
