//! How heavy a query is: GitLab's complexity, roughly, and its depth.

use super::document::fragment;
use apollo_compiler::Schema;
use apollo_compiler::ast::{Document, Field, OperationDefinition, Selection, Value as Literal};
use apollo_compiler::validation::Valid;
use serde_json::{Map, Value};

/// Complexity and depth of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Weight {
    pub(super) complexity: f64,
    pub(super) depth: usize,
}

/// Weighs an operation. Fragments count wherever they are used.
pub(super) fn weigh(
    schema: &Valid<Schema>,
    document: &Document,
    operation: &OperationDefinition,
    variables: &Map<String, Value>,
) -> Weight {
    let scales = Scales { schema, document, variables };
    let root = schema.root_operation(operation.operation_type).map(ToString::to_string).unwrap_or_default();
    scales.selections(&operation.selection_set, &root, 0)
}

struct Scales<'s> {
    schema: &'s Valid<Schema>,
    document: &'s Document,
    variables: &'s Map<String, Value>,
}

impl Scales<'_> {
    fn selections(&self, selections: &[Selection], type_name: &str, nesting: usize) -> Weight {
        let mut sum = Weight::default();
        for selection in selections {
            let weight = match selection {
                Selection::Field(field) => self.field(field, type_name, nesting),
                Selection::InlineFragment(inline) => {
                    let inner = inline.type_condition.as_ref().map_or(type_name, |name| name.as_str());
                    self.selections(&inline.selection_set, inner, nesting)
                }
                // A fragment that uses itself is refused elsewhere.
                Selection::FragmentSpread(_) if nesting > 100 => Weight::default(),
                Selection::FragmentSpread(spread) => {
                    let selections = fragment(self.document, &spread.fragment_name).unwrap_or_default();
                    self.selections(selections, type_name, nesting + 1)
                }
            };
            sum.complexity += weight.complexity;
            sum.depth = sum.depth.max(weight.depth);
        }
        sum
    }

    fn field(&self, field: &Field, type_name: &str, nesting: usize) -> Weight {
        if field.name == "__typename" {
            return Weight { complexity: 0.2, depth: 1 };
        }
        let definition = self.schema.type_field(type_name, &field.name).ok();
        let inner =
            definition.map(|definition| definition.ty.inner_named_type().as_str()).unwrap_or_default();
        let below = self.selections(&field.selection_set, inner, nesting + 1);
        let own = match field.name.as_str() {
            "duoWorkflowRunnerAvailable" | "duoWorkflowUsableRunnerType" => 10.0,
            _ => 1.0,
        };
        let mut complexity = own + below.complexity + self.extras(field);
        if inner.ends_with("Connection") {
            let per_row = if field.name == "aiFoundationalChatAgents" { 0.005 } else { 0.01 };
            complexity += complexity * per_row * self.page_size(field);
        }
        Weight { complexity, depth: below.depth + 1 }
    }

    fn extras(&self, field: &Field) -> f64 {
        let given = |name: &str| self.argument(field, name).is_some_and(|value| !value.is_null());
        f64::from(u8::from(given("sort"))) + f64::from(u8::from(given("search"))) * 5.0
    }

    fn page_size(&self, field: &Field) -> f64 {
        let size = |name: &str| self.argument(field, name).and_then(|value| value.as_f64());
        size("first").or_else(|| size("last")).map_or(100.0, |size| size.clamp(0.0, 100.0))
    }

    fn argument(&self, field: &Field, name: &str) -> Option<Value> {
        let argument = field.arguments.iter().find(|argument| argument.name == name)?;
        match argument.value.as_ref() {
            Literal::Variable(variable) => self.variables.get(variable.as_str()).cloned(),
            Literal::Int(number) => number.try_to_i32().ok().map(Value::from),
            Literal::Null => Some(Value::Null),
            other => Some(Value::from(other.to_string())),
        }
    }
}
