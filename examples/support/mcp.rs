//! Our MCP server inside the same program, for the examples that are its clients. An editor starts it as a
//! process of its own instead; what a client says and hears is the same.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use fake_gitlab::FakeGitLab;
use futures_util::FutureExt as _;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use gitlab_duo_mcp::server::stdio::serve;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService};
use rmcp::{ClientHandler, RoleClient};
use serde_json::Value;

/// Takes each line that an example says.
pub type Tell = Arc<dyn Fn(String) + Send + Sync>;

/// Says lines to the person at the terminal.
pub fn aloud() -> Tell {
    Arc::new(|line| println!("{line}"))
}

/// Begins a conversation with a server over this GitLab, in a revision of the protocol.
pub async fn connect<C: ClientHandler>(
    fake: &FakeGitLab,
    client: C,
    revision: ProtocolVersion,
) -> Result<RunningService<RoleClient, C>> {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(server(fake)?, read, write));
    let lifecycle = if revision.has_initialize() {
        ClientLifecycleMode::Initialize
    } else {
        ClientLifecycleMode::Discover { preferred_versions: vec![revision] }
    };
    client.serve_with_lifecycle(theirs, lifecycle).await.context("the server does not answer")
}

/// A server whose waits move the clock of the GitLab, so that nobody has to sit through them.
fn server(fake: &FakeGitLab) -> Result<Server> {
    let instance = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly)?;
    let gitlab = GitLab::builder(instance.clone()).token(StaticToken::new(fake.token())).build()?;
    let (clock, waiting) = (fake.clone(), fake.clone());
    let settings = ServerSettings {
        instance,
        scope: Scope::default(),
        surface: Surface::Compact,
        confirm: Confirm::default(),
        clock: Arc::new(move || clock.now()),
    };
    Ok(Server::new(Arc::new(gitlab), settings).with_pause(Arc::new(move |time| {
        waiting.advance(time);
        std::future::ready(()).boxed()
    })))
}

/// A call of a tool, from its arguments as JSON.
pub fn call(tool: &'static str, arguments: Value) -> Result<CallToolRequestParams> {
    let Value::Object(arguments) = arguments else { bail!("arguments are an object") };
    Ok(CallToolRequestParams::new(tool).with_arguments(arguments))
}

/// A text of a result, without its quotes.
pub fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("unknown")
}
