//! One connection, one version, and no request before the first call.

use fake_gitlab::Fault;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::model::error::ErrorKind;

use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;

use crate::setup::{client, fake, impatient, url, workflow};

#[tokio::test]
async fn nothing_is_sent_before_the_first_call_and_one_connection_serves_many() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    assert_eq!(fake.connections(), 0);
    for _ in 0..5 {
        gitlab.sessions(&SessionQuery::default()).await.unwrap();
        gitlab.session(workflow(733)).await.unwrap();
    }
    assert_eq!((fake.connections(), fake.requests().len()), (1, 11));
    let request = &fake.requests()[1];
    assert_eq!(request.header("authorization"), Some("Bearer …"));
    assert!(request.header("user-agent").unwrap().starts_with("gitlab-duo/"));
    assert_eq!(request.header("private-token"), None);
    assert!(!request.body.contains("gl_introduced"));
}

#[tokio::test]
async fn concurrent_first_calls_share_one_reading_of_the_version() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    let calls = (0..8).map(|_| {
        let gitlab = gitlab.clone();
        tokio::spawn(async move { gitlab.instance().await })
    });
    let calls: Vec<_> = calls.collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn a_failed_reading_is_shared_by_those_who_wait_and_not_remembered() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::hang());
    let gitlab = impatient(&fake);
    let calls: Vec<_> = (0..4)
        .map(|_| {
            let gitlab = gitlab.clone();
            tokio::spawn(async move { gitlab.instance().await })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap_err().kind, ErrorKind::Timeout);
    }
    assert_eq!(fake.requests().len(), 1);
    gitlab.instance().await.unwrap();
}

#[tokio::test]
async fn the_version_is_read_from_its_old_place_too() {
    for missing in [Fault::not_found(), Fault::no_route()] {
        let fake = fake("19.5.0-ee").await;
        fake.inject(missing.on_path("/metadata"));
        let instance = client(&fake).instance().await.unwrap();
        assert_eq!(instance.support.version().text(), "19.5.0-ee");
        assert_eq!(fake.requests()[1].path, "/api/v4/version");
    }
}

#[tokio::test]
async fn a_failed_handshake_is_told_and_not_repeated() {
    let fake = fake("19.5.0-ee").await;
    let secure = url(&fake.url().replace("http://", "https://"));
    let gitlab = GitLab::builder(secure).token(StaticToken::new("x")).build().unwrap();
    let error = gitlab.instance().await.unwrap_err();
    assert_eq!((error.kind, fake.connections()), (ErrorKind::Network, 1), "{error:?}");
}
