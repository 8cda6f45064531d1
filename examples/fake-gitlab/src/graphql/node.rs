//! JSON objects as GraphQL objects: fields are computed, or taken from the object.

use super::computed;
use super::context::Context;
use super::errors::Failure;
use super::{global_ids, objects, pages, scopes};
use apollo_compiler::Schema;
use apollo_compiler::ast::Type;
use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::validation::Valid;
use serde_json::{Map, Value};

/// An object of a concrete type.
pub(super) struct Node<'c, 'w> {
    context: &'c Context<'w>,
    type_name: String,
    fields: Map<String, Value>,
}

impl<'c, 'w> Node<'c, 'w> {
    pub(super) fn new(context: &'c Context<'w>, type_name: &str, fields: Map<String, Value>) -> Self {
        Self { context, type_name: type_name.to_owned(), fields }
    }

    fn value(&self, field: &str, arguments: &Value, target: &str) -> Result<Value, Failure> {
        if !scopes::admit(self.context.viewer(), &self.type_name, field, target) {
            return Ok(Value::Null);
        }
        if let Some(value) = computed::field(self.context, &self.type_name, &self.fields, field, arguments)? {
            return Ok(value);
        }
        let value = self.fields.get(field).cloned().unwrap_or(Value::Null);
        // A plain list where the schema has a connection is paged by its keys.
        match value {
            Value::Array(rows) if target.ends_with("Connection") => pages::by_key(rows, arguments),
            other => Ok(other),
        }
    }
}

impl ObjectValue for Node<'_, '_> {
    fn type_name(&self) -> &str {
        &self.type_name
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let definition = info.field_definition();
        let arguments = serde_json::to_value(info.arguments()).unwrap_or_default();
        let target = definition.ty.inner_named_type().as_str();
        let value = global_ids::in_arguments(definition, &arguments)
            .and_then(|()| self.value(info.field_name(), &arguments, target))
            .map_err(|failure| FieldError { message: failure.pack() })?;
        if value.is_null() && definition.ty.is_non_null() {
            return Err(FieldError { message: missing(&self.type_name, info.field_name()).pack() });
        }
        Ok(resolved(self.context, value, &definition.ty, info.schema()))
    }
}

/// A null where none may be: at the root because of scopes, below because the world lacks something.
fn missing(type_name: &str, field: &str) -> Failure {
    match type_name {
        "Query" | "Mutation" => Failure::new(super::errors::NO_RESOURCE),
        _ => Failure::new(&format!("Cannot return null for non-nullable field {type_name}.{field}")),
    }
}

fn resolved<'a>(
    context: &'a Context<'_>,
    value: Value,
    wanted: &Type,
    schema: &Valid<Schema>,
) -> ResolvedValue<'a> {
    let name = wanted.inner_named_type().as_str();
    match value {
        Value::Array(rows) if wanted.is_list() => {
            let rows: Vec<_> =
                rows.into_iter().map(|row| resolved(context, row, wanted.item_type(), schema)).collect();
            ResolvedValue::list(rows)
        }
        Value::Object(fields) if is_composite(schema, name) => object(context, fields, name),
        other => ResolvedValue::leaf(other),
    }
}

fn is_composite(schema: &Valid<Schema>, name: &str) -> bool {
    schema.types.get(name).is_some_and(|known| known.is_object() || known.is_interface() || known.is_union())
}

/// An object as it is, or the one a reference leads to.
fn object<'a>(context: &'a Context<'_>, fields: Map<String, Value>, declared: &str) -> ResolvedValue<'a> {
    let fields = match objects::followed(context, fields) {
        Some(fields) => fields,
        None => return ResolvedValue::null(),
    };
    let type_name = fields.get("__typename").and_then(Value::as_str).unwrap_or(declared).to_owned();
    ResolvedValue::object(Node::new(context, &type_name, fields))
}
