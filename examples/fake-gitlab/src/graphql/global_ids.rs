//! Global ids that clients send: form and class must fit the argument.

use super::errors::Failure;
use apollo_compiler::ast::{OperationDefinition, Type};
use serde_json::{Map, Value, json};

/// Scalars of global ids and the classes they stand for.
const CLASSES: [(&str, &[&str]); 13] = [
    ("AiCatalogItemConsumerID", &["Ai::Catalog::ItemConsumer"]),
    ("AiCatalogItemID", &["Ai::Catalog::Item"]),
    ("AiCatalogItemVersionID", &["Ai::Catalog::ItemVersion"]),
    ("AiDuoWorkflowsWorkflowID", &["Ai::DuoWorkflows::Workflow"]),
    ("CiPipelineID", &["Ci::Pipeline"]),
    ("GroupID", &["Group"]),
    ("IssueID", &["Issue", "WorkItem"]),
    ("MergeRequestID", &["MergeRequest"]),
    ("NamespaceID", &["Namespace", "Group", "Namespaces::UserNamespace", "Namespaces::ProjectNamespace"]),
    ("NoteID", &["Note", "DiscussionNote", "DiffNote"]),
    ("ProjectID", &["Project"]),
    ("UserID", &["User"]),
    ("WorkItemID", &["WorkItem", "Issue"]),
];

/// What is wrong with a value for that type; lists are checked one by one.
fn problem(type_name: &str, value: &Value) -> Option<String> {
    let (_, classes) = CLASSES.iter().find(|(name, _)| *name == type_name)?;
    match value {
        Value::Null => None,
        Value::Array(values) => values.iter().find_map(|value| problem(type_name, value)),
        other => {
            let shown = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            let parts = other.as_str().and_then(|text| text.strip_prefix("gid://gitlab/")?.rsplit_once('/'));
            let Some((class, _)) = parts.filter(|(class, id)| !class.is_empty() && !id.is_empty()) else {
                return Some(format!("\"{shown}\" is not a valid GitLab ID."));
            };
            let fits = classes.contains(&class);
            (!fits).then(|| format!("\"{shown}\" does not represent an instance of {}", classes.join(", ")))
        }
    }
}

/// Errors of the variables of an operation.
pub(super) fn in_variables(operation: &OperationDefinition, variables: &Map<String, Value>) -> Vec<Value> {
    let wrong = |name: &str, ty: &Type| {
        let value = variables.get(name)?;
        let problem = problem(ty.inner_named_type(), value)?;
        let problems = json!([{ "path": [], "explanation": problem, "message": problem }]);
        Some(json!({
            "message": format!("Variable ${name} of type {ty} was provided invalid value"),
            "extensions": { "value": value, "problems": problems },
        }))
    };
    operation.variables.iter().filter_map(|variable| wrong(&variable.name, &variable.ty)).collect()
}

/// The first error in the arguments of a field, by the types they have in the schema.
pub(super) fn in_arguments(
    definition: &apollo_compiler::schema::FieldDefinition,
    arguments: &Value,
) -> Result<(), Failure> {
    let given = |name: &str| arguments.get(name);
    let wrong = definition
        .arguments
        .iter()
        .find_map(|argument| problem(argument.ty.inner_named_type(), given(&argument.name)?));
    wrong.map_or(Ok(()), |problem| Err(Failure::new(&problem)))
}
