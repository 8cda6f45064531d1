//! A small GitLab in memory with a client and a clock, for tests of programs that use this crate.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};

use crate::actions::wait_session::Patience;
use crate::client::duo::Duo;
use crate::gateway::testing::{MemoryGitLab, World};
use crate::model::catalog::{CatalogItem, Consumer, ItemType};
use crate::model::ids::{ConsumerId, ProjectId, WorkflowId};
use crate::model::instance::{InstanceUrl, PlainHttp};
use crate::model::project::{Project, ProjectLink, ProjectPath};
use crate::model::selector::FlowReference;
use crate::model::session::{Session, SessionRow};
use crate::model::status::Status;

/// The path of the project of [`example_gitlab`].
pub const EXAMPLE_PROJECT: &str = "example-group/backend";

/// The running session of [`example_gitlab`].
pub const EXAMPLE_SESSION: WorkflowId = WorkflowId::new(73).unwrap();

/// The moment at which [`FastTime`] begins: 2026-10-20, noon.
fn noon() -> Timestamp {
    Timestamp::from_second(1_792_497_600).unwrap_or_default()
}

/// A client of [`example_gitlab`], and that GitLab.
#[must_use]
pub fn duo_in_memory() -> (Duo<MemoryGitLab>, MemoryGitLab) {
    let gitlab = example_gitlab();
    (Duo::over(gitlab.clone(), FastTime::of(&gitlab)), gitlab)
}

/// `https://gitlab.example.com`, a GitLab 19.5 with the project [`EXAMPLE_PROJECT`], where the flows
/// `developer/v1`, `fix_pipeline/v1` and `code_review/v1` are enabled, and a running session.
#[must_use]
#[expect(clippy::unwrap_used, reason = "every call would show it: the address is written here")]
pub fn example_gitlab() -> MemoryGitLab {
    let url = InstanceUrl::parse("https://gitlab.example.com", PlainHttp::LoopbackOnly).unwrap();
    let gitlab = MemoryGitLab::new(url, "19.5.0-ee");
    {
        let mut world = gitlab.world();
        world.projects.extend(project());
        let flows = [(723, "developer/v1"), (725, "fix_pipeline/v1"), (718, "code_review/v1")];
        world.consumers.extend(flows.map(|(id, reference)| flow(id, reference)));
        world.sessions.push(running());
    }
    gitlab
}

fn project() -> Option<Project> {
    let path = ProjectPath::parse(EXAMPLE_PROJECT).ok()?;
    Some(Project { id: ProjectId::new(4021)?, path, web_url: None })
}

fn flow(id: u64, reference: &str) -> Consumer {
    let item = CatalogItem {
        id: None,
        name: Some(reference.to_owned()),
        description: None,
        item_type: Some(ItemType::Flow),
        foundational: Some(true),
        flow: FlowReference::new(reference),
    };
    Consumer {
        id: ConsumerId::new(id),
        enabled: Some(true),
        item: Some(item),
        project_path: ProjectPath::parse(EXAMPLE_PROJECT).ok(),
        released: Some(true),
        may_execute: Some(true),
    }
}

fn running() -> Session {
    let row = SessionRow {
        status: Some(Status::Running),
        goal: Some("Investigate and repair the failing unit tests".to_owned()),
        flow: Some("developer/v1".to_owned()),
        project: project().map(ProjectLink::from).unwrap_or_default(),
        created_at: Some(noon()),
        ..SessionRow::unknown(EXAMPLE_SESSION)
    };
    Session { has_item_version: Some(true), ..Session::bare(row) }
}

type Change = Box<dyn FnOnce(&mut World) + Send>;

/// Time that passes at once when somebody waits, and what happens meanwhile.
pub struct FastTime {
    gitlab: MemoryGitLab,
    passed: Mutex<Duration>,
    /// What happens once so much time has passed.
    plan: Mutex<Vec<(Duration, Change)>>,
}

impl FastTime {
    /// Time of this GitLab; it begins at noon of 2026-10-20.
    #[must_use]
    pub fn of(gitlab: &MemoryGitLab) -> Self {
        Self { gitlab: gitlab.clone(), passed: Mutex::default(), plan: Mutex::default() }
    }

    /// The same time, in which `change` happens as soon as `after` has passed since the beginning.
    #[must_use]
    pub fn then(mut self, after: Duration, change: impl FnOnce(&mut World) + Send + 'static) -> Self {
        self.plan.get_mut().unwrap_or_else(PoisonError::into_inner).push((after, Box::new(change)));
        self
    }
}

#[async_trait]
impl Patience for FastTime {
    fn now(&self) -> Timestamp {
        let passed = *self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = SignedDuration::try_from(passed).unwrap_or(SignedDuration::MAX);
        noon().checked_add(passed).unwrap_or(Timestamp::MAX)
    }

    async fn pause(&self, time: Duration) {
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        *passed = passed.saturating_add(time);
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let (due, later): (Vec<_>, Vec<_>) = plan.drain(..).partition(|(after, _)| *after <= *passed);
        *plan = later;
        for (_, change) in due {
            change(&mut self.gitlab.world());
        }
    }
}
