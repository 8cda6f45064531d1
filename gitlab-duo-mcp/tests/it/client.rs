//! Conversations through rmcp's own client, in both generations of the protocol.

use gitlab_duo_mcp::server::Server;
use gitlab_duo_mcp::server::stdio::serve;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use serde_json::Value;

/// A client that has begun a conversation.
pub(crate) struct Client {
    service: RunningService<RoleClient, ClientConfig>,
    tools: Vec<Tool>,
}

impl Client {
    /// Begins a conversation in a revision.
    pub(crate) async fn of(server: Server, version: ProtocolVersion) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(ours);
        tokio::spawn(serve(server, read, write));
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("test", "1"));
        let lifecycle = if version.has_initialize() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
        };
        let service =
            info.with_protocol_version(version).serve_with_lifecycle(theirs, lifecycle).await.unwrap();
        let tools = service.list_all_tools().await.unwrap();
        Self { service, tools }
    }

    /// Begins a conversation in the newest revision that has a handshake.
    pub(crate) async fn new(server: Server) -> Self {
        Self::of(server, ProtocolVersion::V_2025_11_25).await
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Calls a tool. A structured result is checked against the tool's own schema.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.service.call_tool(params).await.unwrap();
        let result = serde_json::to_value(result).unwrap();
        if let Some(structured) = result.get("structuredContent") {
            self.validate(tool, structured);
        }
        result
    }

    /// Calls a tool and gives the structured result.
    pub(crate) async fn structured(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await["structuredContent"].clone()
    }

    fn validate(&self, name: &str, structured: &Value) {
        // A tool that policy hides has no schema here; its refusals have the form of every error.
        let Some(tool) = self.tools.iter().find(|tool| tool.name == name) else { return };
        let schema = Value::Object(tool.output_schema.as_deref().unwrap().clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<_> = validator.iter_errors(structured).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {faults:?} in {structured}");
    }
}

/// The readable text of a result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}
