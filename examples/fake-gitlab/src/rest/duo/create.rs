//! Creating a session, and usually starting it.

use super::container::{self, Container};
use super::{consumer_start, direct_start, params, refusals};
use crate::rest::access;
use crate::rest::refuse::{self, Outcome};
use crate::wire::{Answer, Request};
use crate::world::World;

pub(super) fn create(world: &mut World, request: &Request) -> Outcome {
    let viewer = access::viewer(world, request, access::WRITE)?;
    let params = params::read(world, request)?;
    duo_cli(world, request)?;
    refusals::identity(world, viewer.user)?;
    let container = container::find(world, &params, &viewer)?;
    origin(world, container, &params)?;
    match (params.consumer, container) {
        (Some(consumer), Container::Project(project)) => {
            consumer_start::start(world, &viewer, project, consumer, &params)
        }
        (Some(_), Container::Group(_)) => {
            Err(refuse::bad_request("AI Catalog flows can only be executed in project context"))
        }
        (None, _) => direct_start::start(world, &viewer, container, &params),
    }
}

fn duo_cli(world: &World, request: &Request) -> Result<(), Answer> {
    let from_cli = request.header("x-gitlab-client-name") == Some("Duo CLI");
    if from_cli && world.settings.duo_cli_disabled {
        return Err(refuse::forbidden_because("Duo CLI has been disabled by your administrator"));
    }
    Ok(())
}

/// The issue and merge request named by their numbers within the project must exist there.
fn origin(world: &World, container: Container, params: &params::Params) -> Result<(), Answer> {
    let Container::Project(project) = container else { return Ok(()) };
    let missing = params.merge_request.is_some_and(|iid| world.merge_request_of(project, iid).is_none());
    // The only issue of the demo world is the one its notes belong to.
    let no_issue = params.issue.is_some_and(|iid| iid != 1234);
    if missing || no_issue { Err(refuse::not_found()) } else { Ok(()) }
}
