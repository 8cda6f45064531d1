//! What is left of an operation on an older version.
//!
//! Fields go, arguments that carry a value of the caller stay or are reported: a filter that disappears in silence
//! would answer another question than the one that was asked.

use std::collections::BTreeSet;

use anyhow::{Result, anyhow, bail};
use apollo_compiler::ast::{Document, Field, FieldDefinition, OperationDefinition, OperationType, Selection};
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Node, Schema};

use super::operation::{Operation, Path, for_each_field};
use super::sources::VersionedSchema;

/// An operation as one version understands it.
pub(crate) struct Reduction {
    /// `None`: this version knows no root field of the operation, or not an argument that it needs.
    pub(crate) text: Option<String>,
    /// Fields that are left.
    pub(crate) kept: BTreeSet<Path>,
    /// Fields that went, without those below them.
    pub(crate) removed: Vec<Path>,
    /// Variables whose argument this version does not know.
    pub(crate) unknown_variables: Vec<String>,
}

/// Reduces for every schema, in their order.
pub(crate) fn reduce_for_all(operation: &Operation, schemas: &[VersionedSchema]) -> Result<Vec<Reduction>> {
    let reduce_for = |schema: &VersionedSchema| {
        reduce(operation, &schema.schema)
            .map_err(|error| anyhow!("{} against {}: {error}", operation.name, schema.version))
    };
    schemas.iter().map(reduce_for).collect()
}

/// The text that is sent: one line, no comments.
pub(crate) fn document_text(definition: &OperationDefinition) -> String {
    definition.serialize().no_indent().to_string()
}

fn reduce(operation: &Operation, schema: &Valid<Schema>) -> Result<Reduction> {
    let mut definition = operation.definition.as_ref().clone();
    let required = definition.variables.iter().filter(|variable| variable.ty.is_non_null());
    let required = required.map(|variable| variable.name.to_string()).collect();
    let root = schema.root_operation(OperationType::Query).map_or("Query", |name| name.as_str());

    let mut reducer = Reducer { schema, required, removed: Vec::new() };
    definition.selection_set = reducer.selections(&definition.selection_set, root, &mut Vec::new())?;
    let removed = reducer.removed;

    let mut kept = BTreeSet::new();
    let mut used = BTreeSet::new();
    for_each_field(&definition.selection_set, &mut Vec::new(), &mut |path, field| {
        kept.insert(path.to_owned());
        let variables = field.arguments.iter().filter_map(|argument| argument.value.as_variable());
        used.extend(variables.map(ToString::to_string));
        Ok(())
    })?;
    let unknown = definition.variables.iter().map(|variable| variable.name.to_string());
    let unknown_variables = unknown.filter(|name| !used.contains(name)).collect();
    definition.variables.retain(|variable| used.contains(variable.name.as_str()));

    let text = if definition.selection_set.is_empty() { None } else { Some(document_text(&definition)) };
    if let Some(text) = &text {
        validate(text, schema)?;
    }
    Ok(Reduction { text, kept, removed, unknown_variables })
}

fn validate(text: &str, schema: &Valid<Schema>) -> Result<()> {
    Document::parse(text, "reduced.graphql").map_err(|invalid| anyhow!("{}", invalid.errors))?;
    ExecutableDocument::parse_and_validate(schema, text, "reduced.graphql")
        .map_err(|invalid| anyhow!("{}", invalid.errors))?;
    Ok(())
}

struct Reducer<'a> {
    schema: &'a Valid<Schema>,
    /// Variables that must be given: without their argument the field cannot be asked for.
    required: BTreeSet<String>,
    removed: Vec<Path>,
}

impl Reducer<'_> {
    fn selections(&mut self, all: &[Selection], parent: &str, path: &mut Path) -> Result<Vec<Selection>> {
        let mut left = Vec::new();
        for selection in all {
            let Selection::Field(field) = selection else { bail!("a fragment") };
            path.push(field.name.to_string());
            match self.field(field, parent, path)? {
                Some(field) => left.push(Selection::Field(Node::new(field))),
                None => self.remove(path),
            }
            path.pop();
        }
        Ok(left)
    }

    fn field(&mut self, field: &Field, parent: &str, path: &mut Path) -> Result<Option<Field>> {
        let Ok(known) = self.schema.type_field(parent, &field.name) else { return Ok(None) };
        let mut reduced = field.clone();
        if !self.keep_known_arguments(&mut reduced, known) {
            return Ok(None);
        }
        reduced.selection_set = self.selections(&field.selection_set, known.ty.inner_named_type(), path)?;
        let emptied = reduced.selection_set.is_empty() && !field.selection_set.is_empty();
        Ok(if emptied { None } else { Some(reduced) })
    }

    /// False when an argument is unknown without which the field would mean something else.
    fn keep_known_arguments(&self, field: &mut Field, known: &FieldDefinition) -> bool {
        let mut complete = true;
        field.arguments.retain(|argument| {
            let is_known = known.argument_by_name(&argument.name).is_some();
            let may_be_left_out =
                argument.value.as_variable().is_some_and(|name| !self.required.contains(name.as_str()));
            complete &= is_known || may_be_left_out;
            is_known
        });
        complete
    }

    /// Keeps the topmost path only: what was noted below it is part of it.
    fn remove(&mut self, path: &Path) {
        self.removed.retain(|other| !other.starts_with(path));
        self.removed.push(path.clone());
    }
}
