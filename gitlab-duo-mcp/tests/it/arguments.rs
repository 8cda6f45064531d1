//! Arguments as models and frameworks send them, to every tool of both surfaces.

use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server_of};

const SURFACES: [Surface; 2] = [Surface::Compact, Surface::GitLab];

/// Values that an argument of this schema never has, of every other type and near its own.
fn wrong_values(name: &str, schema: &Value) -> Vec<Value> {
    let mut wrong = vec![json!({"id": 73}), json!([[1]]), json!({}), json!([{"a": null}])];
    let more = match schema["type"].as_str().unwrap() {
        "integer" => json!([true, 1.5, "five", "5 rows", -1, "-1", 1_000_000, [5], 1e300]),
        "boolean" => json!([0, 1, "yes", "0", 1.5, [true]]),
        "array" => json!([5, true, [1], "[", "nonsense", ["nonsense"], [null], ["running", 5]]),
        _ if schema.get("enum").is_some() => json!([5, true, "nonsense", ["list"], "list, get"]),
        _ if name.ends_with("_id") => json!([true, 1.5, -7, "-7", 0, "0", ["73"], "a b"]),
        _ if name == "url" => json!([5, "5", " 4021 ", true, ["text"]]),
        _ => json!([5, 1.5, true, ["text"]]),
    };
    wrong.extend(more.as_array().unwrap().clone());
    wrong
}

/// The same value in the spellings that models send it in; the first one is of the schema's own type.
fn spellings(name: &str, schema: &Value) -> Vec<Value> {
    let first = |values: &Value| values[0].as_str().unwrap().to_owned();
    match schema["type"].as_str().unwrap() {
        "integer" => vec![json!(5), json!("5"), json!(5.0), json!(" 5 ")],
        "boolean" => vec![json!(true), json!("true"), json!("TRUE"), json!(" True ")],
        "array" => {
            let (one, two) = (first(&schema["items"]["enum"]), schema["items"]["enum"][1].as_str().unwrap());
            let upper = one.to_ascii_uppercase();
            let json_text = json!([one, two]).to_string();
            vec![json!([one, two]), json!(json_text), json!(format!("{one},{two}")), json!([upper, two, ""])]
        }
        _ if schema.get("enum").is_some() && name != "action" => {
            let one = first(&schema["enum"]);
            vec![json!(one), json!(one.to_ascii_uppercase()), json!(format!(" {one} "))]
        }
        _ if name.ends_with("_id") => {
            let id = match name {
                "project_id" => 4021,
                "workflow_id" => 73,
                "flow_item_id" => 1_091,
                _ => 91,
            };
            vec![json!(id.to_string()), json!(id), json!(f64::from(id)), json!(format!(" {id} "))]
        }
        _ => Vec::new(),
    }
}

/// Puts the double back to where every test begins.
fn reset(shared: &MemoryGitLab) {
    let fresh = gitlab(NEWEST);
    std::mem::swap(&mut *shared.world(), &mut *fresh.world());
}

/// A call of each ability, complete, by tool and arguments.
fn calls(surface: Surface) -> Vec<(&'static str, Value)> {
    match surface {
        Surface::Compact => vec![
            ("browse_duo_sessions", json!({"action": "agents_and_flows", "project_id": 4021})),
            ("browse_duo_sessions", json!({"action": "list"})),
            ("browse_duo_sessions", json!({"action": "get", "workflow_id": 73})),
            ("browse_duo_sessions", json!({"action": "transcript", "workflow_id": 73})),
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

/// For every argument of every action, also for one that is needed: null and blank are the same as leaving it out.
#[tokio::test]
async fn null_and_blank_are_the_same_as_absence() {
    for surface in SURFACES {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        for (tool, arguments) in calls(surface) {
            for (name, _) in properties(&client, tool) {
                let mut without = arguments.clone();
                without.as_object_mut().unwrap().remove(&name);
                reset(&gitlab);
                let absent = client.structured(tool, without).await;
                for nothing in [json!(null), json!(""), json!("  "), json!("\n")] {
                    reset(&gitlab);
                    let blank = with(&arguments, &name, nothing.clone());
                    assert_eq!(client.structured(tool, blank).await, absent, "{tool} {name} {nothing:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_is_needed_and_missing_is_named_and_nothing_is_sent() {
    let rows = [
        (Surface::Compact, "browse_duo_sessions", json!({"action": "agents_and_flows"}), "project_id"),
        (Surface::Compact, "browse_duo_sessions", json!({"action": "get"}), "workflow_id"),
        (Surface::Compact, "browse_duo_sessions", json!({"action": "transcript"}), "workflow_id"),
        (Surface::Compact, "manage_duo_session", json!({"action": "stop"}), "workflow_id"),
        (
            Surface::Compact,
            "manage_duo_session",
            json!({"action": "send_input", "human_approval": true}),
            "workflow_id",
        ),
        (
            Surface::Compact,
            "manage_duo_session",
            json!({"action": "send_input", "workflow_id": 74}),
            "human_approval",
        ),
        (
            Surface::Compact,
            "manage_duo_session",
            json!({"action": "start", "flow": "developer/v1", "goal": "x"}),
            "project_id",
        ),
        (
            Surface::Compact,
            "manage_duo_session",
            json!({"action": "start", "project_id": 4021, "flow": "developer/v1"}),
            "goal",
        ),
        (Surface::GitLab, "list_duo_agents_and_flows", json!({}), "project_id"),
        (Surface::GitLab, "get_duo_session", json!({}), "workflow_id"),
        (Surface::GitLab, "start_duo_session", json!({"goal": "x"}), "project_id"),
        (Surface::GitLab, "start_duo_session", json!({"project_id": 4021}), "goal"),
        (Surface::GitLab, "send_duo_session_input", json!({"workflow_id": 74}), "human_approval"),
        (Surface::GitLab, "send_duo_session_input", json!({"human_approval": true}), "workflow_id"),
        (Surface::GitLab, "stop_duo_session", json!({}), "workflow_id"),
    ];
    for (surface, tool, arguments, missing) in rows {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        let error = client.structured(tool, arguments.clone()).await["error"].clone();
        assert_eq!(error["kind"], "invalid_arguments", "{tool} {arguments}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("`{missing}` is missing")), "{tool} {arguments}: {message}");
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[tokio::test]
async fn wrong_values_and_unknown_names_are_refused_by_name_and_nothing_is_sent() {
    for surface in SURFACES {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        for (tool, arguments) in calls(surface) {
            for (name, schema) in properties(&client, tool) {
                for wrong in wrong_values(&name, &schema) {
                    refuses(&client, tool, with(&arguments, &name, wrong), &name).await;
                }
            }
            for name in ["sesion", "Project_ID", "__proto__", ""] {
                for value in [json!("x"), json!(null)] {
                    refuses(&client, tool, with(&arguments, name, value), name).await;
                }
            }
        }
        assert_eq!(gitlab.world().writes(), 0);
    }
}

async fn refuses(client: &Client, tool: &str, arguments: Value, name: &str) {
    let error = client.structured(tool, arguments.clone()).await["error"].clone();
    assert_eq!(error["kind"], "invalid_arguments", "{tool} {arguments}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(name) && message.len() < 1_000, "{tool} {arguments}: {message}");
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
async fn numbers_flags_names_and_lists_may_come_in_any_spelling() {
    for surface in SURFACES {
        let gitlab = gitlab(NEWEST);
        let client = Client::new(server_of(&gitlab, surface)).await;
        for (tool, complete) in calls(surface) {
            for (name, schema) in properties(&client, tool) {
                let mut arguments = complete.clone();
                if ["consumer_id", "ai_catalog_item_consumer_id", "flow_item_id"].contains(&name.as_str()) {
                    arguments["flow"] = json!(null);
                }
                let mut answers = Vec::new();
                for spelling in spellings(&name, &schema) {
                    reset(&gitlab);
                    answers.push(client.structured(tool, with(&arguments, &name, spelling)).await);
                }
                assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{tool} {name}: {answers:?}");
                // What belongs to the action is understood, not only refused alike.
                let is_foreign =
                    |answer: &Value| answer["error"]["message"].to_string().contains("argument of");
                let is_asked = |answer: &Value| answer["error"]["kind"] == "invalid_arguments";
                assert!(
                    answers.iter().all(|answer| is_foreign(answer) || !is_asked(answer)),
                    "{tool} {name}: {answers:?}"
                );
            }
        }
    }
}
