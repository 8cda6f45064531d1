//! What else a client's file holds stays as it is.

use std::path::Path;

use super::*;
use crate::commands::setup::client::spec;
use crate::settings::layers::{Layer, Layers, Origin};
use crate::settings::read::Settings;
use crate::settings::table::{TOKEN, TOKEN_FILE, URL};
use crate::settings::task::Client;

fn entry(layer: Layer) -> Entry {
    let layers = Layers(vec![layer]);
    let settings = Settings::of(&layers).unwrap();
    Entry::new(Path::new("/bin/gitlab-duo-mcp"), Path::new("/work"), &layers, &settings)
}

fn with_token() -> Entry {
    entry(Layer::new(Origin::Environment).with(&URL, "https://git.example.test").with(&TOKEN, "glpat-secret"))
}

fn into(text: &str, client: Client) -> Result<String, NotMerged> {
    let merged = merged(text, &spec(client), &with_token())?;
    assert!(!merged.contains("glpat"), "{merged}");
    Ok(merged)
}

#[test]
fn keys_keep_their_order_and_the_entry_is_added() {
    let text = "{\n  \"z\": 1.50,\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  },\n  \"a\": [1,2]\n}\n";
    let merged = into(text, Client::ClaudeCode).unwrap();
    let value: Value = serde_json::from_str(&merged).unwrap();
    assert_eq!(value["mcpServers"]["other"]["command"], "x");
    let ours = &value["mcpServers"]["gitlab-duo"];
    assert_eq!((&ours["command"], &ours["type"]), (&json!("/bin/gitlab-duo-mcp"), &json!("stdio")));
    assert_eq!(ours["env"]["GITLAB_URL"], "https://git.example.test");
    assert_eq!(ours["env"]["GITLAB_TOKEN"], "${GITLAB_TOKEN:-}");
    assert!(merged.starts_with("{\n  \"z\": 1.50,\n") && merged.ends_with("\"a\": [1,2]\n}\n"), "{merged}");
}

#[test]
fn an_entry_of_ours_is_replaced_and_a_second_time_changes_nothing() {
    let text = r#"{"mcpServers": {"gitlab-duo": {"command": "old", "env": {"X": "y"}}}}"#;
    for client in [Client::Cursor, Client::VsCode, Client::Zed, Client::JetBrains, Client::Codex] {
        let text = if matches!(client, Client::Codex) { "" } else { text };
        let once = into(text, client).unwrap();
        assert_eq!(into(&once, client).unwrap(), once);
    }
    let value: Value = serde_json::from_str(&into(text, Client::Cursor).unwrap()).unwrap();
    assert_eq!(value["mcpServers"]["gitlab-duo"]["command"], "/bin/gitlab-duo-mcp");
    assert!(value["mcpServers"]["gitlab-duo"]["env"]["X"].is_null());
}

#[test]
fn comments_stay_where_the_client_reads_them_and_stop_the_change_elsewhere() {
    let text = "{\n  // mine\n  \"theme\": \"x\", /* here */\n}\n";
    let merged = into(text, Client::Zed).unwrap();
    assert!(merged.contains("// mine") && merged.contains("/* here */"), "{merged}");
    assert!(merged.contains("\"context_servers\"") && merged.contains("/bin/gitlab-duo-mcp"), "{merged}");
    assert_eq!(into(text, Client::Cursor), Err(NotMerged::Unreadable));
    for wrong in ["{", "nonsense", "{\"a\" 1}"] {
        assert_eq!(into(wrong, Client::Zed), Err(NotMerged::Unreadable), "{wrong}");
    }
    for wrong in ["[]", "{\"context_servers\": []}"] {
        assert_eq!(into(wrong, Client::Zed), Err(NotMerged::Unexpected), "{wrong}");
    }
}

#[test]
fn an_input_is_asked_for_once() {
    let value = |text: &str| serde_json::from_str::<Value>(&into(text, Client::VsCode).unwrap()).unwrap();
    let inputs = value("{}")["inputs"].clone();
    assert_eq!((&inputs[0]["id"], &inputs[0]["password"]), (&json!("gitlab-token"), &json!(true)));
    let own = value(r#"{"inputs": [{"id": "gitlab-token", "type": "promptString"}, {"id": "other"}]}"#);
    assert_eq!(own["inputs"].as_array().map(Vec::len), Some(2));
    assert_eq!(own["servers"]["gitlab-duo"]["env"]["GITLAB_TOKEN"], "${input:gitlab-token}");
}

#[test]
fn toml_keeps_its_comments_and_its_order() {
    let text =
        "# mine\nmodel = \"x\" # here\n\n[mcp_servers.other]\ncommand = \"y\"\n\n[profiles.a]\nb = 1\n";
    let merged = into(text, Client::Codex).unwrap();
    let table: toml::Table = merged.parse().unwrap();
    assert_eq!(table["mcp_servers"]["other"]["command"].as_str(), Some("y"));
    let ours = &table["mcp_servers"]["gitlab-duo"];
    assert_eq!(ours["env_vars"].as_array().map(Vec::len), Some(1));
    assert_eq!(ours["env"]["GITLAB_URL"].as_str(), Some("https://git.example.test"));
    assert!(merged.starts_with("# mine\nmodel = \"x\" # here\n"), "{merged}");
    let inline = into("mcp_servers = { other = { command = \"y\" } }\n", Client::Codex).unwrap();
    let table: toml::Table = inline.parse().unwrap();
    assert_eq!(table["mcp_servers"]["gitlab-duo"]["command"].as_str(), Some("/bin/gitlab-duo-mcp"));
    assert_eq!(into("mcp_servers = 1\n", Client::Codex), Err(NotMerged::Unexpected));
    assert_eq!(into("mcp_servers = \n", Client::Codex), Err(NotMerged::Unreadable));
}

#[test]
fn a_token_file_is_named_by_its_whole_path_and_replaces_the_reference() {
    let entry = entry(Layer::new(Origin::Flags).with(&TOKEN_FILE, "secrets/token"));
    for client in [Client::ClaudeCode, Client::VsCode, Client::Codex, Client::ClaudeDesktop] {
        let text = alone(&spec(client), &entry);
        assert!(text.contains("/work/secrets/token") && text.contains("https://gitlab.com"), "{text}");
        for reference in ["${", "env_vars", "inputs"] {
            assert!(!text.contains(reference), "{text}");
        }
    }
}
