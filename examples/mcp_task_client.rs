//! A client of the tasks extension calls one tool and then follows the task: `cargo run --example mcp_task_client`
//!
//! The session *is* the task. The client looks when it is told to (`pollIntervalMs`), answers the checkpoint
//! through the task, and finds the result in it. This needs the protocol of 2026-07-28. It plays on an
//! embedded GitLab, whose clock is moved instead of waiting.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use fake_gitlab::FakeGitLab;
use rmcp::model::{
    CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, GetTaskParams, Implementation, InputRequest, InputRequests, InputResponses,
    ProtocolVersion, TaskPayload, UpdateTaskParams,
};
use serde_json::{Value, json};

#[path = "support/mcp.rs"]
mod support;
use support::{Tell, aloud, call, connect, word};

/// The first revision of the protocol with this kind of tasks.
const REVISION: ProtocolVersion = ProtocolVersion::V_2026_07_28;

#[tokio::main]
async fn main() -> Result<()> {
    followed(&FakeGitLab::start().await?, aloud()).await
}

/// Starts a session and follows its task.
pub async fn followed(fake: &FakeGitLab, tell: Tell) -> Result<()> {
    // Tasks are given to clients that say they know them; checkpoints to those that can show a form.
    let capabilities = ClientCapabilities::builder().enable_elicitation().enable_tasks().build();
    let config = ClientConfig::new(capabilities, Implementation::new("mcp_task_client", "1"))
        .with_protocol_version(REVISION);
    let client = connect(fake, config, REVISION).await?;

    // "Invoice keeper", which wants its plan approved.
    let start = json!({"action": "start", "project_id": "example-group/backend", "consumer_id": "91",
        "goal": "Repair the rounding of invoices"});
    let CallToolResponse::Task(created) = client.call_tool_once(call("manage_duo_session", start)?).await?
    else {
        bail!("the server has answered without a task");
    };
    let mut task = created.task;
    tell(format!("tools/call: {}", task.status_message.as_deref().unwrap_or_default()));

    let mut answered = BTreeSet::new();
    let result = loop {
        fake.advance(Duration::from_millis(task.poll_interval_ms.context("our tasks say when to look")?));
        let looked = client.get_task(GetTaskParams::new(&task.task_id)).await?.task;
        task = looked.task;
        match looked.payload {
            TaskPayload::Working => {
                tell(format!("tasks/get: {}", task.status_message.as_deref().unwrap_or_default()));
            }
            TaskPayload::InputRequired { mut input_requests } => {
                // GitLab may need a moment to go on: a question that was answered is not answered again.
                input_requests.retain(|key, _| answered.insert(key.clone()));
                let answers = answers(&input_requests, &tell)?;
                if !answers.is_empty() {
                    client.update_task(UpdateTaskParams::new(&task.task_id, answers)).await?;
                    tell("tasks/update: approved".to_owned());
                }
            }
            TaskPayload::Completed { result } => break result,
            other => bail!("the task has ended as {:?}", other.status()),
        }
    };
    // What a tool call without tasks would have answered.
    let result: CallToolResult = serde_json::from_value(Value::Object(result))?;
    let session = result.structured_content.context("the result is structured")?;
    let field = |name: &str| session.get(name).unwrap_or(&Value::Null);
    tell(format!("completed: session {} is {}", word(field("workflow_id")), word(field("status"))));
    tell(format!("\n{}", field("answer").as_str().unwrap_or("(no answer is known)")));
    client.cancel().await?;
    Ok(())
}

/// Shows each question and says yes to it. A real client shows its user the form, and sends what they filled in.
fn answers(requests: &InputRequests, tell: &Tell) -> Result<InputResponses> {
    let mut answers = InputResponses::new();
    for (key, request) in requests {
        let InputRequest::Elicitation(request) = request else { bail!("only forms are asked for") };
        let ElicitRequestParams::FormElicitationParams { message, .. } = &request.params else {
            bail!("only forms are asked for");
        };
        tell(format!("\ntasks/get: a person is asked:\n{message}\n"));
        let yes = ElicitResult::new(ElicitationAction::Accept).with_content(json!({"human_approval": true}));
        answers.insert(key.clone(), serde_json::to_value(yes)?);
    }
    Ok(answers)
}
