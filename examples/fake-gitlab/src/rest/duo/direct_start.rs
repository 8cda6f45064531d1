//! The direct path: a definition is started without the catalog.

use super::consumer_start::goal_limit;
use super::container::Container;
use super::params::Params;
use super::{entity, privileges, refusals, target};
use crate::auth::Viewer;
use crate::rest::refuse::{self, Outcome};
use crate::wire::Answer;
use crate::world::{Script, Session, World, is_chat};
use serde_json::json;

const DEFAULT_DEFINITION: &str = "software_development";

pub(super) fn start(world: &mut World, viewer: &Viewer, container: Container, params: &Params) -> Outcome {
    let definition = params.definition.as_deref().unwrap_or(DEFAULT_DEFINITION);
    if params.item_version.is_some_and(|id| world.item_version(id).is_none()) {
        return Err(refuse::not_found());
    }
    allowed(world, viewer, container, definition)?;
    model_fits(world, params)?;
    let mut session = session(world, viewer, container, definition, params);
    if let (Container::Project(project), "code_review/v1") = (container, definition) {
        session.goal = target::code_review_goal(world, project, &session.goal)?;
    }
    let id = world.add_session(session);
    // From here on a refusal leaves the session behind, in `created`.
    let workload = if params.start { run(world, viewer, container, id)? } else { None };
    let session = world.sessions.get(&id).ok_or_else(refuse::not_found)?;
    Ok(Answer::json(201, &entity::entity(world, session, &entity::workload(workload))))
}

fn allowed(world: &World, viewer: &Viewer, container: Container, definition: &str) -> Result<(), Answer> {
    let Container::Project(project) = container else { return Ok(()) };
    let project = world.projects.get(&project).ok_or_else(|| refuse::not_found_what("Project"))?;
    if !project.duo_features_enabled {
        let what = if is_chat(world, definition) { "agentic chat" } else { "duo workflow" };
        return Err(refuse::forbidden_because(&format!("forbidden to access {what}")));
    }
    // An unknown definition is taken as it is; only a known foundational flow is checked.
    let is_flow = world.items.values().any(|item| item.reference.as_deref() == Some(definition));
    let is_on = project.foundational_flows.iter().any(|on| on == definition);
    let refused = is_flow && !is_chat(world, definition) && !is_on;
    if refused || project.guests.contains(&viewer.user) { Err(refuse::forbidden()) } else { Ok(()) }
}

fn model_fits(world: &World, params: &Params) -> Result<(), Answer> {
    let limit = goal_limit(world);
    let too_long = |field: &str, limit: usize| {
        let text = format!("is too long (maximum is {limit} characters)");
        refuse::message(400, json!({ field: [text] }))
    };
    if params.goal.chars().count() > limit || params.goal.len() > 127 * 1024 {
        return Err(too_long("goal", limit));
    }
    if params.image.as_ref().is_some_and(|image| image.chars().count() > 2_048) {
        return Err(too_long("image", 2_048));
    }
    let (granted, free) = (granted(params), pre_approved(params));
    let highest = privileges::highest(world);
    if let Some(unknown) = granted.iter().chain(&free).find(|id| !(1..=highest).contains(id)) {
        return Err(refuse::bad_request(&format!("Agent privileges contains an invalid value {unknown}")));
    }
    if !free.iter().all(|id| granted.contains(id)) {
        let text = "Pre approved agent privileges must be a subset of agent privileges";
        return Err(refuse::bad_request(text));
    }
    Ok(())
}

fn granted(params: &Params) -> Vec<i64> {
    params.privileges.clone().unwrap_or_else(|| (1..=6).collect())
}

fn pre_approved(params: &Params) -> Vec<i64> {
    params.pre_approved.clone().unwrap_or_else(|| vec![1, 2])
}

fn session(
    world: &World,
    viewer: &Viewer,
    container: Container,
    definition: &str,
    params: &Params,
) -> Session {
    let project = match container {
        Container::Project(project) => Some(project),
        Container::Group(_) => None,
    };
    let mut session = Session::new(world.next_session_id(), viewer.user, project, definition, world.now());
    if let Container::Group(group) = container {
        session.namespace = Some(group);
    }
    session.goal.clone_from(&params.goal);
    session.environment.clone_from(&params.environment);
    session.agent_name = world.agent_name_of(definition);
    session.item_version = params.item_version;
    session.privileges = granted(params);
    session.pre_approved = pre_approved(params);
    session.allow_agent_to_request_user = params.may_ask;
    session.image.clone_from(&params.image);
    session.requested_branch.clone_from(&params.source_branch);
    session.additional_context.clone_from(&params.context);
    session.issue = params.issue;
    if let Some(project) = project {
        let branch = target::branch(world, project, definition, params);
        session.source_branch = world.projects.get(&project).map(|row| row.start_branch(branch.as_deref()));
        let merge_request = params.merge_request.and_then(|iid| world.merge_request_of(project, iid));
        session.merge_request = merge_request.map(|row| row.id);
        session.script = script(world, project, definition, params.may_ask);
    }
    session
}

/// A known flow does what it does by its consumer; agents talk; the rest runs through.
fn script(world: &World, project: i64, definition: &str, may_ask: bool) -> Script {
    if is_chat(world, definition) {
        return Script::agent();
    }
    let consumer = world.consumer_of_flow(project, definition).filter(|_| may_ask);
    consumer.map_or_else(Script::straight, |consumer| consumer.script.clone())
}

fn run(world: &mut World, viewer: &Viewer, container: Container, id: i64) -> Result<Option<i64>, Answer> {
    let Container::Project(project) = container else {
        return Err(refuse::message(422, "Only project-level workflow is supported"));
    };
    let project = world.projects.get(&project).ok_or_else(|| refuse::not_found_what("Project"))?;
    if !refusals::runs_in_ci(world, project, viewer.user) {
        return Err(refuse::message(403, "Can not execute workflow in CI"));
    }
    refusals::credits(world)?;
    Ok(world.start_leg(id))
}
