//! Conversations through rmcp's own client, in both generations of the protocol.

use std::collections::BTreeMap;

use gitlab_duo_mcp::server::Server;
use gitlab_duo_mcp::server::stdio::serve;
use gitlab_duo_mcp::spec::surface::Surface;
use jsonschema::Validator;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, ProtocolVersion, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::world::{NEWEST, gitlab, server_of};

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

    /// The revision that was agreed, as the server told it; without a handshake, the one of each request.
    pub(crate) fn agreed(&self) -> String {
        self.service.peer_info().unwrap().protocol_version.as_str().to_owned()
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Calls a tool. Its result is checked against the tool's own schema, also that of a tool which is not listed, and
    /// one that an old revision carries as text.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.service.call_tool(params).await.unwrap();
        let result = serde_json::to_value(result).unwrap();
        validate(tool, &result).await;
        result
    }

    /// Calls a tool and gives the structured result.
    pub(crate) async fn structured(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await["structuredContent"].clone()
    }
}

/// The tool that stands behind each name that is never listed.
const ALIASES: [(&str, &str); 6] = [
    ("get_duo_workflow_status", "get_duo_session"),
    ("get_session", "get_duo_session"),
    ("list_sessions", "list_duo_sessions"),
    ("start_duo_flow", "start_duo_session"),
    ("trigger_duo_developer", "start_duo_session"),
    ("trigger_duo_flow", "start_duo_session"),
];

/// The output schemas of every tool by its name, without any restriction.
static OUTPUT_SCHEMAS: OnceCell<BTreeMap<String, Validator>> = OnceCell::const_new();

async fn output_schemas() -> BTreeMap<String, Validator> {
    let mut schemas = BTreeMap::new();
    for surface in [Surface::Compact, Surface::GitLab] {
        for tool in Client::new(server_of(&gitlab(NEWEST), surface)).await.tools {
            let schema = Value::Object(tool.output_schema.as_deref().unwrap().clone());
            schemas.insert(tool.name.to_string(), jsonschema::validator_for(&schema).unwrap());
        }
    }
    schemas
}

/// Checks a result against the output schema of the tool of that name.
pub(crate) async fn validate(name: &str, result: &Value) {
    // A question or a task comes in place of a result.
    if result["resultType"].as_str().is_some_and(|kind| kind != "complete") {
        return;
    }
    let schemas = OUTPUT_SCHEMAS.get_or_init(output_schemas).await;
    let real = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, tool)| tool);
    let validator = schemas.get(real).unwrap_or_else(|| panic!("no tool `{name}`"));
    let structured = result.get("structuredContent").cloned();
    let structured = structured.unwrap_or_else(|| serde_json::from_str(text(result)).unwrap());
    let faults: Vec<_> = validator.iter_errors(&structured).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{name}: {faults:?} in {structured}");
    // An error is nothing else beside.
    let is_error = structured.get("error").is_some();
    assert_eq!(result["isError"], is_error, "{name}: {result}");
    assert!(!is_error || structured.as_object().unwrap().len() == 1, "{name}: {structured}");
}

/// The readable text of a result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}
