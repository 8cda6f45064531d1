//! The catalog: configured items of a project or group, single items, and foundational agents.

use super::context::Context;
use super::errors::Failure;
use super::objects::{self, reference};
use super::pages;
use crate::world::{Consumer, ItemKind, World};
use serde_json::{Value, json};

/// `Query.aiCatalogConfiguredItems`.
pub(super) fn configured(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let number = |name: &str| arguments.get(name).and_then(objects::integer);
    let (project, group) = (number("projectId"), number("groupId"));
    if project.is_none() && group.is_none() {
        return Err(Failure::new("At least one of [groupId, projectId] arguments is required."));
    }
    let world = context.world();
    let mut rows: Vec<&Consumer> = world
        .consumers
        .values()
        .filter(|consumer| belongs(&world, context.user(), consumer, project, group, arguments))
        .filter(|consumer| wanted(&world, consumer, arguments))
        .collect();
    rows.sort_by_key(|consumer| (priority(&world, consumer), -consumer.id));
    let rows = rows.into_iter().map(|consumer| row(&world, consumer)).collect();
    pages::by_key(rows, arguments)
}

/// A row of the list, with what its cursor is made of.
fn row(world: &World, consumer: &Consumer) -> Value {
    let key =
        json!({ "consumer_priority": priority(world, consumer).to_string(), "id": consumer.id.to_string() });
    json!({ "__ref": "AiCatalogItemConsumer", "id": consumer.id, "__key": key })
}

/// GitLab's own first, the rest after it.
fn priority(world: &World, consumer: &Consumer) -> i64 {
    let item = consumer.item.and_then(|id| world.items.get(&id));
    let own = item.is_some_and(|item| item.reference.is_some() && item.kind == ItemKind::Flow);
    if own { 3 } else { 5 }
}

/// Rows of the container itself, and of groups above it when inherited ones are asked for.
fn belongs(
    world: &World,
    user: Option<i64>,
    consumer: &Consumer,
    project: Option<i64>,
    group: Option<i64>,
    arguments: &Value,
) -> bool {
    let Some(user) = user else { return false };
    let inherited = arguments.get("includeInherited") == Some(&json!(true));
    match project {
        Some(id) => {
            let Some(project) = world.projects.get(&id).filter(|project| project.has_member(user)) else {
                return false;
            };
            let from_above =
                inherited && consumer.group.is_some_and(|above| is_above(world, above, &project.full_path));
            consumer.project == Some(id) || (from_above && !has_own(world, id, consumer.item))
        }
        None => consumer.group == group && group.is_some_and(|group| world.in_group(user, group)),
    }
}

/// A row of a group is not repeated when the project has the item itself.
fn has_own(world: &World, project: i64, item: Option<i64>) -> bool {
    world.consumers.values().any(|row| row.project == Some(project) && row.item == item)
}

fn is_above(world: &World, group: i64, path: &str) -> bool {
    world.groups.get(&group).is_some_and(|group| path.starts_with(&format!("{}/", group.full_path)))
}

fn wanted(world: &World, consumer: &Consumer, arguments: &Value) -> bool {
    let item = consumer.item.and_then(|id| world.items.get(&id));
    let kind = item.map(|item| item.kind.enum_value());
    let given = |name: &str| arguments.get(name).filter(|value| !value.is_null());
    // Made-up rows come only when they are asked for.
    let shown = consumer.id > 0 || given("includeFoundationalConsumers") == Some(&json!(true));
    let kind_fits = given("itemType").is_none_or(|wanted| kind == wanted.as_str());
    let one_fits = |wanted: &Value| {
        wanted.as_array().is_none_or(|list| list.iter().any(|one| kind.is_some() && kind == one.as_str()))
    };
    let item_fits = given("itemId").is_none_or(|id| objects::integer(id) == consumer.item);
    let reference_fits = given("foundationalFlowReference")
        .is_none_or(|wanted| item.is_some_and(|item| item.reference.as_deref() == wanted.as_str()));
    shown && kind_fits && given("itemTypes").is_none_or(one_fits) && item_fits && reference_fits
}

/// `Query.aiCatalogItemConsumer`.
pub(super) fn consumer(context: &Context<'_>, arguments: &Value) -> Value {
    let world = context.world();
    let id = arguments.get("id").and_then(objects::integer).unwrap_or_default();
    let readable = world.consumers.get(&id).filter(|consumer| {
        let project = consumer.project.and_then(|id| world.projects.get(&id));
        let user = context.user().unwrap_or_default();
        project.is_some_and(|project| project.has_member(user))
            || consumer.group.is_some_and(|group| world.in_group(user, group))
    });
    readable.map_or(Value::Null, |consumer| reference("AiCatalogItemConsumer", consumer.id))
}

pub(super) fn consumer_for_item(context: &Context<'_>, project: i64, arguments: &Value) -> Value {
    let item = arguments.get("id").and_then(objects::integer);
    configured_for(context, item, Some(project), None)
}

fn configured_for(
    context: &Context<'_>,
    item: Option<i64>,
    project: Option<i64>,
    group: Option<i64>,
) -> Value {
    let world = context.world();
    let mut rows = world.consumers.values().filter(|consumer| consumer.item == item && consumer.id > 0);
    let found = rows.find(|consumer| match project {
        Some(_) => consumer.project == project,
        None => group.is_some() && consumer.group == group,
    });
    found.map_or(Value::Null, |consumer| reference("AiCatalogItemConsumer", consumer.id))
}

/// `Query.aiCatalogItem`.
pub(super) fn item(context: &Context<'_>, arguments: &Value) -> Value {
    let id = arguments.get("id").and_then(objects::integer).unwrap_or_default();
    let known = context.user().is_some() && context.world().items.contains_key(&id);
    if known { reference("AiCatalogItem", id) } else { Value::Null }
}

/// `Query.aiCatalogItems`.
pub(super) fn items(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let world = context.world();
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let kinds = arguments.get("itemTypes").and_then(Value::as_array);
    let rows = world
        .items
        .values()
        .rev()
        .filter(|item| context.user().is_some() && item.kind != ItemKind::FoundationalAgent)
        .filter(|item| text("itemType").is_none_or(|kind| kind == item.kind.enum_value()))
        .filter(|item| kinds.is_none_or(|kinds| kinds.iter().any(|kind| kind == item.kind.enum_value())))
        .filter(|item| {
            text("search").is_none_or(|word| item.name.to_lowercase().contains(&word.to_lowercase()))
        })
        .map(|item| reference("AiCatalogItem", item.id));
    pages::by_key(rows.collect(), arguments)
}

/// Fields of an item that take arguments.
pub(super) fn item_field(context: &Context<'_>, id: i64, field: &str, arguments: &Value) -> Option<Value> {
    let number = |name: &str| arguments.get(name).and_then(objects::integer);
    let world = context.world();
    let item = world.items.get(&id)?;
    let versions = || item.versions.iter().map(|version| objects::version(item, version)).collect::<Vec<_>>();
    Some(match field {
        "configurationForProject" => configured_for(context, Some(id), number("projectId"), None),
        "configurationForGroup" => configured_for(context, Some(id), None, number("groupId")),
        "latestVersion" => {
            let released = arguments.get("released").and_then(Value::as_bool);
            let fits = |version: &Value| {
                released.is_none_or(|wanted| version.get("released") == Some(&json!(wanted)))
            };
            versions().into_iter().rev().find(fits).unwrap_or(Value::Null)
        }
        "effectiveVersion" => versions().into_iter().next_back().unwrap_or(Value::Null),
        "versions" => pages::by_key(versions(), arguments).ok()?,
        _ => return None,
    })
}

/// `Query.aiFoundationalChatAgents`; without access only the entries of Duo Chat come.
pub(super) fn agents(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let world = context.world();
    let project = arguments.get("projectId").and_then(objects::integer);
    let user = context.user().unwrap_or_default();
    let allowed = context.user().is_some()
        && project.is_none_or(|id| world.projects.get(&id).is_some_and(|project| project.has_member(user)));
    let rows = world
        .agents
        .iter()
        .filter(|agent| allowed || matches!(agent.reference.as_str(), "chat" | "agentic_chat"))
        .map(objects::agent);
    pages::by_offset(rows.collect(), arguments, 1_000)
}

/// `Query.aiFoundationalChatAgent`.
pub(super) fn agent(context: &Context<'_>, arguments: &Value) -> Value {
    let wanted = arguments.get("reference").and_then(Value::as_str).unwrap_or_default();
    let world = context.world();
    let found = world.agents.iter().find(|agent| agent.reference == wanted || agent.definition() == wanted);
    found.map_or(Value::Null, objects::agent)
}
