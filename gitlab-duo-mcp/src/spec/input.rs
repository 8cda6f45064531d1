//! The input schema of a tool, made from its arguments: one flat object, since some AI services
//! refuse every tool of a list when one of them is more than that.

use serde_json::{Map, Value, json};

use crate::spec::tool::{Argument, Kind, ToolSpec};

/// The schema. Only `action` is required by it: what an action needs is said in the descriptions
/// and checked by the tool, which names what is missing.
pub(crate) fn schema(spec: &ToolSpec) -> Map<String, Value> {
    let properties: Map<_, _> =
        spec.arguments.iter().map(|argument| (argument.name.to_owned(), property(argument))).collect();
    let required: Vec<_> = if spec.actions.len() > 1 { vec!["action"] } else { needed(spec) };
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

fn needed(spec: &ToolSpec) -> Vec<&'static str> {
    spec.actions.iter().flat_map(|action| action.needed).copied().collect()
}

fn property(argument: &Argument) -> Value {
    let description = argument.description;
    match argument.kind {
        Kind::Text => json!({"type": "string", "description": description}),
        Kind::Choice(names) => json!({"type": "string", "enum": names(), "description": description}),
        Kind::Choices(names) => {
            json!({"type": "array", "items": {"type": "string", "enum": names()}, "description": description})
        }
        Kind::Count { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most, "description": description})
        }
        Kind::Flag => json!({"type": "boolean", "description": description}),
    }
}
