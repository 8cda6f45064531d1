//! An MCP client that starts a session and follows it to its result in three calls, without a polling loop:
//! `cargo run --example watch_session`
//!
//! `wait_seconds` makes a call last until something happens; meanwhile progress notifications tell how it
//! goes. It plays on an embedded GitLab; a real one is not touched.

#![expect(clippy::indexing_slicing, reason = "of JSON: what is not there is null")]

use anyhow::{Context as _, Result};
use fake_gitlab::FakeGitLab;
use rmcp::model::{ClientConfig, ProgressNotificationParam, ProtocolVersion};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};

#[path = "support/mcp.rs"]
mod support;
use support::{Tell, aloud, call, connect, word};

#[tokio::main]
async fn main() -> Result<()> {
    watched(&FakeGitLab::start().await?, aloud()).await
}

/// The client's side: it says what progress it is told of.
struct Watcher {
    tell: Tell,
}

impl ClientHandler for Watcher {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default().with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let what = told.message.unwrap_or_default();
        (self.tell)(format!("  waited {} of {} s: {what}", told.progress, told.total.unwrap_or_default()));
    }
}

/// Starts a session and follows it.
pub async fn watched(fake: &FakeGitLab, tell: Tell) -> Result<()> {
    let client = connect(fake, Watcher { tell: tell.clone() }, ProtocolVersion::V_2025_11_25).await?;

    // The first call starts it. rmcp gives every request a progress token, which asks for notifications.
    let start = json!({"action": "start", "project_id": "example-group/backend",
        "flow": "convert_to_gl_ci/v1", "goal": "Convert the old build file"});
    let started = client.call_tool(call("manage_duo_session", start)?).await?;
    let started = started.structured_content.context("the start has a result")?;
    tell(format!("call 1, start: {} is {}", word(&started["workflow_id"]), word(&started["status"])));

    // Two more wait for the next change each: it begins to run, and it ends.
    for number in 2..=3 {
        let wait = json!({"action": "get", "workflow_id": started["workflow_id"], "wait_seconds": 300});
        let looked = client.call_tool(call("browse_duo_sessions", wait)?).await?;
        let looked = looked.structured_content.context("the session has a result")?;
        tell(format!("call {number}, get: {} is {}", word(&looked["workflow_id"]), word(&looked["status"])));
        if looked["terminal"] == Value::Bool(true) {
            tell(format!("\n{}", looked["answer"].as_str().unwrap_or("(no answer is known)")));
        }
    }
    client.cancel().await?;
    Ok(())
}
