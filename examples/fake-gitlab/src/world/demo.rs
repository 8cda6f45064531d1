//! The demo world that every fake GitLab starts with, and example sessions on request.

mod agents;
mod catalog;
mod ci;
mod places;
mod sessions;

pub(crate) use sessions::add_example_sessions;

use super::people::{Token, TokenSpec};
use super::state::World;

/// Secret of the default user.
pub(crate) const TOKEN: &str = "fake-token-of-devuser";

/// Number of the default user.
pub(crate) const USER: i64 = 88;

/// Number of a colleague who shares the main project.
pub(crate) const COLLEAGUE: i64 = 91;

/// Number of the main project.
pub(crate) const PROJECT: i64 = 4021;

/// Fills an empty world.
pub(crate) fn furnish(world: &mut World) {
    places::add(world);
    agents::add(world);
    catalog::add(world);
    ci::add(world);
    world.tokens.push(Token::from(TokenSpec::new(TOKEN, USER, &["api"])));
}
