//! Projects, pipelines and merge requests over REST.

use crate::client::{get, graphql, send};
use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::start().await.unwrap()
}

#[tokio::test]
async fn a_project_is_one_encoded_segment_or_a_number() {
    let gitlab = gitlab().await;
    for path in ["4711", "acme%2Fplatform%2Ftools%2Fapi", "acme%2fplatform%2ftools%2fapi"] {
        let reply = get(&gitlab, &format!("/api/v4/projects/{path}")).await.json();
        assert_eq!(
            (reply["id"].clone(), reply["path_with_namespace"].clone()),
            (json!(4711), json!("acme/platform/tools/api"))
        );
    }
    assert_eq!(get(&gitlab, "/api/v4/projects/acme%2Fc.plus.plus").await.json()["id"], 4712);
    let bare = get(&gitlab, "/api/v4/projects/acme/platform/tools/api").await;
    assert_eq!((bare.status, bare.json()), (404, json!({ "error": "404 Not Found" })));
    let twice = get(&gitlab, "/api/v4/projects/acme%252Fplatform%252Ftools%252Fapi").await;
    assert_eq!((twice.status, twice.json()), (404, json!({ "message": "404 Project Not Found" })));
    assert_eq!(get(&gitlab, "/api/v4/projects/secret-group%2Fvault").await.status, 404);
}

#[tokio::test]
async fn a_renamed_project_is_redirected_to_its_number() {
    let gitlab = gitlab().await;
    let reply = get(&gitlab, "/api/v4/projects/example-group%2Fold-backend/pipelines?ref=main").await;
    assert_eq!(reply.status, 301);
    let location = format!("{}/api/v4/projects/4021/pipelines?ref=main", gitlab.url());
    assert_eq!(reply.header("location"), Some(location.as_str()));
    let found =
        graphql(&gitlab, "{ project(fullPath: \"example-group/old-backend\") { id } }", Value::Null).await;
    assert_eq!(found["data"]["project"], Value::Null);
}

#[tokio::test]
async fn a_subpath_is_part_of_every_address() {
    let gitlab = FakeGitLab::builder().subpath("/gitlab/").start().await.unwrap();
    assert!(gitlab.url().ends_with("/gitlab"));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.status, 404);
    let project = get(&gitlab, "/gitlab/api/v4/projects/4021").await.json();
    assert_eq!(project["web_url"], format!("{}/example-group/backend", gitlab.url()));
    assert_eq!(gitlab.requests()[0].path, "/gitlab/api/v4/projects/4021");
}

#[tokio::test]
async fn pipelines_are_found_and_filtered() {
    let gitlab = gitlab().await;
    let pipeline = get(&gitlab, "/api/v4/projects/4021/pipelines/50512").await.json();
    assert_eq!(
        (pipeline["ref"].clone(), pipeline["source"].clone()),
        (json!("refs/merge-requests/317/head"), json!("merge_request_event"))
    );
    assert_eq!(
        get(&gitlab, "/api/v4/projects/4021/pipelines/1").await.json(),
        json!({ "message": "404 Not found" })
    );
    assert_eq!(get(&gitlab, "/api/v4/projects/4711/pipelines/50512").await.status, 404);
    let rows = get(&gitlab, "/api/v4/projects/4021/pipelines?source=duo_workflow").await.json();
    assert_eq!((rows.as_array().unwrap().len(), rows[0]["id"].clone()), (1, json!(50600)));
}

#[tokio::test]
async fn merge_requests_are_found_by_branch() {
    let gitlab = gitlab().await;
    let rows = get(&gitlab, "/api/v4/projects/4021/merge_requests?state=opened&source_branch=feature%2Frounding&source_project_id=4021").await;
    let iids: Vec<_> = rows.json().as_array().unwrap().iter().map(|row| row["iid"].clone()).collect();
    assert_eq!(iids, [317, 300]);
    let row = get(&gitlab, "/api/v4/projects/4021/merge_requests/319").await.json();
    assert_eq!(
        (row["source_project_id"].clone(), row["target_project_id"].clone()),
        (json!(5200), json!(4021))
    );
    let pipelines = get(&gitlab, "/api/v4/projects/4021/merge_requests/317/pipelines?per_page=1").await;
    assert_eq!(
        (pipelines.json()[0]["id"].clone(), pipelines.header("x-next-page")),
        (json!(50512), Some("2"))
    );
    assert_eq!(
        get(&gitlab, "/api/v4/projects/4021/merge_requests/999").await.json(),
        json!({ "message": "404 Not found" })
    );
}

#[tokio::test]
async fn a_pipeline_knows_its_merge_request_in_graphql() {
    let gitlab = gitlab().await;
    let query =
        "{ project(fullPath: \"example-group/backend\") { pipeline(id: \"gid://gitlab/Ci::Pipeline/50512\") {
        iid ref source status mergeRequest { iid state sourceBranch author { username } } } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let pipeline = &answer["data"]["project"]["pipeline"];
    assert_eq!(pipeline["status"], "FAILED", "{answer}");
    assert_eq!(
        pipeline["mergeRequest"],
        json!({ "iid": "317", "state": "opened", "sourceBranch": "feature/rounding", "author": { "username": "devuser" } })
    );
}

#[tokio::test]
async fn outside_of_the_api_a_browser_is_sent_to_sign_in() {
    let gitlab = gitlab().await;
    let reply = get(&gitlab, "/metadata").await;
    assert_eq!(
        (reply.status, reply.header("location")),
        (302, Some(format!("{}/users/sign_in", gitlab.url()).as_str()))
    );
    assert_eq!(send(&gitlab, "POST", "/graphql", &json!({})).await.status, 404);
}
