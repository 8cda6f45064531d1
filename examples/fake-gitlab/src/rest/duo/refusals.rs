//! Refusals that starts and answers share: people, credits, CI.

use crate::rest::refuse;
use crate::wire::Answer;
use crate::world::{Project, User, World};

const CREDITS: &str =
    "session failed to start due to insufficient GitLab credits. Purchase more credits to continue.";

/// People who must verify their identity first.
pub(super) fn identity(world: &World, user: i64) -> Result<(), Answer> {
    let verified = world.users.get(&user).is_some_and(|user: &User| user.identity_verified);
    let reason = "Identity verification is required to use GitLab Duo Agent Platform";
    // The check came with 19.4.
    if verified || !world.version().at_least(19, 4) { Ok(()) } else { Err(refuse::forbidden_because(reason)) }
}

pub(super) fn credits(world: &World) -> Result<(), Answer> {
    if world.settings.credits_available { Ok(()) } else { Err(refuse::forbidden_because(CREDITS)) }
}

/// Whether jobs may run there for that user.
pub(super) fn runs_in_ci(world: &World, project: &Project, user: i64) -> bool {
    world.may_start_in(project, user)
}
