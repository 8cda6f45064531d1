//! Reads: absence, odd answers, errors inside an answer, and repeating.

use fake_gitlab::Fault;
use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{Lookup, SessionQuery};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{ConsumerId, MergeRequestIid, PipelineId};
use gitlab_duo_core::model::page::Cursor;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::status::Status;
use serde_json::json;

use crate::setup::{by_path, catalog, client, fake, found, impatient, project, workflow};

async fn list_with(fault: Fault) -> (Result<usize, ReadError>, usize) {
    let fake = fake("19.5.0-ee").await;
    let gitlab = impatient(&fake);
    gitlab.instance().await.unwrap();
    fake.clear_log();
    fake.inject(fault);
    let rows = gitlab.sessions(&SessionQuery::default()).await.map(|answer| answer.value.rows.len());
    (rows, fake.requests().len())
}

#[tokio::test]
async fn projects_are_found_by_id_path_and_old_path() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    for name in
        [ProjectRef::Id(project()), by_path("example-group/backend"), by_path("example-group/old-backend")]
    {
        let found = gitlab.project(&name).await.unwrap().unwrap();
        assert_eq!((found.id, found.path.as_str()), (project(), "example-group/backend"), "{name}");
    }
    let nested = gitlab.project(&by_path("acme/platform/tools/api")).await.unwrap().unwrap();
    assert_eq!(nested.id.number(), 4711);
    assert_eq!(gitlab.project(&by_path("acme/c.plus.plus")).await.unwrap().unwrap().id.number(), 4712);
    assert_eq!(gitlab.project(&by_path("secret-group/vault")).await.unwrap(), None);
    let paths: Vec<_> = fake.requests().into_iter().map(|request| request.path).collect();
    assert!(paths.contains(&"/api/v4/projects/acme%2Fplatform%2Ftools%2Fapi".to_owned()), "{paths:?}");
}

#[tokio::test]
async fn an_instance_below_a_path_is_asked_below_it() {
    let fake =
        fake_gitlab::FakeGitLab::builder().subpath("/sub/git").with_example_sessions().start().await.unwrap();
    let gitlab = client(&fake);
    assert!(gitlab.project(&by_path("example-group/old-backend")).await.unwrap().is_some());
    assert!(!gitlab.sessions(&SessionQuery::default()).await.unwrap().value.rows.is_empty());
}

#[tokio::test]
async fn pipelines_and_merge_requests_are_read() {
    let fake = fake("18.9.0-ee").await;
    let gitlab = client(&fake);
    let pipeline = gitlab.pipeline(project(), PipelineId::new(50512).unwrap()).await.unwrap().unwrap();
    assert_eq!(pipeline.git_ref.as_deref(), Some("refs/merge-requests/317/head"));
    assert_eq!(gitlab.pipeline(project(), PipelineId::new(1).unwrap()).await.unwrap(), None);
    let request = gitlab.merge_request(project(), MergeRequestIid::new(317).unwrap()).await.unwrap().unwrap();
    assert_eq!(request.source_branch.as_deref(), Some("feature/rounding"));
    assert_eq!(gitlab.merge_request(project(), MergeRequestIid::new(1).unwrap()).await.unwrap(), None);
    let newest = gitlab.opened_merge_request(project(), "feature/rounding").await.unwrap().unwrap();
    assert_eq!(newest.source_project, Some(project()));
    assert_eq!(gitlab.opened_merge_request(project(), "feature/lonely").await.unwrap(), None);
}

#[tokio::test]
async fn a_consumer_is_read_by_its_id() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    let developer = gitlab.catalog_consumer(ConsumerId::new(723).unwrap()).await.unwrap().value.unwrap();
    assert_eq!(developer.item.unwrap().flow.unwrap().as_str(), "developer/v1");
    assert_eq!(gitlab.catalog_consumer(ConsumerId::new(999_999).unwrap()).await.unwrap().value, None);
}

#[tokio::test]
async fn statuses_nobody_knows_stay_visible() {
    let fake = fake_gitlab::FakeGitLab::builder()
        .extend_schema("extend enum DuoWorkflowStatus { IDLE COMPACTING }")
        .with_example_sessions()
        .start()
        .await
        .unwrap();
    let session = found(client(&fake).session(workflow(745)).await.unwrap());
    assert_eq!(session.row.status, Some(Status::Other("compacting".to_owned())));
}

#[tokio::test]
async fn a_session_other_than_asked_for_is_never_shown() {
    let fake = fake("19.5.0-ee").await;
    let other = |body: &mut serde_json::Value| {
        body["data"]["duoWorkflowWorkflows"]["nodes"][0]["id"] =
            json!("gid://gitlab/Ai::DuoWorkflows::Workflow/1");
    };
    fake.inject(Fault::edit(other).on_graphql("duoWorkflowWorkflows").times(2));
    let gitlab = client(&fake);
    assert_eq!(gitlab.session(workflow(733)).await.unwrap_err().kind, ErrorKind::Unreadable);
    assert_eq!(gitlab.session_project(workflow(733)).await.unwrap_err().kind, ErrorKind::Unreadable);
}

#[tokio::test]
async fn an_error_on_one_field_does_not_spoil_the_page() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(
        Fault::edit(|body| {
            body["data"]["aiCatalogConfiguredItems"]["nodes"][0]["pinnedItemVersion"] = json!(null);
            let path = json!(["aiCatalogConfiguredItems", "nodes", 0, "pinnedItemVersion"]);
            body["errors"] = json!([{"message": "only for 20 at a time", "path": path}]);
        })
        .on_graphql("aiCatalogConfiguredItems"),
    );
    let page = client(&fake).catalog_page(&catalog(20)).await.unwrap().value;
    assert_eq!(page.rows[0].released, None);
    assert!(page.rows.len() > 5);
}

#[tokio::test]
async fn errors_inside_an_answer_have_their_kind() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    let mut query = catalog(20);
    query.after = Some(Cursor::received("nonsense"));
    assert_eq!(gitlab.catalog_page(&query).await.unwrap_err().kind, ErrorKind::InvalidArguments);

    let answer = |message: &str, code: &str| {
        let error =
            json!({"message": message, "path": ["duoWorkflowWorkflows"], "extensions": {"code": code}});
        let body = json!({"data": {"duoWorkflowWorkflows": null}, "errors": [error]});
        Fault::json(200, &body).on_graphql("duoWorkflowWorkflows")
    };
    fake.inject(answer("Workflow not found", "WORKFLOW_NOT_FOUND"));
    assert_eq!(gitlab.session(workflow(733)).await.unwrap().value, Lookup::Absent);
    fake.inject(answer("You don't have permission", "INSUFFICIENT_NAMESPACE_PERMISSIONS"));
    let error = gitlab.session(workflow(733)).await.unwrap_err();
    assert_eq!(
        (error.kind, error.gitlab_message.as_deref()),
        (ErrorKind::Forbidden, Some("You don't have permission"))
    );
    fake.inject(answer("Too many requests.", ""));
    assert_eq!(gitlab.session(workflow(733)).await.unwrap_err().kind, ErrorKind::RateLimited);
}

#[tokio::test]
async fn passing_failures_of_a_read_are_repeated_twice_at_most() {
    let gateway = |status| Fault::answer(status, &[("content-type", "text/html")], "<html></html>");
    let (rows, requests) = list_with(gateway(502).times(2)).await;
    assert!(rows.is_ok() && requests == 3);
    for fault in [Fault::unavailable(0).times(2), Fault::close().times(2), Fault::reset().times(2)] {
        let (rows, requests) = list_with(fault.clone()).await;
        assert!(rows.is_ok() && requests == 3, "{fault:?}: {rows:?}, {requests} requests");
    }
    let (rows, requests) = list_with(gateway(504).always()).await;
    assert_eq!((rows.unwrap_err().kind, requests), (ErrorKind::Server, 3));
    let (rows, requests) = list_with(Fault::cut_body(40)).await;
    assert!(rows.is_ok() && requests == 2, "{rows:?}, {requests} requests");
}

#[tokio::test]
async fn lasting_failures_of_a_read_are_not_repeated() {
    let rows = [
        (Fault::internal_error(), ErrorKind::Server),
        (Fault::forbidden(), ErrorKind::Forbidden),
        (Fault::unauthorized_expired(), ErrorKind::Unauthorized),
        (Fault::insufficient_scope("api"), ErrorKind::Forbidden),
        (Fault::hang(), ErrorKind::Timeout),
        (Fault::html_success(200), ErrorKind::Unreadable),
        (Fault::broken_json(200), ErrorKind::Unreadable),
        (Fault::answer(200, &[], ""), ErrorKind::Unreadable),
        (Fault::proxy_407(), ErrorKind::Network),
        (Fault::graphql_errors(422, "Query too large"), ErrorKind::InvalidArguments),
        (Fault::rate_limited_json(None), ErrorKind::RateLimited),
        (Fault::rate_limited_text(3_600), ErrorKind::RateLimited),
        (Fault::unavailable(3_600), ErrorKind::Server),
    ];
    for (fault, expected) in rows {
        let (rows, requests) = list_with(fault.clone()).await;
        assert_eq!((rows.as_ref().unwrap_err().kind, requests), (expected, 1), "{fault:?}: {rows:?}");
    }
}

#[tokio::test]
async fn a_wait_within_the_bound_is_waited_for_and_any_other_is_an_answer() {
    let (rows, requests) = list_with(Fault::rate_limited_text(0)).await;
    assert!(rows.is_ok() && requests == 2);
    let (rows, _) = list_with(Fault::rate_limited_text(37)).await;
    let error = rows.unwrap_err();
    assert_eq!((error.retry_after_seconds, error.gitlab_message.as_deref()), (Some(37), Some("Retry later")));
    assert!(error.message.contains("throttle_authenticated_api"), "{error:?}");
    let (rows, _) = list_with(Fault::rate_limited_graphql()).await;
    assert_eq!(rows.unwrap_err().kind, ErrorKind::RateLimited);
    for nonsense in ["-5", "soon"] {
        let (rows, requests) = list_with(Fault::rate_limited_json(Some(nonsense))).await;
        assert_eq!((rows.unwrap_err().retry_after_seconds, requests), (None, 1));
    }
    let (rows, _) = list_with(Fault::rate_limited_json(Some("999999"))).await;
    assert_eq!(rows.unwrap_err().retry_after_seconds, Some(999_999));
}

#[tokio::test]
async fn gitlabs_words_stand_apart_from_ours() {
    let (rows, _) = list_with(Fault::forbidden_because("identity verification required")).await;
    let error = rows.unwrap_err();
    assert_eq!(error.gitlab_message.as_deref(), Some("403 Forbidden - identity verification required"));
    assert!(!error.message.contains("identity"));
    let (rows, _) = list_with(Fault::insufficient_scope("api read_api")).await;
    assert_eq!(rows.unwrap_err().required.as_deref(), Some("api read_api"));
}
