//! The tool list: its rules, its size, its snapshot.

use gitlab_duo_mcp::server::Server;
use rmcp::model::{ProtocolVersion, Tool};
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server};

fn any_server() -> Server {
    server(&gitlab(NEWEST))
}

fn json(tool: &Tool) -> Value {
    serde_json::to_value(tool).unwrap()
}

#[tokio::test]
async fn the_compact_surface_is_this() {
    let client = Client::new(any_server()).await;
    insta::assert_json_snapshot!("tools_compact", client.tools());
}

#[tokio::test]
async fn what_a_model_sees_stays_small() {
    let client = Client::new(any_server()).await;
    let shown = |tool: &Tool| json!({"name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": tool.input_schema});
    let shown: Vec<_> = client.tools().iter().map(shown).collect();
    let (shown, whole) = (json!(shown).to_string().len(), json!({"tools": client.tools()}).to_string().len());
    eprintln!("shown {shown} bytes, whole list {whole} bytes");
    assert!(shown < 6 * 1_024, "{shown}");
    assert!(whole < 12 * 1_024, "{whole}");
}

#[tokio::test]
async fn input_schemas_are_flat_objects_that_describe_every_property() {
    for tool in Client::new(any_server()).await.tools() {
        let schema = json(tool)["inputSchema"].clone();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        for word in ["oneOf", "anyOf", "allOf", "not", "enum", "$ref", "$schema"] {
            assert_eq!(schema.get(word), None, "{}: {word}", tool.name);
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 5), "{name}");
            assert!(property["type"].is_string(), "{name}");
            let is_id = name.ends_with("_id");
            assert!(!is_id || property["type"] == "string", "{name}");
        }
        no_type_arrays_and_references(&schema);
    }
}

#[tokio::test]
async fn output_schemas_are_objects_without_type_arrays_and_references() {
    for tool in Client::new(any_server()).await.tools() {
        let schema = json(tool)["outputSchema"].clone();
        assert_eq!(schema["type"], "object");
        jsonschema::meta::validate(&schema).unwrap();
        no_type_arrays_and_references(&schema);
    }
}

fn no_type_arrays_and_references(schema: &Value) {
    match schema {
        Value::Object(fields) => {
            assert!(!fields.contains_key("$ref"), "{schema}");
            assert!(!fields.get("type").is_some_and(Value::is_array), "{schema}");
            fields.values().for_each(no_type_arrays_and_references);
        }
        Value::Array(items) => items.iter().for_each(no_type_arrays_and_references),
        _ => {}
    }
}

#[tokio::test]
async fn hints_are_written_out() {
    let client = Client::new(any_server()).await;
    let hints: Vec<_> = client.tools().iter().map(|tool| json(tool)["annotations"].clone()).collect();
    let browse = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true});
    let manage = json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true});
    assert_eq!(hints, [browse, manage]);
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
        let client = Client::of(any_server(), version.clone()).await;
        for tool in client.tools() {
            assert_eq!(tool.annotations.is_some(), hints, "{version}");
            assert_eq!(tool.title.is_some(), structured, "{version}");
            assert_eq!(tool.output_schema.is_some(), structured, "{version}");
        }
    }
}
