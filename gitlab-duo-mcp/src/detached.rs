//! Writes that cannot be half sent: each runs in a task of its own, so that it reaches its end even
//! when the call that began it is withdrawn. Reads run in the call and are dropped with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use async_trait::async_trait;
use gitlab_duo_core::gateway::error::{GatewayError, Outcome, ReadError, WriteError};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{
    Accepted, CatalogPage, CatalogQuery, HumanInput, Lookup, MergeRequest, Pipeline, SessionPage,
    SessionQuery, StartRequest,
};
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::catalog::{Consumer, Eligibility, FoundationalAgent};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::Instance;
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectRef};
use tokio::task::JoinHandle;

use crate::in_flight::Ticket;
use crate::log::audit;
use crate::looks::Waiter;

/// The gateway of one call. Its writes outlive the call, and whether there was one can be asked
/// when the call ends early.
pub(crate) struct DetachedWrites {
    gateway: Arc<dyn DuoWriter>,
    has_begun: AtomicBool,
    /// Goes with the write, so that it counts as on its way until it is answered.
    ticket: Mutex<Option<Ticket>>,
    /// For a call that waits: its looks are shared with others that wait for the same session.
    waiter: OnceLock<Waiter>,
}

impl DetachedWrites {
    pub(crate) fn new(gateway: Arc<dyn DuoWriter>) -> Self {
        Self { gateway, has_begun: AtomicBool::new(false), ticket: Mutex::default(), waiter: OnceLock::new() }
    }

    /// Whether a write has begun: then it may have happened.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::SeqCst)
    }

    /// Shares the looks of a call that waits.
    pub(crate) fn share_looks(&self, waiter: Waiter) {
        // A call waits for one session: there is nothing to replace.
        let _first = self.waiter.set(waiter);
    }

    fn waiter(&self, id: WorkflowId) -> Option<&Waiter> {
        self.waiter.get().filter(|waiter| waiter.is_for(id))
    }

    /// Keeps the ticket of the write that this call is about to make.
    pub(crate) fn hold(&self, ticket: Option<Ticket>) {
        *self.held() = ticket;
    }

    fn held(&self) -> MutexGuard<'_, Option<Ticket>> {
        self.ticket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> (Arc<dyn DuoWriter>, Option<Ticket>) {
        self.has_begun.store(true, Ordering::SeqCst);
        (Arc::clone(&self.gateway), self.held().take())
    }
}

/// Waits for a write. A panic in it goes on in the caller, whose guard answers for it.
async fn outcome(write: JoinHandle<Result<Accepted, WriteError>>) -> Result<Accepted, WriteError> {
    match write.await {
        Ok(outcome) => outcome,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(WriteError {
                outcome: Outcome::Unknown,
                error: GatewayError::new(ErrorKind::Cancelled, "this program ended meanwhile"),
                workflow_id: None,
            }),
        },
    }
}

#[async_trait]
impl DuoWriter for DetachedWrites {
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError> {
        let ((gateway, ticket), request) = (self.begin(), request.clone());
        outcome(tokio::spawn(async move {
            let _on_its_way = ticket;
            let outcome = gateway.start_session(&request).await;
            audit::start(&request, &outcome);
            outcome
        }))
        .await
    }

    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError> {
        let ((gateway, ticket), input) = (self.begin(), input.clone());
        outcome(tokio::spawn(async move {
            let _on_its_way = ticket;
            let outcome = gateway.send_input(id, &input).await;
            audit::send_input(id, &input, &outcome);
            outcome
        }))
        .await
    }

    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError> {
        let (gateway, _) = self.begin();
        outcome(tokio::spawn(async move {
            let outcome = gateway.stop_session(id).await;
            audit::stop(id, &outcome);
            outcome
        }))
        .await
    }
}

#[async_trait]
impl DuoReader for DetachedWrites {
    async fn instance(&self) -> Result<Instance, ReadError> {
        self.gateway.instance().await
    }

    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
        self.gateway.project(project).await
    }

    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError> {
        self.gateway.sessions(query).await
    }

    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
        let read = self.gateway.session(id);
        match self.waiter(id) {
            Some(waiter) => waiter.session(read).await,
            None => read.await,
        }
    }

    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
        let read = self.gateway.session_project(id);
        match self.waiter(id) {
            Some(waiter) => waiter.project(read).await,
            None => read.await,
        }
    }

    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError> {
        self.gateway.catalog_page(query).await
    }

    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError> {
        self.gateway.catalog_consumer(id).await
    }

    async fn foundational_agents(
        &self,
        project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
        self.gateway.foundational_agents(project).await
    }

    async fn eligibility(&self, project: &Project) -> Result<Answer<Eligibility>, ReadError> {
        self.gateway.eligibility(project).await
    }

    async fn pipeline(&self, project: ProjectId, id: PipelineId) -> Result<Option<Pipeline>, ReadError> {
        self.gateway.pipeline(project, id).await
    }

    async fn merge_request(
        &self,
        project: ProjectId,
        iid: MergeRequestIid,
    ) -> Result<Option<MergeRequest>, ReadError> {
        self.gateway.merge_request(project, iid).await
    }

    async fn opened_merge_request(
        &self,
        project: ProjectId,
        source_branch: &str,
    ) -> Result<Option<MergeRequest>, ReadError> {
        self.gateway.opened_merge_request(project, source_branch).await
    }
}
