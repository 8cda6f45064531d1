//! `/user` and `/personal_access_tokens/self`: who a token belongs to, and what it may do.

use super::access;
use super::refuse::{self, Outcome};
use crate::wire::{Answer, Request};
use crate::world::World;
use serde_json::{Value, json};

pub(super) fn current(world: &World, request: &Request) -> Outcome {
    let viewer = access::viewer(world, request, &["api", "read_api", "read_user", "ai_workflows"])?;
    Ok(Answer::json(200, &brief(world, viewer.user)))
}

pub(super) fn token(world: &World, request: &Request) -> Outcome {
    // Every token may look at itself.
    let any = ["api", "read_api", "read_user", "ai_features", "ai_workflows", "mcp"];
    let viewer = access::viewer(world, request, &any)?;
    let Some(user) = world.users.get(&viewer.user) else { return Err(refuse::not_found()) };
    let body = json!({
        "id": 1, "name": format!("token of {}", user.username), "revoked": false, "active": true,
        "created_at": "2026-10-01T08:00:00.000Z", "expires_at": "2027-10-01",
        "scopes": viewer.scopes, "user_id": user.id,
    });
    Ok(Answer::json(200, &body))
}

/// A user as other bodies carry one; null when unknown.
pub(super) fn brief(world: &World, user: i64) -> Value {
    world.users.get(&user).map_or(Value::Null, |user| {
        json!({
            "id": user.id, "username": user.username, "name": user.name, "state": "active",
            "locked": false, "avatar_url": null, "web_url": format!("{}/{}", world.base_url, user.username),
        })
    })
}
