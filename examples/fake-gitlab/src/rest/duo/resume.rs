//! Answering a checkpoint.

use super::params::{as_boolean, object};
use super::{entity, refusals};
use crate::rest::access;
use crate::rest::refuse::{self, Outcome};
use crate::wire::{Answer, Request};
use crate::world::{Session, World, is_chat};
use serde_json::Value;

const MESSAGE_LIMIT: usize = 2_000;

pub(super) fn resume(world: &mut World, request: &Request, id: &str) -> Outcome {
    let viewer = access::viewer(world, request, access::WRITE)?;
    let (approval, message) = params(request)?;
    let id = id.parse::<i64>().map_err(|_| refuse::not_found())?;
    let own = world.sessions.get(&id).filter(|session| session.user == viewer.user);
    let session = own.ok_or_else(refuse::not_found)?;
    refusals::identity(world, viewer.user)?;
    if !world.may_resume(session, viewer.user) {
        return Err(refuse::forbidden());
    }
    catalog(world, session)?;
    if !world.settings.credits_available {
        return Err(refuse::bad_request_list("insufficient GitLab credits"));
    }
    runs(world, session)?;
    let workload = world.answer(id, approval, message);
    let session = world.sessions.get(&id).ok_or_else(refuse::not_found)?;
    // The job has not begun yet, so the status is still the old one.
    Ok(Answer::json(201, &entity::entity(world, session, &entity::workload(workload))))
}

fn params(request: &Request) -> Result<(bool, Option<String>), Answer> {
    let body = object(request)?;
    let approval = match body.get("human_approval") {
        None | Some(Value::Null) => return Err(refuse::invalid("human_approval is missing")),
        Some(value) => as_boolean(value).ok_or_else(|| refuse::invalid("human_approval is invalid"))?,
    };
    let message = match body.get("human_message") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
        Some(_) => return Err(refuse::invalid("human_message is invalid")),
    };
    if message.as_ref().is_some_and(|text| text.chars().count() > MESSAGE_LIMIT) {
        let text = format!("human_message must be less than {MESSAGE_LIMIT} characters");
        return Err(refuse::invalid(&text));
    }
    Ok((approval, message))
}

/// A flow must still be enabled in the project by the item the session was started with.
///
/// Foundational agents are no catalog items; that they can be answered came with 19.5.
fn catalog(world: &World, session: &Session) -> Result<(), Answer> {
    if is_chat(world, &session.definition) {
        return Ok(());
    }
    let found = session.item_version.and_then(|id| world.item_version(id));
    let (item, _) =
        found.ok_or_else(|| refuse::not_found_what("AI Catalog item not found for this workflow"))?;
    let enabled = world.consumers.values().any(|consumer| {
        consumer.item == Some(item.id) && consumer.enabled && consumer.project == session.project
    });
    let missing = || refuse::not_found_what("AI Catalog consumer not found for this workflow");
    if enabled { Ok(()) } else { Err(missing()) }
}

fn runs(world: &World, session: &Session) -> Result<(), Answer> {
    let project = session.project.and_then(|id| world.projects.get(&id));
    let runs = project.is_some_and(|project| refusals::runs_in_ci(world, project, session.user));
    if runs { Ok(()) } else { Err(refuse::bad_request_list("Can not execute workflow in CI")) }
}
