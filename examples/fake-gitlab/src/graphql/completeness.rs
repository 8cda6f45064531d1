//! Every leaf of every played schema can be asked for: nothing non-null is missing.

use super::endpoint::answer;
use super::schemas::Schemas;
use crate::version::Version;
use crate::wire::Request;
use crate::world::{World, demo};
use apollo_compiler::Schema;
use apollo_compiler::schema::ExtendedType;
use serde_json::{Value, json};

const WORKFLOW: &str = "gid://gitlab/Ai::DuoWorkflows::Workflow/733";

/// Root selections, and the type of what is asked there.
const PLACES: [(&str, &str, &str); 13] = [
    ("duoWorkflowWorkflows", "duoWorkflowWorkflows(first: 20) { nodes { … } }", "DuoWorkflow"),
    ("duoWorkflowEvents", "duoWorkflowEvents(workflowId: \"W\") { nodes { … } }", "DuoWorkflowEvent"),
    (
        "aiCatalogConfiguredItems",
        "aiCatalogConfiguredItems(projectId: \"gid://gitlab/Project/4021\", first: 20) { nodes { … } }",
        "AiCatalogItemConsumer",
    ),
    ("aiCatalogItem", "aiCatalogItem(id: \"gid://gitlab/Ai::Catalog::Item/3091\") { … }", "AiCatalogItem"),
    (
        "aiFoundationalChatAgents",
        "aiFoundationalChatAgents(first: 9) { nodes { … } }",
        "AiFoundationalChatAgent",
    ),
    ("project", "project(fullPath: \"example-group/backend\") { … }", "Project"),
    (
        "project",
        "project(fullPath: \"example-group/backend\") { mergeRequest(iid: \"317\") { … } }",
        "MergeRequest",
    ),
    ("project", "project(fullPath: \"example-group/backend\") { pipeline(iid: \"512\") { … } }", "Pipeline"),
    ("group", "group(fullPath: \"example-group\") { … }", "Group"),
    ("namespace", "namespace(fullPath: \"example-group\") { … }", "Namespace"),
    ("currentUser", "currentUser { … }", "CurrentUser"),
    ("metadata", "metadata { … }", "Metadata"),
    ("gitlabCreditsAvailable", "gitlabCreditsAvailable gitlabCreditsUnavailableReason", "Query"),
];

#[test]
fn every_leaf_of_every_release_is_answered() {
    for release in ["17.3", "18.5", "18.7", "18.9", "19.3", "19.4", "19.5"] {
        let version = Version::parse(release);
        let schemas = Schemas::of(&version, None).unwrap();
        let mut world = World::empty(version, crate::clock::start());
        demo::furnish(&mut world);
        demo::add_example_sessions(&mut world);
        // In 17.3 a session always has a project, so that the group's one could not be shown.
        world.sessions.remove(&749);
        for (root, selection, type_name) in PLACES {
            if schemas.strict.type_field("Query", root).is_err() {
                continue;
            }
            // Some at a time: a query must stay light.
            for some in leaves(&schemas.strict, type_name, 2).chunks(12) {
                let query =
                    selection.replace('…', &some.join(" ")).replace("\"W\"", &format!("\"{WORKFLOW}\""));
                let reply = ask(&mut world, &schemas, &format!("{{ {query} }}"));
                assert_eq!(reply.get("errors"), None, "{release}: {query}\n{reply}");
            }
        }
    }
}

fn ask(world: &mut World, schemas: &Schemas, query: &str) -> Value {
    let request = Request {
        method: "POST".to_owned(),
        path: "/api/graphql".to_owned(),
        query: String::new(),
        headers: vec![("private-token".to_owned(), demo::TOKEN.to_owned())],
        body: json!({ "query": query }).to_string().into_bytes(),
    };
    serde_json::from_slice(&answer(world, schemas, &request).body).unwrap()
}

/// Ways down to leaves that need no arguments, each a selection of its own.
fn leaves(schema: &Schema, type_name: &str, depth: usize) -> Vec<String> {
    let fields = match schema.types.get(type_name) {
        Some(ExtendedType::Object(object)) => &object.fields,
        Some(ExtendedType::Interface(interface)) => &interface.fields,
        _ => return vec!["__typename".to_owned()],
    };
    let mut found = Vec::new();
    for (name, field) in fields {
        if field.arguments.iter().any(|argument| argument.is_required()) {
            continue;
        }
        let inner = field.ty.inner_named_type();
        let composite = schema
            .types
            .get(inner)
            .is_some_and(|known| known.is_object() || known.is_interface() || known.is_union());
        if !composite {
            found.push(name.to_string());
        } else if depth > 0 {
            let below = leaves(schema, inner, depth - 1);
            found.extend(below.into_iter().map(|leaf| format!("{name} {{ {leaf} }}")));
        }
    }
    found
}
