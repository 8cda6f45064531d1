//! Core's port over one GitLab: the table of contents of `operations`.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use gitlab_duo_core::gateway::error::{ReadError, WriteError};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{
    Accepted, CatalogPage, CatalogQuery, HumanInput, Lookup, MergeRequest, Pipeline, SessionPage,
    SessionQuery, StartRequest,
};
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::catalog::{Consumer, Eligibility, FoundationalAgent};
use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::Instance;
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectRef};

use crate::facts::TokenFacts;
use crate::operations::{
    catalog_consumer, catalog_page, eligibility, find_project, foundational_agents, get_session,
    list_sessions, merge_requests, pipelines, send_input, session_project, start_session, stop_session,
    token_facts,
};
use crate::token::TokenSource;
use crate::wire::connection::Wire;
use crate::wire::proxy::proxy_for;

/// A client of one GitLab with one credential. Cheap to clone; clones share connections and what was learnt about the
/// instance (its version, and which documents it refused), nothing else.
#[derive(Clone)]
pub struct GitLab {
    wire: Wire,
}

impl GitLab {
    /// The same instance with another credential.
    #[must_use]
    pub fn with_token(&self, source: impl TokenSource + 'static) -> Self {
        Self { wire: Wire { shared: self.wire.shared.clone(), tokens: Arc::new(source) } }
    }

    /// What GitLab tells about this client's token; where it tells nothing, nothing is said.
    ///
    /// # Errors
    /// When there is no token, or no answer came.
    pub async fn token_facts(&self) -> Result<TokenFacts, ReadError> {
        token_facts::token_facts(&self.wire).await
    }

    /// The proxy that requests go through, as `http://proxy.example.com:3128`, without its sign-in;
    /// none when they go directly.
    #[must_use]
    pub fn proxy(&self) -> Option<String> {
        proxy_for(&self.wire.shared.address(&[]))
    }

    /// Whether GitLab answers at all. Asked anew at each call, without a credential, with one request; any
    /// refusal is an answer, a status of 500 and above is none.
    pub async fn is_answering(&self) -> bool {
        self.wire.shared.is_answering().await
    }

    pub(crate) fn over(wire: Wire) -> Self {
        Self { wire }
    }
}

impl fmt::Debug for GitLab {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GitLab").field("url", &self.wire.shared.url).finish_non_exhaustive()
    }
}

#[async_trait]
impl DuoReader for GitLab {
    async fn instance(&self) -> Result<Instance, ReadError> {
        self.wire.instance().await
    }

    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
        find_project::find_project(&self.wire, project).await
    }

    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError> {
        list_sessions::list_sessions(&self.wire, query).await
    }

    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
        get_session::get_session(&self.wire, id).await
    }

    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
        session_project::session_project(&self.wire, id).await
    }

    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError> {
        catalog_page::catalog_page(&self.wire, query).await
    }

    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError> {
        catalog_consumer::catalog_consumer(&self.wire, id).await
    }

    async fn foundational_agents(
        &self,
        project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
        foundational_agents::foundational_agents(&self.wire, project).await
    }

    async fn eligibility(&self, project: &Project) -> Result<Answer<Eligibility>, ReadError> {
        eligibility::eligibility(&self.wire, project).await
    }

    async fn pipeline(&self, project: ProjectId, id: PipelineId) -> Result<Option<Pipeline>, ReadError> {
        pipelines::pipeline(&self.wire, project, id).await
    }

    async fn merge_request(
        &self,
        project: ProjectId,
        iid: MergeRequestIid,
    ) -> Result<Option<MergeRequest>, ReadError> {
        merge_requests::merge_request(&self.wire, project, iid).await
    }

    async fn opened_merge_request(
        &self,
        project: ProjectId,
        source_branch: &str,
    ) -> Result<Option<MergeRequest>, ReadError> {
        merge_requests::opened_merge_request(&self.wire, project, source_branch).await
    }
}

#[async_trait]
impl DuoWriter for GitLab {
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError> {
        start_session::start_session(&self.wire, request).await
    }

    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError> {
        send_input::send_input(&self.wire, id, input).await
    }

    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError> {
        stop_session::stop_session(&self.wire, id).await
    }
}
