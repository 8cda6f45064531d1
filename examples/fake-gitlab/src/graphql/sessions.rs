//! Lists of sessions: whose, filtered how, in which order; and their events.

use super::context::Context;
use super::errors::Failure;
use super::objects::{self, reference};
use super::pages;
use crate::world::{Session, World, is_chat};
use serde_json::{Value, json};

const NOT_FOUND: &str = "Workflow not found";

/// `Query.duoWorkflowWorkflows`: the caller's own sessions, also with a project.
pub(super) fn own(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let Some(user) = context.user() else { return pages::by_offset(Vec::new(), arguments, 100) };
    if let Some(id) = given(arguments, "workflowId").map(objects::integer) {
        let id = single(context, user, id.unwrap_or_default())?;
        return pages::by_offset(vec![reference("DuoWorkflow", id)], arguments, 100);
    }
    exclusive(arguments)?;
    let world = context.world();
    let rows = world.sessions.values().filter(|session| session.user == user);
    let rows: Vec<_> = rows.filter(|session| fits(&world, session, arguments)).collect();
    pages::by_offset(sorted(rows, arguments), arguments, 100)
}

/// `Project.duoWorkflowWorkflows`: CI sessions of everybody in the project.
pub(super) fn of_project(context: &Context<'_>, project: i64, arguments: &Value) -> Result<Value, Failure> {
    exclusive(arguments)?;
    let world = context.world();
    let wanted = given(arguments, "workflowId").and_then(objects::integer);
    let allowed = context.user().is_some_and(|user| {
        world.projects.get(&project).is_some_and(|row| row.has_member(user) && row.duo_features_enabled)
    });
    let rows: Vec<_> = world
        .sessions
        .values()
        .filter(|session| allowed && session.project == Some(project) && world.is_pipeline_session(session))
        .filter(|session| wanted.is_none_or(|id| session.id == id) && fits(&world, session, arguments))
        .collect();
    pages::by_offset(sorted(rows, arguments), arguments, 100)
}

/// The session of that number if the caller may read it; strangers are told nothing, twice.
fn single(context: &Context<'_>, user: i64, id: i64) -> Result<i64, Failure> {
    let may_read = {
        let world = context.world();
        world.sessions.get(&id).is_some_and(|session| world.may_read(session, user))
    };
    if may_read {
        return Ok(id);
    }
    let exists = context.world().sessions.contains_key(&id);
    if exists && !context.world_mut().strange_looks.insert((user, id)) {
        return Err(Failure::new("Too many requests."));
    }
    Err(Failure::coded(NOT_FOUND, "WORKFLOW_NOT_FOUND"))
}

fn exclusive(arguments: &Value) -> Result<(), Failure> {
    if given(arguments, "statuses").is_some() && given(arguments, "statusGroup").is_some() {
        let text = "Only one of [statusGroup, statuses] arguments is allowed at the same time.";
        return Err(Failure::new(text));
    }
    Ok(())
}

/// An argument that is not null.
fn given<'a>(arguments: &'a Value, name: &str) -> Option<&'a Value> {
    arguments.get(name).filter(|value| !value.is_null())
}

fn fits(world: &World, session: &Session, arguments: &Value) -> bool {
    let project_path =
        session.project.and_then(|id| world.projects.get(&id)).map(|row| row.full_path.as_str());
    let text = |name: &str| given(arguments, name).and_then(Value::as_str);
    let list = |name: &str| given(arguments, name).and_then(Value::as_array);
    let path_fits =
        text("projectPath").is_none_or(|path| project_path.is_some_and(|own| own.eq_ignore_ascii_case(path)));
    let id_fits = given(arguments, "projectId").is_none_or(|id| objects::integer(id) == session.project);
    let ids_fit = list("ids").is_none_or(|ids| ids.iter().any(|id| objects::integer(id) == Some(session.id)));
    let group_fits = text("statusGroup").is_none_or(|group| session.status_group() == Some(group));
    let status = session.status.to_uppercase();
    let status_fits =
        list("statuses").is_none_or(|wanted| wanted.iter().any(|one| one.as_str() == Some(status.as_str())));
    let kept = !list("excludeTypes")
        .is_some_and(|types| types.iter().any(|one| is_type(world, session, one.as_str())));
    let type_fits = given(arguments, "type").is_none_or(|wanted| is_type(world, session, wanted.as_str()));
    let environment = objects::environment(world, session);
    let environment_fits = given(arguments, "environment").is_none_or(|wanted| *wanted == environment);
    let search_fits = text("search").is_none_or(|words| found(session, words));
    let recent = text("updatedAfter")
        .is_none_or(|time| time.parse::<jiff::Timestamp>().is_ok_and(|time| session.updated_at > time));
    path_fits
        && id_fits
        && ids_fit
        && group_fits
        && status_fits
        && kept
        && type_fits
        && environment_fits
        && search_fits
        && recent
}

fn is_type(world: &World, session: &Session, wanted: Option<&str>) -> bool {
    match wanted {
        Some("foundational_chat_agents") => is_chat(world, &session.definition),
        Some("non_foundational_chat_agents") => !is_chat(world, &session.definition),
        wanted => wanted == Some(session.definition.as_str()),
    }
}

/// Words are looked for in goal and definition; a word that is a number may be the session's.
fn found(session: &Session, words: &str) -> bool {
    let words = words.to_lowercase();
    let is_number = words.split_whitespace().any(|word| word.parse() == Ok(session.id));
    is_number
        || session.goal.to_lowercase().contains(&words)
        || session.definition.to_lowercase().contains(&words)
}

fn sorted(mut rows: Vec<&Session>, arguments: &Value) -> Vec<Value> {
    let order = given(arguments, "sort").and_then(Value::as_str).unwrap_or("CREATED_DESC").to_uppercase();
    let code = |row: &Session| STATUSES.iter().position(|name| *name == row.status).unwrap_or(STATUSES.len());
    match order.trim_end_matches("_ASC").trim_end_matches("_DESC") {
        "UPDATED" => rows.sort_by_key(|row| (row.updated_at, row.id)),
        "STATUS" => rows.sort_by_key(|row| (code(row), row.id)),
        _ => rows.sort_by_key(|row| (row.created_at, row.id)),
    }
    if order.ends_with("_DESC") {
        rows.reverse();
    }
    rows.into_iter().map(|row| reference("DuoWorkflow", row.id)).collect()
}

/// By their codes.
const STATUSES: [&str; 10] = [
    "created",
    "running",
    "paused",
    "finished",
    "failed",
    "stopped",
    "input_required",
    "plan_approval_required",
    "tool_call_approval_required",
    "idle",
];

/// The history of a session, newest first; from 19.3 a page is one event unless more are asked for.
pub(super) fn events(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let world = context.world();
    let id = given(arguments, "workflowId").and_then(objects::integer).unwrap_or_default();
    let readable = world
        .sessions
        .get(&id)
        .filter(|session| context.user().is_some_and(|user| world.may_read(session, user)));
    let Some(session) = readable else { return Err(Failure::new(super::errors::NO_RESOURCE)) };
    let count = session.messages.as_ref().map_or(0, Vec::len);
    let rows = (1..=count).rev().map(|step| json!({ "__ref": "DuoWorkflowEvent", "id": id, "step": step }));
    let default = if world.version().at_least(19, 3) { 1 } else { 100 };
    pages::by_offset(rows.collect(), arguments, default)
}
