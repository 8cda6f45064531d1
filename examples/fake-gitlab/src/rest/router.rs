//! Finding the route of a request by its raw path segments.

use super::refuse::{self, Outcome};
use super::{duo, merge_requests, metadata, pipelines, projects};
use crate::wire::{Answer, Request};
use crate::world::World;

/// Answers a request below `/api/v4`.
pub(crate) fn answer(world: &mut World, request: &Request) -> Answer {
    let path = request.path.strip_prefix("/api/v4").unwrap_or_default().trim_start_matches('/').to_owned();
    // Segments stay encoded: only an encoded slash is part of a project's path.
    let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    route(world, request, &segments).unwrap_or_else(|refusal| refusal)
}

fn route(world: &mut World, request: &Request, segments: &[&str]) -> Outcome {
    match segments {
        ["metadata" | "version"] => get(request, || metadata::show(world, request)),
        ["user"] => get(request, || super::people::current(world, request)),
        ["personal_access_tokens", "self"] => get(request, || super::people::token(world, request)),
        ["projects", id] => get(request, || projects::show(world, request, id)),
        ["projects", id, "pipelines"] => get(request, || pipelines::list(world, request, id)),
        ["projects", id, "pipelines", pipeline] => {
            get(request, || pipelines::show(world, request, id, pipeline))
        }
        ["projects", id, "merge_requests"] => get(request, || merge_requests::list(world, request, id)),
        ["projects", id, "merge_requests", iid] => {
            get(request, || merge_requests::show(world, request, id, iid))
        }
        ["projects", id, "merge_requests", iid, "pipelines"] => {
            get(request, || merge_requests::pipelines(world, request, id, iid))
        }
        ["ai", "duo_workflows", "workflows", rest @ ..] if world.settings.enterprise => {
            duo::route(world, request, rest)
        }
        _ => Err(refuse::no_route()),
    }
}

fn get(request: &Request, answer: impl FnOnce() -> Outcome) -> Outcome {
    if request.reads() { answer() } else { Err(refuse::wrong_verb()) }
}
