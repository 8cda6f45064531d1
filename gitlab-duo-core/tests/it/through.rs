//! A GitLab that keeps what it is asked, answers with another session than it has, or lacks details.

use std::sync::Mutex;

use async_trait::async_trait;
use gitlab_duo_core::gateway::error::{ReadError, WriteError};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{
    Accepted, CatalogPage, CatalogQuery, HumanInput, Lookup, MergeRequest, Pipeline, SessionPage,
    SessionQuery, StartRequest,
};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::catalog::{Consumer, Eligibility, FoundationalAgent};
use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::Instance;
use gitlab_duo_core::model::page::{Answer, Unavailable};
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectRef};
use gitlab_duo_core::model::session::Session;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::version::Release;

/// The double of the library behind it, with what is changed on the way.
pub(crate) struct Through {
    pub(crate) gitlab: MemoryGitLab,
    /// What becomes of a session that is read with its details.
    pub(crate) session: fn(&mut Session),
    /// Whether a session ends on its own just before it is stopped.
    pub(crate) ends_before_stop: bool,
    /// Whether the project of a list is passed over.
    pub(crate) ignores_project: bool,
    pub(crate) session_queries: Mutex<Vec<SessionQuery>>,
    pub(crate) catalog_queries: Mutex<Vec<CatalogQuery>>,
}

impl Through {
    pub(crate) fn new(gitlab: MemoryGitLab) -> Self {
        Self {
            gitlab,
            session: |_| {},
            ends_before_stop: false,
            ignores_project: false,
            session_queries: Mutex::default(),
            catalog_queries: Mutex::default(),
        }
    }
}

/// An answer in which this detail is missing.
fn lacking<T>(detail: &str, answer: Answer<T>) -> Answer<T> {
    let missing = Unavailable { detail: detail.to_owned(), since: Release::new(19, 5) };
    Answer { unavailable: vec![missing], ..answer }
}

#[async_trait]
impl DuoReader for Through {
    async fn instance(&self) -> Result<Instance, ReadError> {
        self.gitlab.instance().await
    }

    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
        self.gitlab.project(project).await
    }

    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError> {
        self.session_queries.lock().unwrap().push(query.clone());
        let project = query.project.clone().filter(|_| !self.ignores_project);
        let query = SessionQuery { project, ..query.clone() };
        Ok(lacking("of_the_list", self.gitlab.sessions(&query).await?))
    }

    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
        let mut answer = self.gitlab.session(id).await?;
        if let Lookup::Found(session) = &mut answer.value {
            (self.session)(session);
        }
        Ok(lacking("of_the_session", answer))
    }

    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
        self.gitlab.session_project(id).await
    }

    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError> {
        self.catalog_queries.lock().unwrap().push(query.clone());
        Ok(lacking("of_the_catalog", self.gitlab.catalog_page(query).await?))
    }

    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError> {
        self.gitlab.catalog_consumer(id).await
    }

    async fn foundational_agents(
        &self,
        project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
        Ok(lacking("of_the_agents", self.gitlab.foundational_agents(project).await?))
    }

    async fn eligibility(&self, project: &Project) -> Result<Answer<Eligibility>, ReadError> {
        Ok(lacking("of_the_facts", self.gitlab.eligibility(project).await?))
    }

    async fn pipeline(&self, project: ProjectId, id: PipelineId) -> Result<Option<Pipeline>, ReadError> {
        self.gitlab.pipeline(project, id).await
    }

    async fn merge_request(
        &self,
        project: ProjectId,
        iid: MergeRequestIid,
    ) -> Result<Option<MergeRequest>, ReadError> {
        self.gitlab.merge_request(project, iid).await
    }

    async fn opened_merge_request(
        &self,
        project: ProjectId,
        source_branch: &str,
    ) -> Result<Option<MergeRequest>, ReadError> {
        self.gitlab.opened_merge_request(project, source_branch).await
    }
}

#[async_trait]
impl DuoWriter for Through {
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError> {
        let mut accepted = self.gitlab.start_session(request).await?;
        accepted.message = Some("No runner takes it.".to_owned());
        accepted.flow = Some("developer/v1".to_owned());
        Ok(accepted)
    }

    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError> {
        let mut accepted = self.gitlab.send_input(id, input).await?;
        accepted.message = Some("The job is queued.".to_owned());
        Ok(accepted)
    }

    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError> {
        if self.ends_before_stop {
            self.gitlab.world().sessions[0].row.status = Some(Status::Finished);
        }
        self.gitlab.stop_session(id).await
    }
}
