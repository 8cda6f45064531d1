//! References: objects are looked up only when a field of theirs is asked for.

use super::{consumer, item, message, people, pipeline, place, session};
use crate::graphql::context::Context;
use serde_json::{Map, Value, json};

/// A reference to an object by kind and number.
pub(in crate::graphql) fn reference(kind: &str, id: i64) -> Value {
    json!({ "__ref": kind, "id": id })
}

/// The object a reference leads to, if the viewer may see it; anything else as it is.
pub(in crate::graphql) fn followed(
    context: &Context<'_>,
    fields: Map<String, Value>,
) -> Option<Map<String, Value>> {
    let Some(kind) = fields.get("__ref").and_then(Value::as_str) else { return Some(fields) };
    let id = fields.get("id").and_then(Value::as_i64).unwrap_or_default();
    let world = context.world();
    let user = context.user();
    let found = match kind {
        "Project" => place::project(&world, id, user),
        "Group" => place::group(&world, id),
        "Namespace" => place::namespace(&world, id),
        "User" => people::user(&world, id),
        "DuoWorkflow" => session::session(&world, id, user),
        "DuoWorkflowEvent" => {
            let step = fields.get("step").and_then(Value::as_u64).and_then(|step| usize::try_from(step).ok());
            message::event(&world, id, step)
        }
        "AiCatalogItemConsumer" => consumer::consumer(&world, id, user),
        "AiCatalogItem" => item::item(&world, id),
        "Pipeline" => pipeline::pipeline(&world, id, user),
        "MergeRequest" => pipeline::merge_request(&world, id, user),
        _ => None,
    };
    let Some(Value::Object(mut object)) = found else { return None };
    object.insert("__id".to_owned(), json!(id));
    if let Some(type_name) = fields.get("__as") {
        object.insert("__typename".to_owned(), type_name.clone());
    }
    Some(object)
}
