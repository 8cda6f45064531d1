//! Conversations over HTTP: both generations, and sessions, of which there are none.

use fake_gitlab::FakeGitLab;
use rmcp::model::{CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use super::peer::Peer;
use crate::client::validate;
use crate::wire::{call, initialize, request};

#[tokio::test]
async fn no_session_is_handed_out_and_none_is_missed() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let peer = Peer::of(&fake).await;
    let hello = initialize(json!("2025-11-25"));
    let begun = peer.post(fake.token(), &[("mcp-session-id", "from-before")], &hello).await;
    assert_eq!(begun.message()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(begun.header("mcp-session-id"), None);
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(peer.post(fake.token(), &[], &told).await.status, 202);
    for session in ["", "made-up", "00000000-0000-0000-0000-000000000000"] {
        let rows = [("mcp-session-id", session)];
        let listed = peer.post(fake.token(), &rows, &request(2, "tools/list", json!({}))).await;
        assert_eq!(listed.message()["result"]["tools"].as_array().unwrap().len(), 2, "{session}");
        let asked = call(3, "browse_duo_sessions", json!({"action": "get", "workflow_id": "733"}));
        let result = peer.post(fake.token(), &rows, &asked).await.message()["result"].clone();
        validate("browse_duo_sessions", &result).await;
        assert_eq!(result["structuredContent"]["workflow_id"], "733");
        assert_eq!(listed.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn every_revision_is_agreed_upon_and_none_is_echoed() {
    let fake = FakeGitLab::start().await.unwrap();
    let peer = Peer::of(&fake).await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let begun = peer.post(fake.token(), &[], &initialize(json!(version))).await;
        assert_eq!(begun.message()["result"]["protocolVersion"], version);
    }
    for version in ["2026-07-28", "2099-01-01", "latest"] {
        let begun = peer.post(fake.token(), &[], &initialize(json!(version))).await;
        assert_eq!(begun.message()["result"]["protocolVersion"], "2025-11-25", "{version}: {begun:?}");
    }
}

async fn conversation(peer: &Peer, token: &str, version: ProtocolVersion) -> Value {
    let config = StreamableHttpClientTransportConfig::with_uri(peer.url()).auth_header(token);
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = ClientConfig::new(ClientCapabilities::default(), Implementation::new("test", "1"));
    let lifecycle = if version.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
    };
    let client = client.with_protocol_version(version);
    let client = client.serve_with_lifecycle(transport, lifecycle).await.unwrap();
    assert_eq!(client.list_all_tools().await.unwrap().len(), 2);
    let arguments = json!({"action": "get", "workflow_id": "733"}).as_object().unwrap().clone();
    let params = CallToolRequestParams::new("browse_duo_sessions").with_arguments(arguments);
    let result = client.call_tool(params).await.unwrap();
    client.cancel().await.unwrap();
    serde_json::to_value(result).unwrap()
}

#[tokio::test]
async fn a_client_of_either_generation_reads_a_session() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let peer = Peer::of(&fake).await;
    for version in
        [ProtocolVersion::V_2025_03_26, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28]
    {
        let result = conversation(&peer, fake.token(), version.clone()).await;
        validate("browse_duo_sessions", &result).await;
        assert!(result.to_string().contains("733"), "{version}: {result}");
    }
}
