//! The tool lists: their rules, their sizes, their snapshots.

use std::io::Write as _;

use gitlab_duo_mcp::spec::surface::Surface;
use rmcp::model::{ProtocolVersion, Tool};
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server_of};

/// Each surface with its name, and the bounds in bytes of what a model sees and of the whole answer.
const SURFACES: [(Surface, &str, usize, usize); 2] = [
    (Surface::Compact, "compact", 6 * 1_024, 12 * 1_024),
    (Surface::GitLab, "gitlab", 10 * 1_024, 24 * 1_024),
];

async fn tools(surface: Surface) -> Vec<Value> {
    let client = Client::new(server_of(&gitlab(NEWEST), surface)).await;
    client.tools().iter().map(json).collect()
}

fn json(tool: &Tool) -> Value {
    serde_json::to_value(tool).unwrap()
}

#[tokio::test]
async fn the_surfaces_are_these() {
    for (surface, name, ..) in SURFACES {
        insta::assert_json_snapshot!(format!("tools_{name}"), tools(surface).await);
    }
}

#[tokio::test]
async fn what_a_model_sees_stays_small() {
    for (surface, name, shown_most, whole_most) in SURFACES {
        let tools = tools(surface).await;
        let shown = |tool: &Value| json!({"name": tool["name"], "title": tool["title"], "description": tool["description"], "inputSchema": tool["inputSchema"]});
        let shown: Vec<_> = tools.iter().map(shown).collect();
        let (shown, whole) = (json!(shown).to_string().len(), json!({"tools": tools}).to_string().len());
        // Past the harness, which keeps what tests print: the sizes are worth a line in every run.
        let sizes =
            format!("{name}: shown {shown} of {shown_most} bytes, whole list {whole} of {whole_most} bytes");
        writeln!(std::io::stderr(), "{sizes}").unwrap();
        assert!(shown < shown_most, "{name}: {shown}");
        assert!(whole < whole_most, "{name}: {whole}");
    }
}

#[tokio::test]
async fn input_schemas_are_flat_objects_that_describe_every_property() {
    for (surface, ..) in SURFACES {
        for tool in tools(surface).await {
            let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
            assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
            let required: Vec<_> =
                schema["required"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
            for (argument, property) in schema["properties"].as_object().unwrap() {
                let description = property["description"].as_str().unwrap();
                assert!(description.len() > 5 && argument.len() < 60, "{name}: {argument}");
                assert!(property["type"].is_string(), "{name}: {argument}");
                assert!(!argument.ends_with("_id") || property["type"] == "string", "{name}: {argument}");
                let is_needed_by_an_action =
                    required.contains(&argument.as_str()) || description.contains("For ");
                let is_optional = property["type"] == "boolean" || description.contains("Default: ");
                assert!(
                    is_needed_by_an_action || is_optional || argument == "goal",
                    "{name}: no default of {argument}"
                );
            }
            lint(name, schema);
        }
    }
}

#[tokio::test]
async fn output_schemas_are_objects_that_every_client_reads() {
    for (surface, ..) in SURFACES {
        for tool in tools(surface).await {
            let (name, schema) = (tool["name"].as_str().unwrap(), &tool["outputSchema"]);
            assert_eq!(schema["type"], "object");
            jsonschema::meta::validate(schema).unwrap();
            lint(name, schema);
        }
    }
}

/// What holds for every schema: nothing at the root that some AI service refuses, and nothing anywhere
/// that some client does not read.
fn lint(name: &str, schema: &Value) {
    for word in ["oneOf", "anyOf", "allOf", "not", "enum", "$schema"] {
        assert_eq!(schema.get(word), None, "{name}: {word} at the root");
    }
    no_odd_words(name, schema);
}

fn no_odd_words(name: &str, schema: &Value) {
    for word in [
        "$ref",
        "$defs",
        "definitions",
        "oneOf",
        "allOf",
        "not",
        "if",
        "patternProperties",
        "const",
        "format",
    ] {
        assert!(schema.get(word).is_none(), "{name}: {word} in {schema}");
    }
    assert!(!schema.get("type").is_some_and(Value::is_array), "{name}: {schema}");
    assert!(!schema.get("additionalProperties").is_some_and(Value::is_object), "{name}: {schema}");
    for (property, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        assert!(property.len() < 60, "{name}: {property}");
        no_odd_words(name, inner);
    }
    schema.get("items").into_iter().for_each(|items| no_odd_words(name, items));
}

#[tokio::test]
async fn every_property_of_every_output_is_described() {
    fn check(tool: &str, schema: &Value) {
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            assert!(
                property["description"].is_string()
                    || property["items"]["description"].is_string()
                    || property["properties"].is_object(),
                "{tool}: {name}"
            );
            check(tool, property.get("items").unwrap_or(property));
        }
    }
    for (surface, ..) in SURFACES {
        for tool in tools(surface).await {
            check(tool["name"].as_str().unwrap(), &tool["outputSchema"]);
        }
    }
}

#[tokio::test]
async fn hints_are_written_out() {
    let browse = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true});
    let manage = json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true});
    for (surface, ..) in SURFACES {
        for tool in tools(surface).await {
            let name = tool["name"].as_str().unwrap();
            let is_reading = ["browse_", "list_", "get_"].iter().any(|verb| name.starts_with(verb));
            assert_eq!(&tool["annotations"], if is_reading { &browse } else { &manage }, "{name}");
        }
    }
}

#[tokio::test]
async fn a_revision_gets_only_what_it_knows() {
    let rows = [
        (ProtocolVersion::V_2024_11_05, false, false),
        (ProtocolVersion::V_2025_03_26, true, false),
        (ProtocolVersion::V_2025_06_18, true, true),
        (ProtocolVersion::V_2025_11_25, true, true),
        (ProtocolVersion::V_2026_07_28, true, true),
    ];
    for (version, hints, structured) in rows {
        let client = Client::of(server_of(&gitlab(NEWEST), Surface::Compact), version.clone()).await;
        for tool in client.tools() {
            assert_eq!(tool.annotations.is_some(), hints, "{version}");
            assert_eq!(tool.title.is_some(), structured, "{version}");
            assert_eq!(tool.output_schema.is_some(), structured, "{version}");
        }
    }
}
