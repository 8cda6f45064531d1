//! Each of the seven releases: what it gives, what it lacks, and how a client finds out.

use std::sync::atomic::{AtomicUsize, Ordering};

use fake_gitlab::{FakeGitLab, Fault};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{Lookup, SessionFilter, SessionQuery};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::selector::FlowReference;
use gitlab_duo_core::model::status::{Status, StatusGroup};
use serde_json::json;

use crate::setup::{by_path, catalog, client, fake, found, missing, project, workflow};

const VERSIONS: [&str; 7] =
    ["17.3.7-ee", "18.5.0-ee", "18.7.2-ee", "18.9.0-ee", "19.3.1-ee", "19.4.0-ee", "19.5.0-ee"];

#[tokio::test]
async fn sessions_are_listed_on_every_release() {
    let expected: [&[&str]; 7] = [
        &["goal (since 18.5)", "flow (since 18.5)", "agent (since 18.9)"],
        &["agent (since 18.9)"],
        &["agent (since 18.9)"],
        &[],
        &[],
        &[],
        &[],
    ];
    for (version, expected) in VERSIONS.iter().zip(expected) {
        let fake = fake(version).await;
        let answer = client(&fake).sessions(&SessionQuery::default()).await.unwrap();
        assert_eq!(missing(&answer), expected, "{version}");
        let row = answer.value.rows.iter().find(|row| row.id == workflow(733)).unwrap();
        assert_eq!(row.status, Some(Status::Finished), "{version}");
        assert_eq!(row.project.id, Some(project()), "{version}");
        assert_eq!(row.goal.is_some(), *version != "17.3.7-ee", "{version}");
    }
}

#[tokio::test]
async fn a_session_is_read_on_every_release() {
    for version in VERSIONS {
        let fake = fake(version).await;
        let answer = client(&fake).session(workflow(733)).await.unwrap();
        let missing = missing(&answer);
        let session = found(answer);
        let has = |part: &str| !missing.iter().any(|detail| detail.starts_with(part));
        assert_eq!(session.row.status, Some(Status::Finished), "{version}");
        assert_eq!(session.summary.is_some(), has("summary"), "{version}");
        assert_eq!(session.created.merge_requests.is_some(), has("created.merge_requests"), "{version}");
        assert_eq!(session.permissions.resume.is_some(), has("pending_input.can_send"), "{version}");
        let messages = session.history.and_then(|history| history.messages);
        assert_eq!(messages.is_some(), has("answer"), "{version}");
        assert_eq!(missing.is_empty(), version.starts_with("19"), "{version}: {missing:?}");
    }
}

#[tokio::test]
async fn an_absent_session_is_absent_on_every_release() {
    for version in VERSIONS {
        let fake = fake(version).await;
        let gitlab = client(&fake);
        assert_eq!(gitlab.session(workflow(999_999)).await.unwrap().value, Lookup::Absent, "{version}");
        assert_eq!(gitlab.session_project(workflow(999_999)).await.unwrap(), None, "{version}");
        let link = gitlab.session_project(workflow(733)).await.unwrap().unwrap();
        assert_eq!(link.id, Some(project()), "{version}");
    }
}

#[tokio::test]
async fn the_catalog_is_discovered_from_18_5_on() {
    for version in VERSIONS {
        let fake = fake(version).await;
        let gitlab = client(&fake);
        let page = gitlab.catalog_page(&catalog(100)).await;
        let agents = gitlab.foundational_agents(project()).await.unwrap();
        if version.starts_with("17") {
            assert_eq!(page.unwrap_err().kind, ErrorKind::Version);
            assert_eq!(missing(&agents), ["foundational_agents (since 18.7)"]);
            continue;
        }
        let answer = page.unwrap();
        let missing = missing(&answer);
        assert!(!answer.value.rows.is_empty(), "{version}");
        let can_start = answer.value.rows.iter().any(|row| row.may_execute == Some(true));
        assert_eq!(can_start, version.starts_with("19.5"), "{version}");
        assert_eq!(missing.contains(&"can_start_session (since 19.5)".to_owned()), !can_start, "{version}");
        assert_eq!(agents.value.is_some(), !version.starts_with("18.5"), "{version}");
    }
}

#[tokio::test]
async fn eligibility_is_known_as_far_as_the_release_tells() {
    for version in VERSIONS {
        let fake = fake(version).await;
        let gitlab = client(&fake);
        let backend = gitlab.project(&by_path("example-group/backend")).await.unwrap().unwrap();
        let answer = gitlab.eligibility(&backend).await.unwrap();
        let facts = &answer.value;
        assert_eq!(facts.archived, Some(false), "{version}");
        assert_eq!(facts.runner_available, version.starts_with("19").then_some(true), "{version}");
        assert_eq!(facts.agent_platform_enabled, (!version.starts_with("17")).then_some(true), "{version}");
    }
}

#[tokio::test]
async fn a_filter_that_is_not_known_is_reported_and_never_sent() {
    let query = SessionQuery { statuses: vec![Status::Finished], ..SessionQuery::default() };
    let old = fake("19.4.0-ee").await;
    let page = client(&old).sessions(&query).await.unwrap().value;
    assert_eq!(page.not_filtered, [SessionFilter::Statuses]);
    assert!(page.rows.iter().any(|row| row.status != Some(Status::Finished)));
    assert!(!old.requests().iter().any(|request| request.body.contains("statuses")));

    let new = fake("19.5.0-ee").await;
    let page = client(&new).sessions(&query).await.unwrap().value;
    assert_eq!(page.not_filtered, []);
    assert!(page.rows.iter().all(|row| row.status == Some(Status::Finished)), "{:?}", page.rows);

    let query = SessionQuery { status_group: Some(StatusGroup::AwaitingInput), ..SessionQuery::default() };
    let page = client(&new).sessions(&query).await.unwrap().value;
    assert!(!page.rows.is_empty());
}

#[tokio::test]
async fn a_version_between_two_takes_the_older_documents() {
    for (version, asked) in
        [("18.4.9-ee", false), ("18.5.0-pre", false), ("18.6.0-ee", true), ("19.0.0-pre", true)]
    {
        let fake = fake(version).await;
        let gitlab = client(&fake);
        gitlab.session(workflow(733)).await.unwrap();
        let by_id =
            fake.requests().iter().any(|request| request.operation_name.as_deref() == Some("get_session"));
        assert_eq!(by_id, asked, "{version}");
    }
}

#[tokio::test]
async fn an_unreadable_version_takes_the_oldest_documents() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::json(200, &json!({"version": "tomorrow"})).on_path("/metadata"));
    let gitlab = client(&fake);
    let instance = gitlab.instance().await.unwrap();
    assert_eq!(instance.support.version().to_string(), "unreadable: `tomorrow`");
    let answer = gitlab.session(workflow(733)).await.unwrap();
    assert!(missing(&answer).contains(&"answer (since 18.7)".to_owned()));
    assert_eq!(found(answer).row.status, Some(Status::Finished));
}

#[tokio::test]
async fn a_refused_document_is_stepped_down_from_once_per_process() {
    // It says 19.5 and plays 18.9.
    let fake = FakeGitLab::builder().version("19.5.0-ee").playing(18, 9).with_example_sessions();
    let fake = fake.start().await.unwrap();
    let gitlab = client(&fake);
    let answer = gitlab.session(workflow(733)).await.unwrap();
    assert!(missing(&answer).contains(&"summary (since 19.3)".to_owned()));
    let asked = |fake: &FakeGitLab| {
        fake.requests()
            .iter()
            .filter(|request| request.operation_name.as_deref() == Some("get_session"))
            .count()
    };
    assert_eq!(asked(&fake), 2);
    gitlab.session(workflow(733)).await.unwrap();
    assert_eq!(asked(&fake), 3);
    assert_eq!(found(answer).row.status, Some(Status::Finished));
}

#[tokio::test]
async fn a_filter_is_reported_after_stepping_down_too() {
    let fake = FakeGitLab::builder().version("19.5.0-ee").playing(19, 4).with_example_sessions();
    let fake = fake.start().await.unwrap();
    let query = SessionQuery { statuses: vec![Status::Finished], ..SessionQuery::default() };
    let page = client(&fake).sessions(&query).await.unwrap().value;
    assert_eq!(page.not_filtered, [SessionFilter::Statuses]);
}

#[tokio::test]
async fn a_community_edition_is_told_from_an_empty_list() {
    let fake = FakeGitLab::builder().community_edition().start().await.unwrap();
    let error = client(&fake).sessions(&SessionQuery::default()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Version, "{error:?}");
    assert!(error.gitlab_message.is_some());
}

#[tokio::test]
async fn the_walk_through_an_old_list_gives_up_at_its_bound() {
    const CURSORS: [&str; 5] = ["MQ", "Mg", "Mw", "NA", "NQ"];
    let fake = fake("17.3.7-ee").await;
    let page = AtomicUsize::new(0);
    let endless = Fault::edit(move |body| {
        let cursor = CURSORS[page.fetch_add(1, Ordering::SeqCst) % CURSORS.len()];
        body["data"]["duoWorkflowWorkflows"]["pageInfo"] = json!({"hasNextPage": true, "endCursor": cursor});
    });
    fake.inject(endless.on_graphql("duoWorkflowWorkflows").always());
    let gitlab = client(&fake);
    let answer = gitlab.session(workflow(999_999)).await.unwrap().value;
    assert!(matches!(answer, Lookup::GaveUp { .. }), "{answer:?}");
    assert_eq!(fake.requests().len(), 1 + CURSORS.len());
    let pages =
        fake.requests().into_iter().skip(1).map(|request| request.json()["variables"]["first"].clone());
    assert!(pages.eq([100; CURSORS.len()]), "pages of a hundred");
    let error = gitlab.session_project(workflow(999_999)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn a_flow_is_found_by_its_reference_where_gitlab_can_look_for_it() {
    let mut query = catalog(20);
    query.flow = FlowReference::new("developer/v1");
    let new = fake("18.9.0-ee").await;
    let rows = client(&new).catalog_page(&query).await.unwrap().value.rows;
    let ids: Vec<_> = rows.iter().filter_map(|row| row.id).map(|id| id.number()).collect();
    assert_eq!(ids, [723]);
    let old = fake("18.7.2-ee").await;
    assert!(client(&old).catalog_page(&query).await.unwrap().value.rows.len() > 1);
}

#[tokio::test]
async fn a_long_catalog_page_is_read_in_pieces_of_twenty() {
    let fake = fake("19.5.0-ee").await;
    fake.state(|world| {
        for id in 1..=45 {
            let mut consumer = world.consumers[&91].clone();
            consumer.id = 10_000 + id;
            world.add_consumer(consumer);
        }
    });
    let page = client(&fake).catalog_page(&catalog(50)).await.unwrap().value;
    assert_eq!(page.rows.len(), 50);
    assert!(page.rows.iter().filter(|row| row.released == Some(true)).count() > 40);
    let firsts: Vec<_> = fake
        .requests()
        .iter()
        .filter(|request| request.operation_name.as_deref() == Some("catalog_page"))
        .map(|request| request.json()["variables"]["first"].clone())
        .collect();
    assert_eq!(firsts, [20, 20, 10]);
    let whole = client(&fake).catalog_page(&catalog(100)).await.unwrap().value;
    assert_eq!(whole.page_info.has_next_page, Some(false));
    assert_eq!(PageSize::new(101), None);
}
