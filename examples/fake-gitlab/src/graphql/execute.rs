//! Runs a checked document.

use super::check;
use super::context::Context;
use super::document::Body;
use super::errors;
use super::node::Node;
use super::schemas::Schemas;
use crate::wire::Answer;
use apollo_compiler::ast::Document;
use apollo_compiler::resolvers::Execution;
use serde_json::{Map, Value, json};

/// The response with `data`, and `errors` if there were any.
pub(super) fn execute(
    context: &Context<'_>,
    schemas: &Schemas,
    document: &Document,
    body: &Body,
) -> Result<Value, Answer> {
    let executable = document
        .to_executable_validate(&schemas.lenient)
        .map_err(|error| errors::many(200, &check::general(&error.errors)))?;
    let name = body.operation_name.as_deref();
    let refused = |message: String| errors::alone(200, &message);
    let operation = executable.operations.get(name).map_err(|error| refused(error.message().to_string()))?;
    let variables: apollo_compiler::response::JsonMap =
        serde_json::from_value(Value::Object(body.variables.clone())).unwrap_or_default();
    let root = Node::new(context, operation.object_type(), Map::new());
    let response = Execution::new(&schemas.lenient, &executable)
        .operation(operation)
        .raw_variable_values(&variables)
        .execute_sync(&root)
        .map_err(|error| refused(reworded(&error.message().to_string())))?;
    let mut response = serde_json::to_value(response).unwrap_or_else(|_| json!({ "data": null }));
    if let Some(errors) = response.get_mut("errors") {
        errors::unpack(errors);
    }
    Ok(response)
}

/// Variables that do not fit, roughly in GitLab's words.
fn reworded(message: &str) -> String {
    match message.split_once("non-null variable '").and_then(|(_, rest)| rest.split_once('\'')) {
        Some((name, _)) => format!("Variable ${name} was provided invalid value"),
        None => message.to_owned(),
    }
}
