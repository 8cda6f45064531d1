//! A GitLab in memory, for tests of programs that use this crate.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::gateway::error::{GatewayError, Outcome, ReadError, WriteError};
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{
    Accepted, CatalogPage, CatalogQuery, HumanInput, Lookup, MergeRequest, Pipeline, SessionFilter,
    SessionPage, SessionQuery, StartRequest,
};
use crate::gateway::writer::DuoWriter;
use crate::model::catalog::{Consumer, Eligibility, FoundationalAgent};
use crate::model::ids::{ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId};
use crate::model::instance::{Instance, InstanceUrl};
use crate::model::page::{Answer, Cursor, PageInfo, PageSize};
use crate::model::project::{Project, ProjectLink, ProjectRef};
use crate::model::session::{Session, SessionRow};
use crate::model::status::Status;
use crate::rules::gates::Support;
use crate::rules::version::GitLabVersion;

/// A GitLab in memory with state: what is written can be read again. Clones share the state.
#[derive(Clone, Debug)]
pub struct MemoryGitLab {
    instance: Instance,
    world: Arc<Mutex<World>>,
}

/// The state of a [`MemoryGitLab`].
#[derive(Debug, Default)]
pub struct World {
    /// Projects that the caller may see.
    pub projects: Vec<Project>,
    /// The caller's sessions, newest first.
    pub sessions: Vec<Session>,
    /// Consumers, in GitLab's order.
    pub consumers: Vec<Consumer>,
    /// Foundational agents.
    pub agents: Vec<FoundationalAgent>,
    /// Facts of every project.
    pub eligibility: Eligibility,
    /// Pipelines by id.
    pub pipelines: BTreeMap<PipelineId, Pipeline>,
    /// Merge requests.
    pub merge_requests: Vec<MergeRequest>,
    /// How a page goes on that holds the last rows of the first page. Longer lists go on by cursors
    /// of this double.
    pub page_info: PageInfo,
    /// Filters that this instance does not know.
    pub unknown_filters: Vec<SessionFilter>,
    /// Failures of the next calls: the method, and what it fails with.
    pub failures: VecDeque<(&'static str, GatewayError, Outcome)>,
    /// The methods called, in order.
    pub calls: Vec<&'static str>,
    /// The starts received.
    pub started: Vec<StartRequest>,
    /// The answers received.
    pub answered: Vec<(WorkflowId, HumanInput)>,
    /// The stops received.
    pub stopped: Vec<WorkflowId>,
}

impl World {
    /// Calls that write.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.started.len() + self.answered.len() + self.stopped.len()
    }

    /// The rows from `after` on, and how the list goes on behind them. As GitLab does, an odd cursor
    /// leads to the first page.
    fn page<T>(&self, rows: Vec<T>, first: PageSize, after: Option<&Cursor>) -> (Vec<T>, PageInfo) {
        let start: usize = after.and_then(|cursor| cursor.as_str().parse().ok()).unwrap_or(0);
        let end = start.saturating_add(first.rows() as usize);
        let page_info = match (end < rows.len(), start) {
            (true, _) => {
                PageInfo { has_next_page: Some(true), end_cursor: Some(Cursor::received(end.to_string())) }
            }
            (false, 0) => self.page_info.clone(),
            (false, _) => PageInfo { has_next_page: Some(false), end_cursor: None },
        };
        (rows.into_iter().skip(start).take(first.rows() as usize).collect(), page_info)
    }
}

impl MemoryGitLab {
    /// An empty GitLab of this version at this address.
    #[must_use]
    pub fn new(url: InstanceUrl, version: &str) -> Self {
        let support = Support::of(GitLabVersion::read(version));
        Self { instance: Instance { url, support }, world: Arc::default() }
    }

    /// The state, to be read and changed.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn called(&self, method: &'static str) -> Result<MutexGuard<'_, World>, (GatewayError, Outcome)> {
        let mut world = self.world();
        world.calls.push(method);
        match world.failures.front() {
            Some((failing, ..)) if *failing == method => {
                let failure = world.failures.pop_front().map(|(_, error, outcome)| (error, outcome));
                failure.map_or(Ok(world), Err)
            }
            _ => Ok(world),
        }
    }

    fn read(&self, method: &'static str) -> Result<MutexGuard<'_, World>, ReadError> {
        self.called(method).map_err(|(error, _)| error)
    }

    fn write(&self, method: &'static str) -> Result<MutexGuard<'_, World>, WriteError> {
        self.called(method).map_err(|(error, outcome)| WriteError { outcome, error, workflow_id: None })
    }
}

#[async_trait]
impl DuoReader for MemoryGitLab {
    async fn instance(&self) -> Result<Instance, ReadError> {
        drop(self.read("instance")?);
        Ok(self.instance.clone())
    }

    async fn project(&self, project: &ProjectRef) -> Result<Option<Project>, ReadError> {
        let is_it = |known: &&Project| match project {
            ProjectRef::Id(id) => known.id == *id,
            ProjectRef::Path(path) => known.path.is(path),
        };
        Ok(self.read("project")?.projects.iter().find(is_it).cloned())
    }

    async fn sessions(&self, query: &SessionQuery) -> Result<Answer<SessionPage>, ReadError> {
        let world = self.read("sessions")?;
        let knows = |filter| !world.unknown_filters.contains(&filter);
        let is_asked_for = |row: &SessionRow| {
            let project = query.project.as_ref().filter(|_| knows(SessionFilter::Project));
            let group = query.status_group.as_ref().filter(|_| knows(SessionFilter::StatusGroup));
            let any_status = query.statuses.is_empty() || !knows(SessionFilter::Statuses);
            project.is_none_or(|path| row.project.path.as_ref() == Some(path))
                && group.is_none_or(|group| row.group().as_ref() == Some(group))
                && (any_status || row.status.as_ref().is_some_and(|status| query.statuses.contains(status)))
        };
        let rows = world.sessions.iter().map(|session| &session.row).filter(|row| is_asked_for(row));
        let (rows, page_info) = world.page(rows.cloned().collect(), query.first, query.after.as_ref());
        let not_filtered = query.filters().into_iter().filter(|filter| !knows(*filter)).collect();
        Ok(Answer::complete(SessionPage { rows, page_info, not_filtered }))
    }

    async fn session(&self, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
        let world = self.read("session")?;
        let found = world.sessions.iter().find(|session| session.row.id == id);
        Ok(Answer::complete(found.map_or(Lookup::Absent, |session| Lookup::Found(Box::new(session.clone())))))
    }

    async fn session_project(&self, id: WorkflowId) -> Result<Option<ProjectLink>, ReadError> {
        let world = self.read("session_project")?;
        Ok(world
            .sessions
            .iter()
            .find(|session| session.row.id == id)
            .map(|session| session.row.project.clone()))
    }

    async fn catalog_page(&self, query: &CatalogQuery) -> Result<Answer<CatalogPage>, ReadError> {
        let world = self.read("catalog_page")?;
        let is_asked_for = |consumer: &&Consumer| {
            let flow = consumer.item.as_ref().and_then(|item| item.flow.as_ref());
            query.flow.is_none() || flow == query.flow.as_ref()
        };
        let rows = world.consumers.iter().filter(is_asked_for).cloned().collect();
        let (rows, page_info) = world.page(rows, query.first, query.after.as_ref());
        Ok(Answer::complete(CatalogPage { rows, page_info }))
    }

    async fn catalog_consumer(&self, id: ConsumerId) -> Result<Answer<Option<Consumer>>, ReadError> {
        let world = self.read("catalog_consumer")?;
        Ok(Answer::complete(world.consumers.iter().find(|consumer| consumer.id == Some(id)).cloned()))
    }

    async fn foundational_agents(
        &self,
        _project: ProjectId,
    ) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
        Ok(Answer::complete(Some(self.read("foundational_agents")?.agents.clone())))
    }

    async fn eligibility(&self, _project: &Project) -> Result<Answer<Eligibility>, ReadError> {
        Ok(Answer::complete(self.read("eligibility")?.eligibility.clone()))
    }

    async fn pipeline(&self, _project: ProjectId, id: PipelineId) -> Result<Option<Pipeline>, ReadError> {
        Ok(self.read("pipeline")?.pipelines.get(&id).cloned())
    }

    async fn merge_request(
        &self,
        _project: ProjectId,
        iid: MergeRequestIid,
    ) -> Result<Option<MergeRequest>, ReadError> {
        Ok(self.read("merge_request")?.merge_requests.iter().find(|known| known.iid == iid).cloned())
    }

    async fn opened_merge_request(
        &self,
        project: ProjectId,
        source_branch: &str,
    ) -> Result<Option<MergeRequest>, ReadError> {
        let world = self.read("opened_merge_request")?;
        let is_it = |known: &&MergeRequest| {
            known.state.as_deref() == Some("opened")
                && known.source_project == Some(project)
                && known.source_branch.as_deref() == Some(source_branch)
        };
        Ok(world.merge_requests.iter().filter(is_it).max_by_key(|known| known.iid).cloned())
    }
}

#[async_trait]
impl DuoWriter for MemoryGitLab {
    async fn start_session(&self, request: &StartRequest) -> Result<Accepted, WriteError> {
        let mut world = self.write("start_session")?;
        world.started.push(request.clone());
        let newest = world.sessions.iter().map(|session| session.row.id.number()).max().unwrap_or(0);
        let id = WorkflowId::new(newest + 1).ok_or_else(impossible)?;
        let project = ProjectRef::Id(request.project);
        let link = world.projects.iter().find(|known| ProjectRef::Id(known.id) == project).cloned();
        let row = SessionRow {
            status: Some(Status::Created),
            goal: Some(request.goal.clone()),
            project: link.map(ProjectLink::from).unwrap_or_default(),
            ..SessionRow::unknown(id)
        };
        world.sessions.insert(0, Session::bare(row));
        Ok(Accepted {
            id,
            status: Some(Status::Created),
            flow: None,
            message: None,
            workload: Some(format!("5{id}")),
        })
    }

    async fn send_input(&self, id: WorkflowId, input: &HumanInput) -> Result<Accepted, WriteError> {
        let mut world = self.write("send_input")?;
        world.answered.push((id, input.clone()));
        let status =
            world.sessions.iter().find(|session| session.row.id == id).and_then(|s| s.row.status.clone());
        Ok(Accepted { id, status, flow: None, message: None, workload: Some(format!("5{id}")) })
    }

    async fn stop_session(&self, id: WorkflowId) -> Result<Accepted, WriteError> {
        let mut world = self.write("stop_session")?;
        world.stopped.push(id);
        if let Some(session) = world.sessions.iter_mut().find(|session| session.row.id == id) {
            session.row.status = Some(Status::Stopped);
        }
        Ok(Accepted { id, status: Some(Status::Stopped), flow: None, message: None, workload: None })
    }
}

fn impossible() -> WriteError {
    let error = GatewayError::new(crate::model::error::ErrorKind::Server, "no further session id is left");
    WriteError { outcome: Outcome::Refused, error, workflow_id: None }
}
