//! A GitLab that hangs or panics where a test wants it to.

use std::sync::Arc;

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
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectRef};
use tokio::sync::Notify;

/// What becomes of reading a session and of stopping one.
#[derive(Clone, Copy)]
pub(crate) enum Trouble {
    Hang,
    Panic,
}

/// A GitLab with trouble in one method: a write, `session` or `sessions`.
pub(crate) struct Troubled {
    gitlab: MemoryGitLab,
    method: &'static str,
    trouble: Trouble,
    pub(crate) signs: Arc<Signs>,
}

/// What a test sees of the trouble, and how it ends it.
#[derive(Default)]
pub(crate) struct Signs {
    pub(crate) entered: Notify,
    pub(crate) release: Notify,
    pub(crate) left: Notify,
    pub(crate) dropped: Notify,
}

impl Troubled {
    pub(crate) fn new(gitlab: &MemoryGitLab, method: &'static str, trouble: Trouble) -> Self {
        Self { gitlab: gitlab.clone(), method, trouble, signs: Arc::default() }
    }

    async fn enter(&self, method: &str) {
        if method != self.method {
            return;
        }
        self.signs.entered.notify_one();
        match self.trouble {
            Trouble::Panic => panic!("with a secret: glpat-secret"),
            Trouble::Hang => {
                let watch = Watch { signs: &self.signs, is_done: false };
                self.signs.release.notified().await;
                watch.done();
            }
        }
    }
}

/// Tells whether a hanging call was dropped or went on.
struct Watch<'a> {
    signs: &'a Signs,
    is_done: bool,
}

impl Watch<'_> {
    fn done(mut self) {
        self.is_done = true;
        self.signs.left.notify_one();
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.signs.dropped.notify_one();
        }
    }
}

#[async_trait]
impl DuoWriter for Troubled {
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError> {
        self.enter("start_session").await;
        self.gitlab.start_session(request).await
    }

    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError> {
        self.enter("send_input").await;
        self.gitlab.send_input(id, input).await
    }

    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError> {
        self.enter("stop_session").await;
        self.gitlab.stop_session(id).await
    }
}

#[async_trait]
impl DuoReader for Troubled {
    async fn instance(&self) -> Result<Instance, ReadError> {
        self.gitlab.instance().await
    }

    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
        self.gitlab.project(project).await
    }

    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError> {
        self.enter("sessions").await;
        self.gitlab.sessions(query).await
    }

    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
        self.enter("session").await;
        self.gitlab.session(id).await
    }

    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
        self.gitlab.session_project(id).await
    }

    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError> {
        self.gitlab.catalog_page(query).await
    }

    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError> {
        self.gitlab.catalog_consumer(id).await
    }

    async fn foundational_agents(
        &self,
        project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
        self.gitlab.foundational_agents(project).await
    }

    async fn eligibility(&self, project: &Project) -> Result<Answer<Eligibility>, ReadError> {
        self.gitlab.eligibility(project).await
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
