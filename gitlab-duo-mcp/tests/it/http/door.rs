//! Who gets in, and what everybody else is told.

use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};

use super::peer::{Peer, Rows, options, upstream};
use crate::wire::{call, request};

fn list() -> Value {
    request(1, "tools/list", json!({}))
}

#[tokio::test]
async fn each_way_in_has_its_status() {
    let fake = FakeGitLab::start().await.unwrap();
    let peer = Peer::of(&fake).await;
    let token = ("private-token", fake.token());
    let bearer = format!("Bearer {}", fake.token());
    let table: [(u16, &str, Rows<'_>); 25] = [
        (200, "POST /mcp", &[token]),
        (200, "POST /mcp", &[("authorization", &bearer)]),
        (200, "POST /mcp", &[("authorization", &bearer), token]),
        (200, "POST /mcp", &[token, ("host", "duo.example.com:8443")]),
        (200, "POST /mcp", &[token, ("origin", "http://localhost:5173")]),
        (200, "POST /mcp", &[token, ("origin", "https://app.example.com")]),
        (403, "POST /mcp", &[token, ("origin", "https://evil.example.com")]),
        (403, "POST /mcp", &[token, ("origin", "null")]),
        (403, "POST /mcp", &[token, ("host", "evil.example.com")]),
        (403, "OPTIONS /mcp", &[("origin", "https://evil.example.com")]),
        (204, "OPTIONS /mcp", &[("origin", "https://app.example.com")]),
        (401, "POST /mcp", &[]),
        (401, "POST /mcp", &[("authorization", "Basic dTpw")]),
        (401, "GET /mcp", &[]),
        (400, "POST /mcp", &[("authorization", "Bearer glpat-other"), token]),
        (400, "POST /mcp", &[("authorization", "Bearer two words")]),
        (405, "GET /mcp", &[token]),
        (405, "DELETE /mcp", &[token, ("mcp-session-id", "made-up")]),
        (405, "PUT /mcp", &[token]),
        (406, "POST /mcp", &[token, ("accept", "text/html")]),
        (415, "POST /mcp", &[token, ("content-type", "text/plain")]),
        (400, "POST /mcp", &[token, ("mcp-protocol-version", "2099-01-01")]),
        (404, "POST /", &[token]),
        (404, "POST /mcp/more", &[token]),
        (200, "GET /healthz", &[("host", "10.0.0.7")]),
    ];
    for (status, line, rows) in table {
        let body = if line.starts_with("POST") { list().to_string() } else { String::new() };
        let reply = peer.ask(line, rows, &body).await;
        assert_eq!(reply.status, status, "{line} {rows:?}: {reply:?}");
        assert!(!format!("{reply:?}").contains(fake.token()), "{line} {rows:?}: {reply:?}");
    }
    assert!(fake.requests().is_empty(), "no answer needed GitLab");
}

#[tokio::test]
async fn bodies_that_are_no_message_are_refused() {
    let fake = FakeGitLab::start().await.unwrap();
    let mut options = options();
    options.body_bytes = 1_000;
    let peer = Peer::with(upstream(&fake), options).await;
    let token = [("private-token", fake.token())];
    for body in ["", "nonsense", "{\"jsonrpc\": \"2.0\"", "[]"] {
        let reply = peer.ask("POST /mcp", &token, body).await;
        assert!((400..500).contains(&reply.status), "{body}: {reply:?}");
    }
    let long = format!("{}{}", list(), " ".repeat(1_000));
    assert_eq!(peer.ask("POST /mcp", &token, &long).await.status, 413);
    let chunked = format!("3e9\r\n{}\r\n0\r\n\r\n", " ".repeat(1_001));
    let rows = [token[0], ("content-length", ""), ("transfer-encoding", "chunked")];
    assert_eq!(peer.ask("POST /mcp", &rows, &chunked).await.status, 413);
    assert_eq!(peer.ask("POST /mcp", &token, &list().to_string()).await.status, 200);
}

#[tokio::test]
async fn who_has_no_token_is_told_where_to_get_one() {
    let fake = FakeGitLab::builder().subpath("/gitlab").start().await.unwrap();
    let peer = Peer::of(&fake).await;
    for (host, base) in [
        ("localhost:8080", "http://localhost:8080"),
        ("[::1]", "http://[::1]"),
        ("duo.example.com", "https://duo.example.com"),
    ] {
        let refused = peer.ask("POST /mcp", &[("host", host)], &list().to_string()).await;
        let path = "/.well-known/oauth-protected-resource/mcp";
        let challenge = format!(r#"bearer resource_metadata="{base}{path}""#);
        assert_eq!(refused.header("www-authenticate"), Some(&*challenge));
        for path in [path, "/.well-known/oauth-protected-resource"] {
            let document = peer.ask(&format!("GET {path}"), &[("host", host)], "").await.message();
            assert_eq!(document["resource"], format!("{base}/mcp"));
            assert_eq!(document["authorization_servers"], json!([fake.url()]));
        }
    }
    let foreign = peer.ask("GET /.well-known/oauth-protected-resource", &[("host", "evil.example.com")], "");
    assert_eq!(foreign.await.status, 403);
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_may_read_the_answer() {
    let fake = FakeGitLab::start().await.unwrap();
    let peer = Peer::of(&fake).await;
    let origin = ("origin", "https://app.example.com");
    for reply in [
        peer.ask("OPTIONS /mcp", &[origin], "").await,
        peer.post(fake.token(), &[origin], &list()).await,
        peer.ask("POST /mcp", &[origin], "").await,
    ] {
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin.1), "{reply:?}");
        assert_eq!(reply.header("vary"), Some("origin"));
    }
    let nobody = peer.post(fake.token(), &[], &list()).await;
    assert_eq!(nobody.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_token_that_gitlab_refuses_is_a_result_that_says_so() {
    let fake = FakeGitLab::start().await.unwrap();
    let peer = Peer::of(&fake).await;
    let asked = call(2, "browse_duo_sessions", json!({"action": "list"}));
    let reply = peer.post("glpat-nobody", &[], &asked).await;
    assert_eq!(reply.message()["result"]["structuredContent"]["error"]["kind"], "unauthorized", "{reply:?}");
    assert!(!format!("{reply:?}").contains("glpat-nobody"));
}
