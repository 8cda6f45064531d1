//! The body of a GraphQL request and the operation it means.

use apollo_compiler::Node;
use apollo_compiler::ast::{Definition, Document, OperationDefinition, Selection};
use serde_json::{Map, Value};

/// What a client sent.
pub(super) struct Body {
    pub(super) query: String,
    pub(super) variables: Map<String, Value>,
    pub(super) operation_name: Option<String>,
}

/// Reads a body; the error is the message of a 4xx answer.
pub(super) fn read(body: &[u8]) -> Result<Body, &'static str> {
    let body: Value = serde_json::from_slice(body).map_err(|_| "Unexpected end of document")?;
    let variables = match body.get("variables") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(map)) => map.clone(),
        Some(Value::String(text)) if text.is_empty() => Map::new(),
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|_| "Invalid variables JSON")?,
        Some(_) => return Err("Invalid variables JSON"),
    };
    Ok(Body {
        query: body.get("query").and_then(Value::as_str).unwrap_or_default().to_owned(),
        variables,
        operation_name: body.get("operationName").and_then(Value::as_str).map(str::to_owned),
    })
}

/// The operation of that name, or the only one.
pub(super) fn operation<'d>(
    document: &'d Document,
    name: Option<&str>,
) -> Option<&'d Node<OperationDefinition>> {
    let mut operations = document.definitions.iter().filter_map(Definition::as_operation_definition);
    match name {
        Some(name) => operations.find(|operation| operation.name.as_ref().is_some_and(|known| known == name)),
        None => operations.next(),
    }
}

/// Name of the operation in a body, and the fields at its root.
pub(crate) fn root_fields(body: &[u8]) -> (Option<String>, Vec<String>) {
    let Ok(body) = read(body) else { return (None, Vec::new()) };
    let Ok(document) = Document::parse(body.query.as_str(), "query") else {
        return (body.operation_name, Vec::new());
    };
    let Some(operation) = operation(&document, body.operation_name.as_deref()) else {
        return (body.operation_name, Vec::new());
    };
    let mut fields = Vec::new();
    collect(&document, &operation.selection_set, &mut fields, 0);
    let name = operation.name.as_ref().map(ToString::to_string);
    (name.or(body.operation_name), fields)
}

fn collect(document: &Document, selections: &[Selection], fields: &mut Vec<String>, depth: usize) {
    for selection in selections {
        match selection {
            Selection::Field(field) => fields.push(field.name.to_string()),
            Selection::InlineFragment(inline) => collect(document, &inline.selection_set, fields, depth),
            Selection::FragmentSpread(spread) if depth < 8 => {
                if let Some(selections) = fragment(document, &spread.fragment_name) {
                    collect(document, selections, fields, depth + 1);
                }
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

/// The selections of a fragment.
pub(super) fn fragment<'d>(document: &'d Document, name: &str) -> Option<&'d [Selection]> {
    let fragments = document.definitions.iter().filter_map(Definition::as_fragment_definition);
    let mut named = fragments.filter(|fragment| fragment.name == name);
    named.next().map(|fragment| fragment.selection_set.as_slice())
}
