//! Fields at the root of queries.

use super::context::Context;
use super::errors::Failure;
use super::objects::{integer, reference};
use super::{catalog, pages, sessions};
use serde_json::{Value, json};

pub(super) fn field(context: &Context<'_>, field: &str, arguments: &Value) -> Result<Value, Failure> {
    Ok(match field {
        "metadata" => metadata(context),
        "currentUser" => {
            context.user().map_or(Value::Null, |user| typed("CurrentUser", reference("User", user)))
        }
        "project" => project(context, arguments),
        "group" => group(context, arguments, "Group"),
        "namespace" => group(context, arguments, "Namespace"),
        "mergeRequest" => by_id("MergeRequest", arguments),
        "duoWorkflowWorkflows" => sessions::own(context, arguments)?,
        "duoWorkflowEvents" => sessions::events(context, arguments)?,
        "duoWorkflowBranches" => json!([]),
        "duoWorkflowRecentSessionProjects" => recent_projects(context),
        "duoDefaultNamespaceCandidates" => candidates(context, arguments)?,
        "aiCatalogConfiguredItems" => catalog::configured(context, arguments)?,
        "aiCatalogItem" => catalog::item(context, arguments),
        "aiCatalogItemConsumer" => catalog::consumer(context, arguments),
        "aiCatalogItems" => catalog::items(context, arguments)?,
        "aiCatalogCustomAndFoundationalItems" => catalog::items(context, arguments)?,
        "aiCatalogItemVersions" | "aiCatalogBuiltInTools" => pages::by_key(Vec::new(), arguments)?,
        "aiCatalogAvailableFlowsForProject" => catalog::items(context, arguments)?,
        "aiFoundationalChatAgents" => catalog::agents(context, arguments)?,
        "aiFoundationalChatAgent" => catalog::agent(context, arguments),
        "aiFlowsMetadata" => json!({ "capabilities": [] }),
        "gitlabCreditsAvailable" => json!(context.world().settings.credits_available),
        "gitlabCreditsUnavailableReason" => {
            let available = context.world().settings.credits_available;
            if available { Value::Null } else { json!("USAGE_BILLING_FORBIDDEN") }
        }
        _ => Value::Null,
    })
}

fn metadata(context: &Context<'_>) -> Value {
    if context.viewer().is_none() {
        return Value::Null;
    }
    let world = context.world();
    json!({
        "version": world.version().to_string(), "revision": "1a2b3c4d5e6",
        "enterprise": world.settings.enterprise,
    })
}

/// Only the present full path; old paths and numbers find nothing.
fn project(context: &Context<'_>, arguments: &Value) -> Value {
    let path = arguments.get("fullPath").and_then(Value::as_str).unwrap_or_default();
    context.world().project_at(path).map_or(Value::Null, |project| reference("Project", project.id))
}

fn group(context: &Context<'_>, arguments: &Value, kind: &str) -> Value {
    let path = arguments.get("fullPath").and_then(Value::as_str).unwrap_or_default();
    let world = context.world();
    let visible = world
        .group_at(path)
        .filter(|group| context.user().is_some_and(|user| world.in_group(user, group.id)));
    visible.map_or(Value::Null, |group| reference(kind, group.id))
}

fn by_id(kind: &str, arguments: &Value) -> Value {
    arguments.get("id").and_then(integer).map_or(Value::Null, |id| reference(kind, id))
}

fn recent_projects(context: &Context<'_>) -> Value {
    let world = context.world();
    let own = world.sessions.values().rev().filter(|session| Some(session.user) == context.user());
    let mut ids: Vec<i64> = Vec::new();
    for id in own.filter_map(|session| session.project) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.into_iter().take(50).map(|id| reference("Project", id)).collect()
}

fn candidates(context: &Context<'_>, arguments: &Value) -> Result<Value, Failure> {
    let world = context.world();
    let mine = |id: i64| context.user().is_some_and(|user| world.in_group(user, id));
    let rows = world.groups.values().filter(|group| group.parent.is_none() && mine(group.id));
    pages::by_key(rows.map(|group| reference("Namespace", group.id)).collect(), arguments)
}

/// A reference whose object gets another type.
fn typed(type_name: &str, mut reference: Value) -> Value {
    if let Value::Object(fields) = &mut reference {
        fields.insert("__as".to_owned(), json!(type_name));
    }
    reference
}
