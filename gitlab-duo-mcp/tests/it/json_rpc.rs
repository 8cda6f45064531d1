//! Odd JSON-RPC: ids of every kind, batches, notifications where a request is due.

use serde_json::{Value, json};

use crate::wire::{Wire, request};
use crate::world::{NEWEST, gitlab, server};

async fn wire() -> Wire {
    Wire::begun(server(&gitlab(NEWEST))).await
}

/// A ping that the server still answers.
async fn is_alive(wire: &mut Wire, case: &str) {
    wire.send(&request(4_711, "ping", json!({})).to_string()).await;
    for _ in 0..4 {
        if wire.next().await["id"] == 4_711 {
            return;
        }
    }
    panic!("{case}: the next message is not served");
}

#[tokio::test]
async fn an_id_comes_back_as_it_was() {
    for id in
        [json!(0), json!(-1), json!(9_007_199_254_740_991_i64), json!("7"), json!(""), json!("a\n\u{e4}")]
    {
        let mut wire = wire().await;
        let answer = wire.ask(json!({"jsonrpc": "2.0", "id": id, "method": "ping"})).await;
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["result"], json!({}));
    }
}

#[tokio::test]
async fn what_is_no_request_is_survived() {
    let rows = [
        ("a batch", json!([request(1, "ping", json!({})), request(2, "ping", json!({}))])),
        ("an empty batch", json!([])),
        ("an id that is null", json!({"jsonrpc": "2.0", "id": null, "method": "ping"})),
        ("an id that is a list", json!({"jsonrpc": "2.0", "id": [1], "method": "ping"})),
        ("an id with a fraction", json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})),
        ("another version", json!({"jsonrpc": "1.0", "id": 1, "method": "ping"})),
        ("no version", json!({"id": 1, "method": "ping"})),
        ("no method", json!({"jsonrpc": "2.0", "id": 1})),
        ("a method that is a number", json!({"jsonrpc": "2.0", "id": 1, "method": 7})),
        (
            "parameters that are a list",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}),
        ),
        (
            "a call as a notification",
            json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "x"}}),
        ),
        ("an unknown notification", json!({"jsonrpc": "2.0", "method": "notifications/nothing"})),
        ("an answer to nothing", json!({"jsonrpc": "2.0", "id": 99, "result": {}})),
        ("an error to nothing", json!({"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}})),
        ("a number", json!(7)),
        ("a text", json!("ping")),
    ];
    for (case, message) in rows {
        let mut wire = wire().await;
        wire.send(&message.to_string()).await;
        is_alive(&mut wire, case).await;
    }
}

#[tokio::test]
async fn nothing_that_is_no_request_changes_anything() {
    let gitlab = gitlab(NEWEST);
    let mut wire = Wire::begun(server(&gitlab)).await;
    let params = json!({"name": "manage_duo_session", "arguments": {"action": "stop", "workflow_id": 72}});
    let call = |id: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    wire.send(&json!({"jsonrpc": "2.0", "method": "tools/call", "params": params}).to_string()).await;
    wire.send(&json!([call(json!(1))]).to_string()).await;
    wire.send(&call(json!(1)).to_string()[1..]).await;
    is_alive(&mut wire, "a stop that is no request").await;
    assert_eq!(gitlab.world().writes(), 0);
}
