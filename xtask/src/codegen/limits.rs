//! GitLab refuses documents above its limits: checked here, long before an instance would.

use anyhow::{Result, ensure};
use apollo_compiler::ast::{Field, OperationType, Selection};

use super::operation::Operation;
use super::reduce::document_text;
use super::sources::VersionedSchema;

/// For a signed-in caller, 18.9 and 19.3.
const COMPLEXITY: f64 = 250.0;
/// For a signed-in caller, 18.9 and 19.3.
const DEPTH: usize = 20;
/// Of the text that is sent.
const DOCUMENT_CHARS: usize = 10_000;
/// Rows that GitLab counts when a connection is asked without a literal `first`.
const LARGEST_PAGE: f64 = 100.0;
/// What GitLab charges for looking at runners.
const RUNNER_LOOK_UP: f64 = 10.0;

/// Refuses an operation that GitLab would refuse for its size.
pub(crate) fn check(operation: &Operation, newest: &VersionedSchema) -> Result<()> {
    let name = &operation.name;
    let root = newest.schema.root_operation(OperationType::Query).map_or("Query", |name| name.as_str());
    let selections = &operation.definition.selection_set;
    let complexity = complexity(selections, root, newest);
    let depth = depth(selections);
    let length = document_text(&operation.definition).chars().count();
    ensure!(complexity < COMPLEXITY, "{name}: complexity of about {complexity}, GitLab allows {COMPLEXITY}");
    ensure!(depth < DEPTH, "{name}: depth {depth}, GitLab allows {DEPTH}");
    ensure!(length <= DOCUMENT_CHARS, "{name}: {length} characters, GitLab reads {DOCUMENT_CHARS}");
    Ok(())
}

/// One per field; a connection adds a hundredth of itself per row.
fn complexity(selections: &[Selection], parent: &str, newest: &VersionedSchema) -> f64 {
    let mut sum = 0.0;
    for field in selections.iter().filter_map(Selection::as_field) {
        let Ok(definition) = newest.schema.type_field(parent, &field.name) else { continue };
        let own = if field.name == "duoWorkflowRunnerAvailable" { RUNNER_LOOK_UP } else { 1.0 };
        let inner = own + complexity(&field.selection_set, definition.ty.inner_named_type(), newest);
        let rows = if definition.argument_by_name("first").is_some() { rows(field) } else { 0.0 };
        sum += inner + inner * 0.01 * rows;
    }
    sum
}

fn rows(field: &Field) -> f64 {
    let first = field.arguments.iter().find(|argument| argument.name == "first");
    first.and_then(|argument| argument.value.to_f64()).unwrap_or(LARGEST_PAGE)
}

fn depth(selections: &[Selection]) -> usize {
    let fields = selections.iter().filter_map(Selection::as_field);
    fields.map(|field| 1 + depth(&field.selection_set)).max().unwrap_or(0)
}
