//! Requests that each bring their own caller, as over HTTP: nobody gets what another one has read.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_mcp::caller::Caller;
use gitlab_duo_mcp::server::Server;
use http::{Request, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use crate::wire::{initialize, request};
use crate::world::{NEWEST, gitlab, session, settings};

struct Service(StreamableHttpService<Server, LocalSessionManager>);

impl Service {
    fn new() -> Self {
        let server = Server::for_callers(settings(Scope::default()));
        let config =
            StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
        Self(StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config))
    }

    async fn send(&self, caller: Option<Caller>, message: &Value, version: &str) -> Response<Body> {
        let mut request = Request::post("http://127.0.0.1/mcp")
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", version)
            .header("mcp-method", message["method"].as_str().unwrap())
            .body(Body::from(message.to_string()))
            .unwrap();
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        self.0.handle(request).await.map(Body::new)
    }

    async fn ask(&self, caller: Option<Caller>, message: Value) -> Value {
        let response = self.send(caller, &message, "2025-11-25").await;
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&body)))
    }
}

/// A caller with one session.
fn caller(token: &str, id: u64) -> (Caller, MemoryGitLab) {
    let gitlab = gitlab(NEWEST);
    gitlab.world().sessions = vec![session(id, Status::Running, &[])];
    (Caller::of(Arc::new(gitlab.clone()), token), gitlab)
}

fn complete() -> Value {
    let of = json!({"type": "ref/resource", "uri": "duo://sessions/{workflow_id}"});
    request(1, "completion/complete", json!({"ref": of, "argument": {"name": "workflow_id", "value": ""}}))
}

fn read(id: u64) -> Value {
    request(1, "resources/read", json!({"uri": format!("duo://sessions/{id}")}))
}

#[tokio::test]
async fn each_caller_is_offered_and_reads_its_own_sessions() {
    let service = Service::new();
    let (one, of_one) = caller("glpat-one", 11);
    let (two, of_two) = caller("glpat-two", 22);
    for _ in 0..2 {
        for (caller, id, other) in [(&one, 11, 22), (&two, 22, 11)] {
            let completion = service.ask(Some(caller.clone()), complete()).await;
            assert_eq!(completion["result"]["completion"]["values"], json!([id.to_string()]), "{completion}");
            let own = service.ask(Some(caller.clone()), read(id)).await;
            assert!(own.get("result").is_some(), "{own}");
            let foreign = service.ask(Some(caller.clone()), read(other)).await;
            assert_eq!(foreign["error"]["code"], -32002, "{foreign}");
        }
        let completion = service.ask(None, complete()).await;
        assert_eq!(completion["result"]["completion"]["values"], json!([]), "{completion}");
        let nobody = service.ask(None, read(11)).await;
        assert_eq!(nobody["error"]["data"]["kind"], "unauthorized", "{nobody}");
    }
    for gitlab in [of_one, of_two] {
        let calls = &gitlab.world().calls;
        let lists = calls.iter().filter(|method| **method == "sessions").count();
        assert_eq!(lists, 1, "what was read is kept for its caller, over requests: {calls:?}");
    }
}

#[tokio::test]
async fn without_a_connection_there_is_no_subscription_of_the_older_generation() {
    let service = Service::new();
    let (caller, gitlab) = caller("glpat-one", 11);
    let greeting = service.ask(Some(caller.clone()), initialize(json!("2025-11-25"))).await;
    assert_eq!(greeting["result"]["capabilities"]["resources"], json!({}), "{greeting}");
    let subscribe = request(2, "resources/subscribe", json!({"uri": "duo://sessions/11"}));
    let answer = service.ask(Some(caller), subscribe).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    assert_eq!(gitlab.world().calls, [""; 0], "nothing is looked at");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_stays_open_ends_with_its_client() {
    let service = Service::new();
    let (caller, gitlab) = caller("glpat-one", 11);
    let mut message = request(
        3,
        "subscriptions/listen",
        json!({
            "notifications": {"resourceSubscriptions": ["duo://sessions/11"]},
        }),
    );
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let looks = || gitlab.world().calls.iter().filter(|method| **method == "session").count();
    let response = service.send(Some(caller), &message, "2026-07-28").await;
    assert!(response.status().is_success(), "{}", response.status());
    tokio::time::sleep(Duration::from_secs(60)).await;
    let while_open = looks();
    assert!(while_open > 2, "{while_open}");
    drop(response);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let when_gone = looks();
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert_eq!(looks(), when_gone);
}
