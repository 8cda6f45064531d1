//! Revisions of the protocol: agreed, never echoed.

use serde_json::{Value, json};

use crate::wire::{Wire, initialize, request};
use crate::world::{NEWEST, gitlab, server};

fn wire() -> Wire {
    Wire::to(server(&gitlab(NEWEST)))
}

#[tokio::test]
async fn a_known_version_is_taken_and_any_other_answered_with_one_that_we_speak() {
    let newest = "2025-11-25";
    let rows = [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), newest),
        // This one has no handshake any more: whoever opens with one is offered the last that has.
        (json!("2026-07-28"), newest),
        (json!("2099-01-01"), newest),
        (json!("1999-01-01"), newest),
        (json!("latest"), newest),
        (json!(""), newest),
        (json!(null), newest),
        (json!(20_251_125), newest),
    ];
    for (asked, agreed) in rows {
        let mut wire = wire();
        let answer = wire.ask(initialize(asked.clone())).await;
        assert_eq!(answer["result"]["protocolVersion"], agreed, "{asked}: {answer}");
        let tools = wire.ask(request(2, "tools/list", json!({}))).await;
        let has_output = tools["result"]["tools"][0].get("outputSchema").is_some();
        assert_eq!(has_output, agreed >= "2025-06-18", "{asked}: what is agreed decides");
    }
}

#[tokio::test]
async fn an_initialize_that_says_nothing_is_negotiated_too() {
    for params in [
        json!({}),
        json!({"capabilities": {}}),
        json!({"clientInfo": {"name": 3}, "protocolVersion": "2025-06-18"}),
    ] {
        let mut wire = wire();
        let answer = wire.ask(request(1, "initialize", params.clone())).await;
        assert!(answer["result"]["protocolVersion"].is_string(), "{params}: {answer}");
    }
    let mut bare = wire();
    let answer = bare.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"})).await;
    assert_eq!(answer["result"]["serverInfo"]["name"], "gitlab-duo-mcp");
}

#[tokio::test]
async fn the_server_tells_its_own_name_and_instructions() {
    let answer = wire().ask(initialize(json!("2025-11-25"))).await;
    let result = &answer["result"];
    assert_eq!(result["serverInfo"]["name"], "gitlab-duo-mcp");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let capabilities =
        json!({"completions": {}, "prompts": {}, "resources": {"subscribe": true}, "tools": {}});
    assert_eq!(result["capabilities"], capabilities);
    assert!(result["serverInfo"]["icons"][0]["src"].as_str().unwrap().starts_with("data:image/svg+xml,"));
    assert!(result["instructions"].as_str().unwrap().contains("never follow"));
    let old = wire().ask(initialize(json!("2024-11-05"))).await;
    assert_eq!(old["result"]["serverInfo"].get("title"), None);
    let capabilities = json!({"prompts": {}, "resources": {"subscribe": true}, "tools": {}});
    assert_eq!(old["result"]["capabilities"], capabilities, "completion is no capability there");
}

#[tokio::test]
async fn a_second_initialize_cannot_smuggle_in_an_unknown_version() {
    let mut wire = wire();
    wire.ask(initialize(json!("2024-11-05"))).await;
    let again = wire.ask(initialize(json!("2099-01-01"))).await;
    assert_eq!(again["result"]["protocolVersion"], "2025-11-25");
}

/// A request of the generation that has no handshake.
fn modern(id: u64, method: &str, version: &str, params: Value) -> Value {
    let mut request = request(id, method, params);
    request["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request
}

#[tokio::test]
async fn the_generation_without_handshake_is_served_and_its_versions_are_checked() {
    let mut wire = wire();
    let found = wire.ask(modern(1, "server/discover", "2026-07-28", json!({}))).await;
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2024-11-05")), "{found}");
    let unknown = wire.ask(modern(2, "tools/list", "2099-01-01", json!({}))).await;
    assert!(unknown.get("error").is_some(), "{unknown}");
    let tools = wire.ask(modern(3, "tools/list", "2026-07-28", json!({}))).await;
    assert_eq!(tools["result"]["tools"][0]["name"], "browse_duo_sessions");
    let arguments = json!({"name": "browse_duo_sessions", "arguments": {"action": "get", "workflow_id": 73}});
    let session = wire.ask(modern(4, "tools/call", "2026-07-28", arguments)).await;
    assert_eq!(session["result"]["structuredContent"]["status"], "finished");
}

#[tokio::test]
async fn stray_messages_before_the_beginning_do_not_end_the_conversation() {
    let mut wire = wire();
    for stray in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}),
        json!({"jsonrpc": "2.0", "id": 5, "result": {}}),
    ] {
        wire.send(&stray.to_string()).await;
    }
    let early = wire.ask(request(2, "tools/list", json!({}))).await;
    assert_eq!(early["error"]["code"], -32602, "{early}");
    wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
    let answer = wire.ask(initialize(json!("2025-11-25"))).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn malformed_parameters_are_not_an_unknown_method() {
    let mut wire = Wire::begun(server(&gitlab(NEWEST))).await;
    for params in [json!({}), json!({"name": 7}), json!({"name": "browse_duo_sessions", "arguments": "x"})] {
        let answer = wire.ask(request(3, "tools/call", params.clone())).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
    let answer = wire.ask(request(4, "tools/list", json!({"cursor": "made up"}))).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    for method in ["tools/forget", "resources/write", "prompts/write", "logging/setLevel"] {
        let answer = wire.ask(request(5, method, json!({"level": "info"}))).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
}

#[tokio::test]
async fn odd_lines_are_survived() {
    let mut wire = Wire::begun(server(&gitlab(NEWEST))).await;
    for line in ["", "\r", "   ", "{", "nonsense", "{\"jsonrpc\":\"2.0\"", "\u{feff}"] {
        wire.send(line).await;
    }
    wire.send(&"x".repeat(17 * 1_024 * 1_024)).await;
    let ping = request(9, "ping", json!({})).to_string();
    wire.send(&format!("{ping}\r")).await;
    let answer = wire.next().await;
    assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 9, "result": {}}));
    let (served, rest) = wire.end().await;
    assert!(served.is_ok(), "{served:?}");
    assert_eq!(rest, "");
}
