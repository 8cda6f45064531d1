//! Arguments as models and frameworks send them, to every tool of both surfaces.

use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server_of};

const SURFACES: [Surface; 2] = [Surface::Compact, Surface::GitLab];

/// Values that no argument has: refused wherever they are given.
fn odd_values() -> [Value; 4] {
    [json!({"id": 73}), json!([[1]]), json!({}), json!([{"a": null}])]
}

/// A call of each ability, complete, by tool and arguments.
fn calls(surface: Surface) -> Vec<(&'static str, Value)> {
    match surface {
        Surface::Compact => vec![
            ("browse_duo_sessions", json!({"action": "agents_and_flows", "project_id": 4021})),
            ("browse_duo_sessions", json!({"action": "list"})),
            ("browse_duo_sessions", json!({"action": "get", "workflow_id": 73})),
            (
                "manage_duo_session",
                json!({"action": "start", "project_id": 4021, "flow": "developer/v1", "goal": "x", "dry_run": true}),
            ),
            (
                "manage_duo_session",
                json!({"action": "send_input", "workflow_id": 74, "human_approval": false}),
            ),
            ("manage_duo_session", json!({"action": "stop", "workflow_id": 73})),
        ],
        _ => vec![
            ("list_duo_agents_and_flows", json!({"project_id": 4021})),
            ("list_duo_sessions", json!({})),
            ("get_duo_session", json!({"workflow_id": 73})),
            ("start_duo_session", json!({"project_id": 4021, "goal": "x", "dry_run": true})),
            ("send_duo_session_input", json!({"workflow_id": 74, "human_approval": false})),
            ("stop_duo_session", json!({"workflow_id": 73})),
        ],
    }
}

fn properties(client: &Client, tool: &str) -> Map<String, Value> {
    let tool = client.tools().iter().find(|listed| listed.name == tool).unwrap();
    tool.input_schema["properties"].as_object().unwrap().clone()
}

fn with(arguments: &Value, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = value;
    arguments
}

async fn kind(client: &Client, tool: &str, arguments: Value) -> Option<String> {
    let result = client.structured(tool, arguments).await;
    result["error"]["kind"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn what_is_not_wanted_may_be_null_or_blank() {
    for surface in SURFACES {
        let client = Client::new(server_of(&gitlab(NEWEST), surface)).await;
        for (tool, arguments) in calls(surface) {
            for nothing in [json!(null), json!(""), json!("  ")] {
                let mut filled = arguments.clone();
                for (name, _) in properties(&client, tool) {
                    if arguments.get(&name).is_none() {
                        filled[name] = nothing.clone();
                    }
                }
                assert_eq!(kind(&client, tool, filled.clone()).await, None, "{tool} {filled}");
            }
        }
    }
}

#[tokio::test]
async fn odd_values_and_unknown_names_are_refused_and_nothing_is_sent() {
    for surface in SURFACES {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        let refused = Some("invalid_arguments".to_owned());
        for (tool, arguments) in calls(surface) {
            for (name, _) in properties(&client, tool) {
                for odd in odd_values() {
                    let odd = with(&arguments, &name, odd);
                    assert_eq!(kind(&client, tool, odd.clone()).await, refused, "{tool} {odd}");
                }
            }
            for name in ["sesion", "Project_ID", "__proto__", ""] {
                for value in [json!("x"), json!(null)] {
                    let unknown = with(&arguments, name, value);
                    assert_eq!(kind(&client, tool, unknown.clone()).await, refused, "{tool} {unknown}");
                }
            }
        }
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[tokio::test]
async fn the_word_null_names_nothing() {
    for surface in SURFACES {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        for (tool, arguments) in calls(surface) {
            for (name, _) in properties(&client, tool) {
                // These are a person's own words.
                if ["goal", "human_message"].contains(&name.as_str()) {
                    continue;
                }
                for word in ["null", "None", "undefined"] {
                    let named = with(&arguments, &name, json!(word));
                    let refused = Some("invalid_arguments".to_owned());
                    assert_eq!(kind(&client, tool, named.clone()).await, refused, "{tool} {named}");
                }
            }
        }
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[tokio::test]
async fn numbers_flags_and_lists_may_come_as_text() {
    let rows = [
        ("project_id", json!(4021), json!("4021")),
        ("workflow_id", json!(73), json!("73")),
        ("first", json!(5), json!("5")),
        ("dry_run", json!(true), json!("TRUE")),
        ("statuses", json!(["finished"]), json!("[\"finished\"]")),
        ("statuses", json!(["finished", "running"]), json!("finished, running")),
    ];
    for surface in SURFACES {
        let client = Client::new(server_of(&gitlab(NEWEST), surface)).await;
        for (tool, arguments) in calls(surface) {
            for (name, typed, text) in &rows {
                let plain = client.structured(tool, with(&arguments, name, typed.clone())).await;
                let loose = client.structured(tool, with(&arguments, name, text.clone())).await;
                assert_eq!(plain, loose, "{tool} {name}");
            }
        }
    }
}
