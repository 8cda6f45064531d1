//! Which of the session routes a request means.

use super::{create, history, privileges, resume, trace, update};
use crate::rest::refuse::{self, Outcome};
use crate::wire::Request;
use crate::world::World;

pub(in crate::rest) fn route(world: &mut World, request: &Request, segments: &[&str]) -> Outcome {
    match (segments, request.method.as_str()) {
        ([], "POST") => create::create(world, request),
        (["agent_privileges"], "GET" | "HEAD") => privileges::list(world, request),
        ([id], "GET" | "HEAD") => history::show(world, request, id),
        ([id], "PATCH") => update::update(world, request, id),
        ([id, "checkpoints"], "GET" | "HEAD") => history::checkpoints(world, request, id),
        ([id, "events"], "GET" | "HEAD") => history::events(world, request, id),
        // Seen in 19.3, not in 18.9; when exactly it came is not known.
        ([id, "resume"], method) if world.version().at_least(19, 3) => match method {
            "POST" => resume::resume(world, request, id),
            _ => Err(refuse::wrong_verb()),
        },
        ([id, "trace.jsonl"], "GET" | "HEAD") if world.version().at_least(19, 3) => {
            trace::show(world, request, id)
        }
        ([] | [_] | [_, "checkpoints" | "events"], _) => Err(refuse::wrong_verb()),
        _ => Err(refuse::no_route()),
    }
}
