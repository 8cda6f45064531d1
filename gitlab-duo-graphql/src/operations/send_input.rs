//! Answers a checkpoint: `POST /ai/duo_workflows/workflows/:id/resume` (REST, 19.3 and newer).

use gitlab_duo_core::gateway::error::WriteError;
use gitlab_duo_core::gateway::request::{Accepted, HumanInput};
use gitlab_duo_core::model::ids::WorkflowId;
use http::Method;
use serde_json::{Value, json};

use super::parts::accepted;
use crate::wire::connection::Wire;

/// Sends a person's answer. One request, never sent again.
pub(crate) async fn send_input(
    wire: &Wire,
    id: WorkflowId,
    input: &HumanInput,
) -> Result<Accepted, WriteError> {
    let number = id.to_string();
    let segments = ["ai", "duo_workflows", "workflows", &number, "resume"];
    let answer = wire.write(&wire.rest_request("send_input", Method::POST, &segments, &body(input))).await?;
    accepted::read(&answer, Some(id))
}

/// GitLab refuses a message beside an approval when the CI job reads it: an approval carries none.
fn body(input: &HumanInput) -> Value {
    match input {
        HumanInput::Approve => json!({"human_approval": true}),
        HumanInput::Reply(None) => json!({"human_approval": false}),
        HumanInput::Reply(Some(message)) => json!({"human_approval": false, "human_message": message}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_checkpoint_is_sent_without_approval() {
        assert_eq!(body(&HumanInput::Approve), json!({"human_approval": true}));
        assert_eq!(body(&HumanInput::Reply(None)), json!({"human_approval": false}));
        let reply = HumanInput::Reply(Some("only invoices".to_owned()));
        assert_eq!(body(&reply), json!({"human_approval": false, "human_message": "only invoices"}));
    }
}
