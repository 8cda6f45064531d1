//! Redirects: followed within the instance by a GET, named otherwise, and never with the token to another host.

use fake_gitlab::Fault;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::project::ProjectRef;

use crate::setup::{client, fake, project};

#[tokio::test]
async fn a_redirect_to_another_host_is_named_and_not_followed() {
    let (here, there) = (fake("19.5.0-ee").await, fake("19.5.0-ee").await);
    let target = format!("{}/api/v4/projects/4021", there.url());
    here.inject(Fault::redirect(301, &target).on_path("/projects/"));
    let error = client(&here).project(&ProjectRef::Id(project())).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Network);
    assert!(error.message.contains("127.0.0.1"), "{}", error.message);
    assert_eq!((there.requests().len(), there.connections()), (0, 0));
}

#[tokio::test]
async fn a_redirect_from_https_to_http_is_another_origin() {
    let fake = fake("19.5.0-ee").await;
    let secure = fake.url().replace("http://", "https://");
    fake.inject(Fault::redirect(302, &format!("{secure}/api/v4/projects/4021")).on_path("/projects/"));
    let error = client(&fake).project(&ProjectRef::Id(project())).await.unwrap_err();
    assert!(error.message.contains("https://127.0.0.1"), "{}", error.message);
}

#[tokio::test]
async fn a_sign_in_page_is_named() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    gitlab.instance().await.unwrap();
    fake.inject(Fault::redirect_to_sign_in().times(2));
    for error in [
        gitlab.project(&ProjectRef::Id(project())).await.unwrap_err(),
        gitlab.sessions(&SessionQuery::default()).await.unwrap_err(),
    ] {
        assert!(error.message.contains("sign-in page"), "{}", error.message);
    }
}

#[tokio::test]
async fn a_circle_of_redirects_ends() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::redirect(302, "/api/v4/projects/4021").on_path("/projects/").always());
    let error = client(&fake).project(&ProjectRef::Id(project())).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Network);
    assert_eq!(fake.requests().len(), 4);
}

#[tokio::test]
async fn a_query_is_not_followed() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    gitlab.instance().await.unwrap();
    fake.clear_log();
    fake.inject(Fault::redirect(307, "/api/graphql").on_path("/api/graphql"));
    assert_eq!(gitlab.sessions(&SessionQuery::default()).await.unwrap_err().kind, ErrorKind::Network);
    assert_eq!(fake.requests().len(), 1);
}
