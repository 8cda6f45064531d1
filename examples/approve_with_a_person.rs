//! A model asks for an approval, and a person decides: `cargo run --example approve_with_a_person`
//!
//! The client can show its user a form (*elicitation*), so our server asks that user before an approval is
//! sent. A no sends nothing. Without a terminal the answer is yes. It plays on an embedded GitLab.

#![expect(clippy::indexing_slicing, reason = "of JSON: what is not there is null")]

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use fake_gitlab::FakeGitLab;
use rmcp::model::{
    CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ErrorData, Implementation, ProtocolVersion,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};

#[path = "support/mcp.rs"]
mod support;
use support::{Tell, aloud, call, connect, word};

/// Decides about a question that has been shown.
pub type Person = Arc<dyn Fn() -> bool + Send + Sync>;

#[tokio::main]
async fn main() -> Result<()> {
    approved(&FakeGitLab::start().await?, Arc::new(at_the_keyboard), aloud()).await
}

/// Only a clear yes is one.
fn at_the_keyboard() -> bool {
    print!("Your decision? [y/n] ");
    let mut line = "y".to_owned();
    if io::stdin().is_terminal() {
        line.clear();
        let read = io::stdout().flush().and_then(|()| io::stdin().lock().read_line(&mut line));
        return read.is_ok() && matches!(line.trim(), "y" | "yes");
    }
    println!("{line}");
    true
}

/// The client's side: it shows what the server asks, and gives the person's answer back.
struct Desk {
    tell: Tell,
    person: Person,
}

impl ClientHandler for Desk {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("approve_with_a_person", "1"))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        (self.tell)(format!("\nThe server asks you:\n{message}\n"));
        let person = Arc::clone(&self.person);
        let said_yes = tokio::task::spawn_blocking(move || person()).await.unwrap_or(false);
        Ok(if said_yes {
            ElicitResult::new(ElicitationAction::Accept).with_content(json!({}))
        } else {
            ElicitResult::new(ElicitationAction::Decline)
        })
    }
}

/// Starts a session, waits for its tool calls, and tries to approve them as a model would.
pub async fn approved(fake: &FakeGitLab, person: Person, tell: Tell) -> Result<()> {
    let desk = Desk { tell: tell.clone(), person };
    let client = connect(fake, desk, ProtocolVersion::V_2025_11_25).await?;
    // "CI gardener", which wants two tool calls approved.
    let start = json!({"action": "start", "project_id": "example-group/backend", "consumer_id": "79",
        "goal": "Tidy the CI configuration"});
    let started = structured(client.call_tool(call("manage_duo_session", start)?).await?)?;
    tell(format!("session {} has been started", word(&started["workflow_id"])));
    let session = until(&client, &started["workflow_id"], |session| {
        session["pending_input"]["can_send"] == Value::Bool(true)
    })
    .await?;
    tell(format!("session {} is {}", word(&session["workflow_id"]), word(&session["status"])));

    let before = fake.writes().len();
    let approve =
        json!({"action": "send_input", "workflow_id": started["workflow_id"], "human_approval": true});
    let result = client.call_tool(call("manage_duo_session", approve)?).await?;
    let has_failed = result.is_error == Some(true);
    let told = structured(result)?;
    if has_failed {
        tell(format!("{}: {}", word(&told["error"]["kind"]), word(&told["error"]["message"])));
    }
    tell(format!("writes that reached GitLab by this: {}", fake.writes().len() - before));
    if !has_failed {
        let is_over = |session: &Value| session["terminal"] == Value::Bool(true);
        let session = until(&client, &started["workflow_id"], is_over).await?;
        tell(format!("session {} is {}", word(&session["workflow_id"]), word(&session["status"])));
    }
    client.cancel().await?;
    Ok(())
}

/// Waits for one change after the other.
async fn until(
    client: &RunningService<RoleClient, Desk>,
    workflow_id: &Value,
    is_there: impl Fn(&Value) -> bool,
) -> Result<Value> {
    loop {
        let wait = json!({"action": "get", "workflow_id": workflow_id, "wait_seconds": 300});
        let session = structured(client.call_tool(call("browse_duo_sessions", wait)?).await?)?;
        if is_there(&session) {
            return Ok(session);
        }
    }
}

fn structured(result: CallToolResult) -> Result<Value> {
    result.structured_content.context("every result of our tools is structured")
}
