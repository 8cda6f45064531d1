//! The friendly client over real HTTP.

use std::time::Duration;

use async_trait::async_trait;
use fake_gitlab::FakeGitLab;
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::wait_session::Patience;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_graphql::gateway::GitLab;
use jiff::Timestamp;

use crate::setup::{client, fake, workflow};

/// The time of a fake: waiting moves it on.
struct FakeTime(FakeGitLab);

#[async_trait]
impl Patience for FakeTime {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    async fn pause(&self, time: Duration) {
        self.0.advance(time);
    }
}

fn duo(fake: &FakeGitLab) -> Duo<GitLab> {
    Duo::over(client(fake), FakeTime(fake.clone()))
}

#[tokio::test]
async fn a_session_is_started_watched_answered_and_read_in_a_few_lines() {
    let fake = fake("19.5.0-ee").await;
    let duo = duo(&fake);
    let start = duo.start("example-group/backend").flow("developer/v1").goal("Fix the failing tests");
    let started = start.send().await.unwrap();
    let mut states = duo.watch(started.id());
    let mut seen = Vec::new();
    while let Some(session) = states.try_next().await.unwrap() {
        seen.push(session.typed_status().unwrap());
        if session.can_be_answered() == Some(true) {
            duo.answer(session.id(), "Only invoices.").await.unwrap();
        }
    }
    assert_eq!(seen.first(), Some(&Status::Created));
    assert!(seen.contains(&Status::InputRequired), "{seen:?}");
    assert_eq!(seen.last(), Some(&Status::Finished));
    assert_eq!(fake.writes().len(), 2);
    let transcript = duo.transcript(started.id()).await.unwrap();
    assert_eq!(transcript.total, transcript.messages.map(|messages| messages.len()));
    assert!(transcript.total.is_some_and(|total| total > 2));
}

#[tokio::test]
async fn streams_go_through_every_page_on_each_release() {
    for version in ["17.3.0-ee", "18.5.0-ee", "18.9.0-ee", "19.5.0-ee"] {
        let fake = fake(version).await;
        let all = listed(&duo(&fake), 100).await;
        let by_three = listed(&duo(&fake), 3).await;
        assert_eq!(all, by_three, "{version}");
        assert!(all.len() > 9 && all.is_sorted_by(|newer, older| newer > older), "{version} {all:?}");
    }
}

async fn listed(duo: &Duo<GitLab>, rows: u32) -> Vec<WorkflowId> {
    let first = PageSize::new(rows).unwrap();
    let mut sessions = duo.sessions(ListSessions { first, ..ListSessions::default() });
    let mut ids = Vec::new();
    while let Some(session) = sessions.try_next().await.unwrap() {
        ids.push(session.id());
    }
    ids
}

#[tokio::test]
async fn the_catalog_goes_on_behind_a_page_on_which_everything_is_off() {
    let fake = fake("19.5.0-ee").await;
    let mut catalog = duo(&fake).catalog("https://gitlab.example.com/example-group/backend", None);
    // An address of another GitLab is none of this one.
    assert_eq!(catalog.try_next().await.unwrap_err().kind, ErrorKind::InvalidArguments);
    let by_page = format!("{}/example-group/backend/-/issues", fake.url());
    let mut catalog = duo(&fake).catalog(by_page, None);
    let mut names = Vec::new();
    while let Some(item) = catalog.try_next().await.unwrap() {
        names.extend(item.name.value().map(str::to_owned));
    }
    for name in ["Planner", "Developer", "Invoice keeper"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
}

#[tokio::test]
async fn connect_is_all_it_takes() {
    let fake = fake("19.5.0-ee").await;
    let duo = GitLab::connect(fake.url(), fake.token()).unwrap();
    assert!(fake.requests().is_empty());
    let session = duo.session(workflow(733)).await.unwrap();
    assert_eq!(session.typed_status(), Some(Status::Finished));
    let refused =
        GitLab::connect(fake.url(), "glpat-wrong").unwrap().session(workflow(733)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthorized);
}
