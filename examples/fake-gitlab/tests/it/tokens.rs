//! Tokens: states, scopes, and how the log hides them.

use crate::client::{WORKFLOWS, get, send_as};
use fake_gitlab::{FakeGitLab, TokenSpec};
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::builder().with_example_sessions().start().await.unwrap()
}

async fn query(gitlab: &FakeGitLab, token: &str, query: &str) -> Value {
    send_as(gitlab, "POST", "/api/graphql", &json!({ "query": query }), token).await.unwrap().json()
}

#[tokio::test]
async fn a_token_is_expired_or_revoked_at_once() {
    let gitlab = gitlab().await;
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.status, 200);
    gitlab.expire_token(gitlab.token());
    let reply = get(&gitlab, "/api/v4/metadata").await;
    assert_eq!(reply.status, 401);
    assert_eq!(
        reply.json()["error_description"],
        "Token is expired. You can either do re-authorization or token refresh."
    );
    assert!(reply.header("www-authenticate").is_some());
    gitlab.revoke_token(gitlab.token());
    let reply = get(&gitlab, "/api/v4/metadata").await.json();
    assert_eq!(reply["error_description"], "Token was revoked. You have to re-authorize from the user.");
    assert_eq!(
        query(&gitlab, gitlab.token(), "{ metadata { version } }").await,
        json!({ "errors": [{ "message": "Invalid token" }] })
    );
}

#[tokio::test]
async fn without_a_token_little_is_shown() {
    let gitlab = gitlab().await;
    let reply = send_as(&gitlab, "GET", "/api/v4/metadata", &Value::Null, "").await.unwrap();
    assert_eq!((reply.status, reply.json()), (401, json!({ "message": "401 Unauthorized" })));
    let reply = send_as(&gitlab, "GET", "/api/v4/projects/4021", &Value::Null, "").await.unwrap();
    assert_eq!(reply.json(), json!({ "message": "404 Project Not Found" }));
    let answer = query(&gitlab, "", "{ currentUser { id } duoWorkflowWorkflows { nodes { id } } }").await;
    assert_eq!(answer["data"], json!({ "currentUser": null, "duoWorkflowWorkflows": { "nodes": [] } }));
}

#[tokio::test]
async fn scopes_decide_what_is_open() {
    let gitlab = gitlab().await;
    for scope in ["read_api", "ai_features", "ai_workflows", "mcp"] {
        gitlab.add_token(TokenSpec::new(scope, 88, &[scope]));
    }
    let body = json!({ "project_id": "4021", "workflow_definition": "developer/v1" });
    for scope in ["read_api", "ai_features", "ai_workflows", "mcp"] {
        let reply = send_as(&gitlab, "POST", WORKFLOWS, &body, scope).await.unwrap();
        assert_eq!(
            (reply.status, reply.json()["error"].clone()),
            (403, json!("insufficient_scope")),
            "{scope}"
        );
    }
    let status = async |scope: &str, method: &str, path: &str| {
        let body = json!({ "status_event": "stop" });
        send_as(&gitlab, method, path, &body, scope).await.unwrap().status
    };
    assert_eq!(status("ai_features", "GET", "/api/v4/metadata").await, 200);
    assert_eq!(status("mcp", "GET", "/api/v4/metadata").await, 403);
    assert_eq!(status("ai_workflows", "PATCH", &format!("{WORKFLOWS}/731")).await, 200);
    assert_eq!(status("read_api", "PATCH", &format!("{WORKFLOWS}/731")).await, 403);
    assert_eq!(status("ai_workflows", "GET", "/api/v4/projects/4021").await, 403);

    let sessions = "{ duoWorkflowWorkflows(first: 1) { nodes { id } } }";
    for (scope, open) in [("read_api", true), ("ai_workflows", true), ("ai_features", false), ("mcp", false)]
    {
        let answer = query(&gitlab, scope, sessions).await;
        assert_eq!(answer["data"]["duoWorkflowWorkflows"].is_object(), open, "{scope} {answer}");
    }
    let catalog = "{ aiCatalogConfiguredItems(projectId: \"gid://gitlab/Project/4021\") { nodes { id } } }";
    assert!(query(&gitlab, "ai_workflows", catalog).await["errors"].is_array());
    assert_eq!(query(&gitlab, "read_api", catalog).await.get("errors"), None);
}

#[tokio::test]
async fn the_log_shows_no_secret() {
    let gitlab = gitlab().await;
    get(&gitlab, "/api/v4/personal_access_tokens/self").await;
    let logged = gitlab.requests().pop().unwrap();
    assert_eq!(logged.header("authorization"), Some("Bearer …"));
    assert!(!format!("{logged:?}").contains(gitlab.token()));
    assert_eq!(logged.user.as_deref(), Some("devuser"));
}
