//! The endpoint: who asks, what is asked, whether it may be asked, and the answer.

use super::context::Context;
use super::document::{self, Body};
use super::schemas::Schemas;
use super::{check, errors, execute, global_ids, introduced, weight};
use crate::auth::{self, Caller};
use crate::wire::{Answer, Request};
use crate::world::World;
use apollo_compiler::ast::{Document, OperationDefinition, Selection};

/// Characters of a query; more is refused before anything is parsed.
const QUERY_LIMIT: usize = 10_000;

pub(crate) fn answer(world: &mut World, schemas: &Schemas, request: &Request) -> Answer {
    attempt(world, schemas, request).unwrap_or_else(|refusal| refusal)
}

fn attempt(world: &mut World, schemas: &Schemas, request: &Request) -> Result<Answer, Answer> {
    if request.method != "POST" {
        return Err(Answer::json(404, &serde_json::json!({ "error": "404 Not Found" })));
    }
    let viewer = match auth::caller(world, &request.headers) {
        Caller::Anonymous => None,
        Caller::Known(viewer) => Some(viewer),
        Caller::Unknown | Caller::Expired | Caller::Revoked => {
            return Err(errors::alone(401, "Invalid token"));
        }
    };
    let body = document::read(&request.body).map_err(|message| errors::alone(422, message))?;
    if body.query.chars().count() > QUERY_LIMIT {
        return Err(errors::alone(422, "Query too large"));
    }
    let asked = Document::parse(body.query.as_str(), "query")
        .map_err(|error| errors::many(200, &check::general(&error.errors)))?;
    let kept = if schemas.knows_introduced() {
        introduced::drop_newer(&asked, &world.version)
    } else {
        asked.clone()
    };
    let operation = document::operation(&kept, body.operation_name.as_deref())
        .ok_or_else(|| errors::alone(200, "No operation to execute"))?;
    introspection(&body, operation)?;
    valid(schemas, &kept)?;
    light_enough(schemas, &kept, operation, &body, viewer.is_some())?;
    let wrong = global_ids::in_variables(operation, &body.variables);
    if !wrong.is_empty() {
        return Err(errors::many(200, &wrong));
    }
    let version = world.version.clone();
    let context = Context::new(world, viewer);
    let mut response = execute::execute(&context, schemas, &kept, &body)?;
    let whole = document::operation(&asked, body.operation_name.as_deref());
    if let (Some(data), Some(whole)) = (response.get_mut("data"), whole) {
        introduced::fill(data, &asked, &whole.selection_set, &version);
    }
    Ok(Answer::json(200, &response))
}

/// A whole schema is a static file of some MiB whatever was asked; other ways in are closed.
fn introspection(body: &Body, operation: &OperationDefinition) -> Result<(), Answer> {
    let asks = operation.selection_set.iter().any(|selection| {
        matches!(selection, Selection::Field(field) if field.name == "__schema" || field.name == "__type")
    });
    if !asks {
        return Ok(());
    }
    let name = body.operation_name.as_deref().or(operation.name.as_ref().map(|name| name.as_str()));
    if name.is_none_or(|name| name == "IntrospectionQuery") {
        let mut text = "{\"data\":{\"__schema\":{\"types\":[]}}}".to_owned();
        text.push_str(&" ".repeat(4 << 20));
        return Err(Answer::new(200, "application/json", text));
    }
    Err(errors::alone(200, "GraphQL introspection is disabled. Use the published schema instead."))
}

fn valid(schemas: &Schemas, document: &Document) -> Result<(), Answer> {
    let undefined = check::undefined(&schemas.strict, document);
    if !undefined.is_empty() {
        return Err(errors::many(200, &undefined));
    }
    match document.to_executable_validate(&schemas.strict) {
        Ok(_) => Ok(()),
        Err(error) => Err(errors::many(200, &check::general(&error.errors))),
    }
}

fn light_enough(
    schemas: &Schemas,
    document: &Document,
    operation: &OperationDefinition,
    body: &Body,
    signed_in: bool,
) -> Result<(), Answer> {
    let (most, deepest) = if signed_in { (250.0, 20) } else { (200.0, 15) };
    let weight = weight::weigh(&schemas.strict, document, operation, &body.variables);
    if weight.depth > deepest {
        let text = format!("Query has depth of {}, which exceeds max depth of {deepest}", weight.depth);
        return Err(errors::alone(200, &text));
    }
    if weight.complexity.floor() > most {
        let complexity = weight.complexity.floor();
        let text = format!("Query has complexity of {complexity}, which exceeds max complexity of {most}");
        return Err(errors::alone(200, &text));
    }
    Ok(())
}
