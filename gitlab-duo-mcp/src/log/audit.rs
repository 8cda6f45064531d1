//! The line about a write that was sent to GitLab, or handed over to be sent.

use gitlab_duo_core::gateway::error::{Outcome, WriteError};
use gitlab_duo_core::gateway::request::{Accepted, HumanInput, Run, StartRequest};
use gitlab_duo_core::model::ids::WorkflowId;

/// The target of these lines; they are shown whatever the filter says.
pub(crate) const TARGET: &str = "gitlab_duo_audit";

/// Logs a start. Its goal is the caller's text and is not told.
pub(crate) fn start(request: &StartRequest, outcome: &Result<Accepted, WriteError>) {
    let project_id = request.project.to_string();
    let (consumer_id, agent) = match &request.run {
        Run::Consumer(id) => (Some(id.to_string()), None),
        Run::Agent(reference) => (None, Some(reference.to_string())),
    };
    let told = Told::of(outcome);
    let Told { outcome, kind, workflow_id, request_id } = told;
    tracing::info!(target: TARGET, write = "start", project_id, consumer_id, agent, workflow_id, outcome, kind, request_id);
}

/// Logs an answer to a checkpoint. The message is a person's and is not told.
pub(crate) fn send_input(id: WorkflowId, input: &HumanInput, outcome: &Result<Accepted, WriteError>) {
    let (workflow_id, approved) = (id.to_string(), matches!(input, HumanInput::Approve));
    let Told { outcome, kind, request_id, .. } = Told::of(outcome);
    tracing::info!(target: TARGET, write = "send_input", workflow_id, approved, outcome, kind, request_id);
}

/// Logs a stop.
pub(crate) fn stop(id: WorkflowId, outcome: &Result<Accepted, WriteError>) {
    let workflow_id = id.to_string();
    let Told { outcome, kind, request_id, .. } = Told::of(outcome);
    tracing::info!(target: TARGET, write = "stop", workflow_id, outcome, kind, request_id);
}

/// What may be told of an outcome.
struct Told {
    outcome: &'static str,
    kind: Option<&'static str>,
    workflow_id: Option<String>,
    request_id: Option<String>,
}

impl Told {
    fn of(outcome: &Result<Accepted, WriteError>) -> Self {
        match outcome {
            Ok(accepted) => Self {
                outcome: "accepted",
                kind: None,
                workflow_id: Some(accepted.id.to_string()),
                request_id: None,
            },
            Err(failure) => Self {
                outcome: match failure.outcome {
                    Outcome::Refused => "refused",
                    Outcome::Unknown => "unknown",
                    Outcome::Accepted => "accepted",
                },
                kind: Some(failure.error.kind.name()),
                workflow_id: failure.workflow_id.map(|id| id.to_string()),
                request_id: failure.error.request_id.clone(),
            },
        }
    }
}
