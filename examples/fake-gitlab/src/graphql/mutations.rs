//! Mutations. None of them starts CI.

use super::context::Context;
use super::errors::{Failure, NO_RESOURCE};
use super::objects::{integer, reference};
use crate::world::{Session, World, is_chat};
use serde_json::{Value, json};

pub(super) fn field(context: &Context<'_>, field: &str, arguments: &Value) -> Result<Value, Failure> {
    let input = arguments.get("input").cloned().unwrap_or_default();
    let user = context.user().ok_or_else(|| Failure::new(NO_RESOURCE))?;
    match field {
        "aiDuoWorkflowCreate" => create(context, user, &input),
        "deleteDuoWorkflowsWorkflow" => delete(context, user, &input),
        "updateDuoWorkflowAgentPrivileges" => privileges(context, user, &input),
        _ => {
            let id = own(context, user, &input)?;
            Ok(payload(reference("DuoWorkflow", id)))
        }
    }
}

fn payload(workflow: Value) -> Value {
    json!({ "workflow": workflow, "errors": [], "clientMutationId": null })
}

fn create(context: &Context<'_>, user: i64, input: &Value) -> Result<Value, Failure> {
    let mut world = context.world_mut();
    let number = |name: &str| input.get(name).and_then(integer);
    let project = number("projectId");
    let readable = |id: i64| world.projects.get(&id).is_some_and(|row| row.has_member(user));
    if project.is_some_and(|id| !readable(id)) {
        return Err(Failure::new(NO_RESOURCE));
    }
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    let limit = if world.version().at_least(19, 5) { 65_536 } else { 16_384 };
    if text("goal").is_some_and(|goal| goal.chars().count() > limit) {
        let error = format!("Goal is too long (maximum is {limit} characters)");
        return Ok(json!({ "workflow": null, "errors": [error], "clientMutationId": null }));
    }
    let definition = text("workflowDefinition").unwrap_or("software_development");
    let mut session = Session::new(world.next_session_id(), user, project, definition, world.now());
    session.goal = text("goal").unwrap_or_default().to_owned();
    session.environment = text("environment").map(str::to_lowercase);
    session.item_version = number("aiCatalogItemVersionId");
    session.namespace = number("namespaceId").filter(|_| project.is_none());
    let id = world.add_session(session);
    Ok(payload(reference("DuoWorkflow", id)))
}

fn delete(context: &Context<'_>, user: i64, input: &Value) -> Result<Value, Failure> {
    let id = own(context, user, input)?;
    let mut world = context.world_mut();
    if !deletable(&world, id) {
        return Err(Failure::new(NO_RESOURCE));
    }
    world.sessions.remove(&id);
    Ok(json!({ "success": true, "errors": [], "clientMutationId": null }))
}

/// From 19.3 only chats can be deleted.
fn deletable(world: &World, id: i64) -> bool {
    let session = world.sessions.get(&id);
    session.is_some_and(|session| !world.version().at_least(19, 3) || is_chat(world, &session.definition))
}

fn privileges(context: &Context<'_>, user: i64, input: &Value) -> Result<Value, Failure> {
    let id = own(context, user, input)?;
    let list = |name: &str| {
        input.get(name).and_then(Value::as_array).map(|list| list.iter().filter_map(Value::as_i64).collect())
    };
    if let Some(session) = context.world_mut().session_mut(id) {
        session.privileges = list("agentPrivileges").unwrap_or_else(|| session.privileges.clone());
        session.pre_approved =
            list("preApprovedAgentPrivileges").unwrap_or_else(|| session.pre_approved.clone());
    }
    Ok(payload(reference("DuoWorkflow", id)))
}

fn own(context: &Context<'_>, user: i64, input: &Value) -> Result<i64, Failure> {
    let id = input.get("workflowId").and_then(integer).unwrap_or_default();
    let is_own = context.world().sessions.get(&id).is_some_and(|session| session.user == user);
    if is_own { Ok(id) } else { Err(Failure::new(NO_RESOURCE)) }
}
