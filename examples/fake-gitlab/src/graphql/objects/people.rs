//! Users.

use super::gid;
use crate::world::World;
use serde_json::{Value, json};

pub(super) fn user(world: &World, id: i64) -> Option<Value> {
    let user = world.users.get(&id)?;
    Some(json!({
        "__typename": "UserCore", "id": gid("User", id), "username": user.username, "name": user.name,
        "bot": user.bot, "avatarUrl": null, "webPath": format!("/{}", user.username),
        "webUrl": format!("{}/{}", world.base_url(), user.username),
    }))
}
