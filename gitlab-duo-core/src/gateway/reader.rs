//! What can be read of a GitLab.

use async_trait::async_trait;

use crate::gateway::error::ReadError;
use crate::gateway::request::{
    CatalogPage, CatalogQuery, Lookup, MergeRequest, Pipeline, SessionPage, SessionQuery,
};
use crate::model::catalog::{Consumer, Eligibility, FoundationalAgent};
use crate::model::ids::{ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId};
use crate::model::instance::Instance;
use crate::model::page::Answer;
use crate::model::project::{Project, ProjectLink, ProjectRef};

/// Reads of one GitLab with one credential.
///
/// Absence is `Ok(None)`: not there, or not visible. An error means that it is not known. Reads may
/// be repeated after passing failures; none of them changes anything. Futures may be dropped at any
/// point, which abandons the request.
///
/// # Errors
/// Every method fails with [`ReadError`], whose kind says what the caller can do.
#[async_trait]
pub trait DuoReader: Send + Sync {
    /// The instance and what it can do; its version is read once.
    async fn instance(&self) -> Result<Instance, ReadError>;

    /// A project by id or path; a renamed project is found by its old path.
    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError>;

    /// A page of the caller's own sessions, newest first.
    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError>;

    /// A session with its details; never another one than asked for.
    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError>;

    /// The project of a session, without any detail; none when the session is not there, a link of
    /// which nothing is known when it has no readable project.
    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError>;

    /// A page of a project's consumers, in GitLab's order.
    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError>;

    /// A consumer by its id.
    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError>;

    /// The foundational agents that a project sees; none when the instance cannot list them.
    async fn foundational_agents(
        &self,
        project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError>;

    /// Whether sessions can run in a project.
    async fn eligibility(&self, project: &Project) -> Result<Answer<Eligibility>, ReadError>;

    /// A pipeline of a project. One REST request.
    async fn pipeline(&self, project: ProjectId, id: PipelineId) -> Result<Option<Pipeline>, ReadError>;

    /// A merge request of a project. One REST request.
    async fn merge_request(
        &self,
        project: ProjectId,
        iid: MergeRequestIid,
    ) -> Result<Option<MergeRequest>, ReadError>;

    /// The newest opened merge request from `source_branch` of the project itself. One REST request.
    async fn opened_merge_request(
        &self,
        project: ProjectId,
        source_branch: &str,
    ) -> Result<Option<MergeRequest>, ReadError>;
}
