//! Stops a session and its pipelines: `PATCH /ai/duo_workflows/workflows/:id` with a status event (REST, 18.9 and newer).

use gitlab_duo_core::gateway::error::WriteError;
use gitlab_duo_core::gateway::request::Accepted;
use gitlab_duo_core::model::ids::WorkflowId;
use http::Method;
use serde_json::json;

use super::parts::accepted;
use crate::wire::connection::Wire;

/// Stops. One request, never sent again.
pub(crate) async fn stop_session(wire: &Wire, id: WorkflowId) -> Result<Accepted, WriteError> {
    let number = id.to_string();
    let segments = ["ai", "duo_workflows", "workflows", &number];
    let body = json!({"status_event": "stop"});
    let answer = wire.write(&wire.rest_request("stop_session", Method::PATCH, &segments, &body)).await?;
    accepted::read(&answer, Some(id))
}
