//! The consumer path: an item enabled in the project is started.

use super::entity;
use super::params::Params;
use super::{refusals, target};
use crate::auth::Viewer;
use crate::rest::refuse::{self, Outcome};
use crate::wire::Answer;
use crate::world::{Consumer, Item, ItemKind, Session, World};
use serde_json::{Value, json};

const DEFINITION_OF_CUSTOM_FLOWS: &str = "ai_catalog_agent";

pub(super) fn start(world: &mut World, viewer: &Viewer, project: i64, id: i64, params: &Params) -> Outcome {
    let (consumer, item) = find(world, project, id)?;
    if !params.start {
        return Ok(Answer::json(201, &empty(world)));
    }
    executable(world, viewer, project, &consumer, &item)?;
    refusals::credits(world)?;
    let mut goal = if params.goal.trim().is_empty() { item.description.clone() } else { params.goal.clone() };
    goal_fits(world, &goal)?;
    let reference = item.reference.clone().unwrap_or_else(|| DEFINITION_OF_CUSTOM_FLOWS.to_owned());
    if reference == "code_review/v1" {
        goal = target::code_review_goal(world, project, &goal)?;
    }
    let branch = target::branch(world, project, &reference, params);
    let session = session(world, viewer, project, (&consumer, &item), (&reference, goal, branch), params);
    let id = world.add_session(session);
    let workload = world.start_leg(id);
    let session = world.sessions.get(&id).ok_or_else(refuse::not_found)?;
    Ok(Answer::json(201, &entity::entity(world, session, &entity::workload(workload))))
}

fn find(world: &World, project: i64, id: i64) -> Result<(Consumer, Item), Answer> {
    let missing = || refuse::not_found_what("Enabled agent or flow was not found for this project.");
    let consumer =
        world.consumers.get(&id).filter(|consumer| id > 0 && consumer.enabled).ok_or_else(missing)?;
    if consumer.project != Some(project) {
        return Err(refuse::forbidden_because("Agent or flow is not enabled for this project"));
    }
    let item = consumer.item.and_then(|item| world.items.get(&item)).ok_or_else(missing)?;
    Ok((consumer.clone(), item.clone()))
}

fn executable(
    world: &World,
    viewer: &Viewer,
    project: i64,
    consumer: &Consumer,
    item: &Item,
) -> Result<(), Answer> {
    let project = world.projects.get(&project).ok_or_else(|| refuse::not_found_what("Project"))?;
    let flow_is_on = |reference: &String| project.foundational_flows.contains(reference);
    if item.kind != ItemKind::Flow {
        return Err(refuse::bad_request_list("Item must be a flow type"));
    }
    if !item.reference.as_ref().is_none_or(flow_is_on) {
        return Err(refuse::forbidden());
    }
    if !refusals::runs_in_ci(world, project, viewer.user) && project.developer(viewer.user) {
        return Err(refuse::bad_request_list("Can not execute workflow in CI"));
    }
    if !world.may_execute(consumer, viewer.user) {
        return Err(refuse::bad_request_list("You have insufficient permissions"));
    }
    let account = consumer.parent.and_then(|id| world.consumers.get(&id)).and_then(|row| row.service_account);
    if account.or(consumer.service_account).is_none() {
        return Err(refuse::message(403, "Service account is required but was not provided."));
    }
    Ok(())
}

fn goal_fits(world: &World, goal: &str) -> Result<(), Answer> {
    let limit = goal_limit(world);
    if goal.trim().is_empty() {
        return Err(refuse::bad_request_list("Goal is required"));
    }
    if goal.chars().count() > limit || goal.len() > 127 * 1024 {
        let text = format!("Goal is too long (maximum is {limit} characters)");
        return Err(refuse::bad_request_list(&text));
    }
    Ok(())
}

/// Characters a goal may have.
pub(super) fn goal_limit(world: &World) -> usize {
    if world.version().at_least(19, 5) { 65_536 } else { 16_384 }
}

fn session(
    world: &World,
    viewer: &Viewer,
    project: i64,
    (consumer, item): (&Consumer, &Item),
    (reference, goal, branch): (&str, String, Option<String>),
    params: &Params,
) -> Session {
    let mut session =
        Session::new(world.next_session_id(), viewer.user, Some(project), reference, world.now());
    session.title = Some(if item.reference.is_some() { reference.to_owned() } else { item.name.clone() });
    session.goal = goal;
    session.environment = Some("web".to_owned());
    session.agent_name = Some(item.name.clone());
    session.item_version = world.pinned_version(consumer).map(|version| version.id);
    session.privileges = (1..=7).collect();
    session.pre_approved = (1..=7).collect();
    session.script = consumer.script.clone();
    session.requested_branch = params.source_branch.clone();
    session.source_branch = world.projects.get(&project).map(|row| row.start_branch(branch.as_deref()));
    session.additional_context = params.context.clone();
    session.issue = params.issue;
    session.merge_request = params
        .merge_request
        .and_then(|iid| world.merge_request_of(project, iid))
        .map(|merge_request| merge_request.id);
    session
}

/// What comes back when nothing was asked to start: a body without a session.
fn empty(world: &World) -> Value {
    let nobody = Session::new(0, 0, None, "", world.now());
    let mut body = entity::entity(world, &nobody, &entity::workload(None));
    if let Value::Object(body) = &mut body {
        for (name, value) in body.iter_mut() {
            if !matches!(name.as_str(), "workload" | "gitlab_url") {
                *value = json!(null);
            }
        }
    }
    body
}
