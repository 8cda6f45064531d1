//! What can be changed in a GitLab.

use async_trait::async_trait;

use crate::gateway::error::WriteError;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{Accepted, HumanInput, StartRequest};
use crate::model::ids::WorkflowId;

/// Writes of one GitLab with one credential.
///
/// Each method sends at most one request and never sends it again, whatever becomes of it.
///
/// # Errors
/// Every method fails with [`WriteError`], which says whether nothing happened, something was
/// accepted, or nobody knows.
#[async_trait]
pub trait DuoWriter: DuoReader {
    /// Starts a session in CI.
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError>;

    /// Answers the checkpoint of a session.
    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError>;

    /// Stops a session and its pipelines.
    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError>;
}
