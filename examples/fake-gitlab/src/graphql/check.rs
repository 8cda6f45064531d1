//! Finds fields and arguments that the played version does not have, in GitLab's own words.

use super::errors;
use apollo_compiler::Schema;
use apollo_compiler::ast::{Definition, Document, Field, Selection};
use apollo_compiler::diagnostic::ToCliReport as _;
use apollo_compiler::validation::{DiagnosticList, Valid};
use serde_json::{Value, json};

/// GitLab stops counting after so many.
const MOST_ERRORS: usize = 5;

/// All errors of undefined fields and arguments, at most five.
pub(super) fn undefined(schema: &Valid<Schema>, document: &Document) -> Vec<Value> {
    let mut check = Check { schema, document, errors: Vec::new() };
    for definition in &document.definitions {
        check.definition(definition);
    }
    check.errors.truncate(MOST_ERRORS);
    check.errors
}

struct Check<'c> {
    schema: &'c Valid<Schema>,
    document: &'c Document,
    errors: Vec<Value>,
}

impl Check<'_> {
    fn definition(&mut self, definition: &Definition) {
        if let Some(operation) = definition.as_operation_definition() {
            let Some(root) = self.schema.root_operation(operation.operation_type) else { return };
            let kind = operation.operation_type.name();
            let name =
                operation.name.as_ref().map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"));
            let root = root.to_string();
            self.selections(&operation.selection_set, &root, &mut vec![name]);
        } else if let Some(fragment) = definition.as_fragment_definition() {
            let name = format!("fragment {}", fragment.name);
            self.selections(&fragment.selection_set, &fragment.type_condition, &mut vec![name]);
        }
    }

    fn selections(&mut self, selections: &[Selection], type_name: &str, path: &mut Vec<String>) {
        for selection in selections {
            match selection {
                Selection::Field(field) => self.field(field, type_name, path),
                Selection::InlineFragment(inline) => {
                    let inner = inline.type_condition.as_ref().map_or(type_name, |name| name.as_str());
                    path.push(format!("... on {inner}"));
                    self.selections(&inline.selection_set, inner, path);
                    path.pop();
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn field(&mut self, field: &apollo_compiler::Node<Field>, type_name: &str, path: &mut Vec<String>) {
        // An unknown type is told by the general check.
        if field.name.starts_with("__") || !self.schema.types.contains_key(type_name) {
            return;
        }
        path.push(field.response_name().to_string());
        match self.schema.type_field(type_name, &field.name) {
            Err(_) => self.no_field(field, type_name, path),
            Ok(definition) => {
                let inner = definition.ty.inner_named_type().to_string();
                let unknown =
                    field.arguments.iter().filter(|given| definition.argument_by_name(&given.name).is_none());
                for argument in unknown {
                    self.no_argument(field, argument, path);
                }
                self.selections(&field.selection_set, &inner, path);
            }
        }
        path.pop();
    }

    fn no_field(&mut self, field: &apollo_compiler::Node<Field>, type_name: &str, path: &[String]) {
        let message = format!("Field '{}' doesn't exist on type '{type_name}'", field.name);
        let extensions =
            json!({ "code": "undefinedField", "typeName": type_name, "fieldName": field.name.as_str() });
        self.errors.push(errors::at(&message, field.location(), &self.document.sources, path, extensions));
    }

    fn no_argument(
        &mut self,
        field: &Field,
        argument: &apollo_compiler::Node<apollo_compiler::ast::Argument>,
        path: &[String],
    ) {
        let message = format!("Field '{}' doesn't accept argument '{}'", field.name, argument.name);
        let extensions = json!({
            "code": "argumentNotAccepted", "name": field.name.as_str(), "typeName": "Field",
            "argumentName": argument.name.as_str(),
        });
        let path: Vec<_> = path.iter().cloned().chain([argument.name.to_string()]).collect();
        self.errors.push(errors::at(
            &message,
            argument.location(),
            &self.document.sources,
            &path,
            extensions,
        ));
    }
}

/// Everything else that can be wrong with a document: the compiler's words, GitLab's codes.
pub(super) fn general(diagnostics: &DiagnosticList) -> Vec<Value> {
    diagnostics
        .iter()
        .take(MOST_ERRORS)
        .map(|diagnostic| {
            let place = diagnostic.error.location().and_then(|span| span.line_column(diagnostic.sources));
            let locations: Vec<_> = place
                .into_iter()
                .map(|place| json!({ "line": place.line, "column": place.column }))
                .collect();
            let mut error =
                json!({ "message": diagnostic.error.to_string(), "locations": locations, "path": [] });
            let code = diagnostic.error.unstable_error_name().and_then(code);
            if let (Value::Object(error), Some(code)) = (&mut error, code) {
                error.insert("extensions".to_owned(), json!({ "code": code }));
            }
            error
        })
        .collect()
}

fn code(name: &str) -> Option<&'static str> {
    Some(match name {
        "UnusedVariable" => "variableNotUsed",
        "UndefinedVariable" => "variableNotDefined",
        "UndefinedDirective" => "undefinedDirective",
        "UndefinedFragment" => "useAndDefineFragment",
        "UnusedFragment" => "useAndDefineFragment",
        "RequiredArgument" => "missingRequiredArguments",
        "DisallowedVariableUsage" => "variableMismatch",
        "MissingSubselection" | "SubselectionOnScalarType" | "SubselectionOnEnumType" => "selectionMismatch",
        "UndefinedEnumValue" | "UnsupportedValueType" => "argumentLiteralsIncompatible",
        "UndefinedInputValue" => "argumentNotAccepted",
        "UndefinedDefinition"
        | "UndefinedTypeInNamedFragmentTypeCondition"
        | "UndefinedTypeInInlineFragmentTypeCondition" => "undefinedType",
        _ => return None,
    })
}
