//! `agent_privileges`: what an agent can be allowed to do.

use crate::rest::access;
use crate::rest::refuse::Outcome;
use crate::wire::{Answer, Request};
use crate::world::{PRIVILEGES, World};
use serde_json::{Value, json};

pub(super) fn list(world: &World, request: &Request) -> Outcome {
    access::viewer(world, request, access::READ)?;
    let rows: Vec<Value> = PRIVILEGES
        .iter()
        .filter(|(id, ..)| *id <= highest(world))
        .map(|(id, name, description, default)| {
            json!({ "id": id, "name": name, "description": description, "default_enabled": default })
        })
        .collect();
    Ok(Answer::json(200, &json!({ "all_privileges": rows })))
}

/// The highest number the played version knows.
pub(super) fn highest(world: &World) -> i64 {
    if world.version().at_least(19, 3) { 8 } else { 6 }
}

/// Names of privileges, in the order of the numbers given.
pub(super) fn names(ids: &[i64]) -> Vec<&'static str> {
    let name = |id: &i64| PRIVILEGES.iter().find(|(known, ..)| known == id).map(|(_, name, ..)| *name);
    ids.iter().filter_map(name).collect()
}
