//! Fields that depend on arguments or on who asks; all others stand in the objects.

use super::context::Context;
use super::errors::Failure;
use super::objects::reference;
use super::{catalog, mutations, objects, pages, query, sessions};
use serde_json::{Map, Value, json};

/// Consumers that may say their pinned version in one operation.
const PINNED_LIMIT: usize = 20;

/// The value of a field, or `None` when it stands in the object.
pub(super) fn field(
    context: &Context<'_>,
    type_name: &str,
    object: &Map<String, Value>,
    field: &str,
    arguments: &Value,
) -> Result<Option<Value>, Failure> {
    match type_name {
        "Query" => query::field(context, field, arguments).map(Some),
        "Mutation" => mutations::field(context, field, arguments).map(Some),
        "Project" => project(context, number(object), field, arguments),
        "DuoWorkflow" => session(object, field, arguments),
        "MergeRequest" | "Pipeline" | "WorkItem" | "Note" => {
            Ok(object.get(field).is_none().then(|| empty_connection(field)).flatten())
        }
        "AiCatalogItemConsumer" if field == "pinnedItemVersion" => pinned_version(context, object).map(Some),
        "AiCatalogAgent" | "AiCatalogFlow" | "AiCatalogThirdPartyFlow" => {
            Ok(catalog::item_field(context, number(object), field, arguments))
        }
        _ => Ok(None),
    }
}

fn number(object: &Map<String, Value>) -> i64 {
    object.get("__id").and_then(Value::as_i64).unwrap_or_default()
}

fn project(context: &Context<'_>, id: i64, field: &str, arguments: &Value) -> Result<Option<Value>, Failure> {
    Ok(Some(match field {
        "mergeRequest" => {
            let iid = arguments.get("iid").and_then(objects::integer).unwrap_or_default();
            context
                .world()
                .merge_request_of(id, iid)
                .map_or(Value::Null, |row| reference("MergeRequest", row.id))
        }
        "pipeline" => pipeline(context, id, arguments),
        "duoWorkflowWorkflows" => sessions::of_project(context, id, arguments)?,
        "duoWorkflowEvents" => sessions::events(context, arguments)?,
        "aiCatalogItem" => catalog::item(context, arguments),
        "aiCatalogItemConsumerForItem" => catalog::consumer_for_item(context, id, arguments),
        "aiCatalogItems" => catalog::items(context, arguments)?,
        "aiFlowTriggers" | "duoWorkflowSessionArtifacts" => pages::by_key(Vec::new(), arguments)?,
        _ => return Ok(None),
    }))
}

fn pipeline(context: &Context<'_>, project: i64, arguments: &Value) -> Value {
    let world = context.world();
    let wanted = |name: &str| arguments.get(name).filter(|value| !value.is_null());
    let found = world.pipelines.values().rev().find(|row| {
        row.project == project
            && wanted("id").is_none_or(|id| objects::integer(id) == Some(row.id))
            && wanted("iid").is_none_or(|iid| objects::integer(iid) == Some(row.iid))
            && wanted("sha").is_none_or(|sha| sha.as_str() == Some(row.sha.as_str()))
    });
    found.map_or(Value::Null, |row| reference("Pipeline", row.id))
}

fn session(object: &Map<String, Value>, field: &str, arguments: &Value) -> Result<Option<Value>, Failure> {
    match field {
        "mergeRequestLinks" | "workItemLinks" | "noteLinks" | "pipelineLinks" => {
            let Some(Value::Array(rows)) = object.get(field).cloned() else { return Ok(None) };
            let wanted = arguments.get("linkType").and_then(Value::as_str);
            let fits =
                |row: &Value| wanted.is_none() || row.get("linkType").and_then(Value::as_str) == wanted;
            pages::by_key(rows.into_iter().filter(fits).collect(), arguments).map(Some)
        }
        "toolCallApproved" => Ok(Some(json!(false))),
        "toolCallApprovalMatch" => {
            Ok(Some(json!({ "matched": false, "matchType": null, "matchedPattern": null })))
        }
        _ => Ok(None),
    }
}

fn pinned_version(context: &Context<'_>, object: &Map<String, Value>) -> Result<Value, Failure> {
    let calls = context.pinned_calls.get() + 1;
    context.pinned_calls.set(calls);
    if calls > PINNED_LIMIT {
        let text = format!(
            "\"pinnedItemVersion\" field can be requested only for {PINNED_LIMIT} AiCatalogItemConsumer(s) at a time."
        );
        return Err(Failure::new(&text));
    }
    Ok(object.get("pinnedItemVersion").cloned().unwrap_or(Value::Null))
}

fn empty_connection(field: &str) -> Option<Value> {
    let is_connection = matches!(field, "duoWorkflows" | "duoWorkflowLinks");
    is_connection.then(|| pages::by_key(Vec::new(), &Value::Null).unwrap_or_default())
}
