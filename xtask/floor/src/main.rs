//! The least that a server over rmcp can do: one tool, one GET per call, its body back. `cargo xtask bench`
//! measures the real server against it.

use std::sync::Arc;

use anyhow::Context as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};

/// The variable that holds the address to GET.
const URL: &str = "FLOOR_URL";

struct Floor {
    client: reqwest::Client,
    url: String,
}

impl ServerHandler for Floor {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![Tool::new("get", "Gets", Arc::default())]))
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let body = self.body().await.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(CallToolResult::success(vec![ContentBlock::text(body)]).into())
    }
}

impl Floor {
    async fn body(&self) -> reqwest::Result<String> {
        self.client.get(&self.url).send().await?.text().await
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::var(URL).with_context(|| format!("{URL} is not set"))?;
    #[expect(clippy::disallowed_methods, reason = "the plainest client there is: that is what is measured")]
    let client = reqwest::Client::new();
    let floor = Floor { client, url };
    floor.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
