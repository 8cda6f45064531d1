//! A fake GitLab and a client of it.

use std::time::Duration;

use fake_gitlab::FakeGitLab;
use gitlab_duo_core::gateway::request::{CatalogQuery, Lookup, Run, StartRequest};
use gitlab_duo_core::model::ids::{ConsumerId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::{Answer, PageSize};
use gitlab_duo_core::model::project::{ProjectPath, ProjectRef};
use gitlab_duo_core::model::session::Session;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;

/// The main project of the fake.
pub(crate) const PROJECT: u64 = 4021;
/// How long a client here waits for an answer that never comes.
const PATIENCE: Duration = Duration::from_millis(400);

pub(crate) fn url(text: &str) -> InstanceUrl {
    InstanceUrl::parse(text, PlainHttp::LoopbackOnly).unwrap()
}

pub(crate) fn client(fake: &FakeGitLab) -> GitLab {
    GitLab::builder(url(fake.url())).token(StaticToken::new(fake.token())).build().unwrap()
}

/// For faults that never answer.
pub(crate) fn impatient(fake: &FakeGitLab) -> GitLab {
    let builder = GitLab::builder(url(fake.url())).token(StaticToken::new(fake.token()));
    builder.timeout(PATIENCE).build().unwrap()
}

pub(crate) async fn fake(version: &str) -> FakeGitLab {
    FakeGitLab::builder().version(version).with_example_sessions().start().await.unwrap()
}

pub(crate) fn project() -> ProjectId {
    ProjectId::new(PROJECT).unwrap()
}

pub(crate) fn by_path(path: &str) -> ProjectRef {
    ProjectRef::Path(ProjectPath::parse(path).unwrap())
}

pub(crate) fn workflow(number: u64) -> WorkflowId {
    WorkflowId::new(number).unwrap()
}

pub(crate) fn catalog(first: u32) -> CatalogQuery {
    let first = PageSize::new(first).unwrap();
    CatalogQuery { project: project(), item_type: None, flow: None, first, after: None }
}

pub(crate) fn start() -> StartRequest {
    let run = Run::Consumer(ConsumerId::new(723).unwrap());
    StartRequest { project: project(), run, goal: "tidy up".to_owned(), target: None }
}

pub(crate) fn found(answer: Answer<Lookup>) -> Session {
    match answer.value {
        Lookup::Found(session) => *session,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn missing<T>(answer: &Answer<T>) -> Vec<String> {
    answer.unavailable.iter().map(ToString::to_string).collect()
}
