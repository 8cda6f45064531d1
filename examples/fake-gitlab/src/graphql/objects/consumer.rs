//! Consumers.

use super::{gid, item, reference};
use crate::world::{Consumer, ItemKind, World};
use serde_json::{Value, json};

pub(super) fn consumer(world: &World, id: i64, user: Option<i64>) -> Option<Value> {
    let consumer = world.consumers.get(&id)?;
    let item = consumer.item.and_then(|id| world.items.get(&id));
    let pinned = item.zip(world.pinned_version(consumer)).map(|(item, version)| item::version(item, version));
    let mut object = json!({
        "id": gid("Ai::Catalog::ItemConsumer", id), "enabled": consumer.enabled,
        "consumerKind": if consumer.parent.is_some() { "INHERITANCE" } else { "DIRECT" },
        "pinnedVersionPrefix": consumer.pinned, "pinnedItemVersion": pinned,
        "item": item.map(|item| reference("AiCatalogItem", item.id)),
        "project": consumer.project.map(|id| reference("Project", id)),
        "group": consumer.group.map(|id| reference("Group", id)),
        "organization": null, "flowTrigger": null, "flowTriggers": [],
        "serviceAccount": consumer.service_account.map(|id| reference("User", id)),
        "parentItemConsumer": consumer.parent.map(|id| reference("AiCatalogItemConsumer", id)),
        "webPath": web_path(world, consumer),
        "userPermissions": {
            "readAiCatalogItemConsumer": true, "adminAiCatalogItemConsumer": false,
            "executeAiCatalogItem": user.is_some_and(|user| world.may_execute(consumer, user)),
        },
    });
    if let Value::Object(object) = &mut object {
        object.extend(consumer.graphql.clone());
    }
    Some(object)
}

fn web_path(world: &World, consumer: &Consumer) -> Option<String> {
    let item = consumer.item.and_then(|id| world.items.get(&id))?;
    let kind = if item.kind == ItemKind::Flow { "flows" } else { "agents" };
    let project = consumer.project.and_then(|id| world.projects.get(&id));
    let group = consumer.group.and_then(|id| world.groups.get(&id));
    let place = project
        .map(|project| format!("/{}", project.full_path))
        .or_else(|| group.map(|group| format!("/groups/{}", group.full_path)))?;
    Some(format!("{place}/-/automate/{kind}/{}", item.id))
}
