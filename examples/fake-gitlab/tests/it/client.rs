//! A client that does one request per connection and hides nothing.

use fake_gitlab::FakeGitLab;
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: hyper::HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Sends a request with the default token; the error is what the client library saw.
pub(crate) async fn try_send(
    gitlab: &FakeGitLab,
    method: &str,
    path: &str,
    body: &Value,
) -> Result<Reply, hyper::Error> {
    send_as(gitlab, method, path, body, gitlab.token()).await
}

pub(crate) async fn send(gitlab: &FakeGitLab, method: &str, path: &str, body: &Value) -> Reply {
    try_send(gitlab, method, path, body).await.unwrap()
}

/// The same with another token; an empty one is not sent.
pub(crate) async fn send_as(
    gitlab: &FakeGitLab,
    method: &str,
    path: &str,
    body: &Value,
    token: &str,
) -> Result<Reply, hyper::Error> {
    let authority = gitlab.url().strip_prefix("http://").unwrap().split('/').next().unwrap();
    let stream = TcpStream::connect(authority).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path).header("host", authority);
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let text = if body.is_null() { String::new() } else { body.to_string() };
    let request =
        request.header("content-type", "application/json").body(Full::new(Bytes::from(text))).unwrap();
    let (head, body) = sender.send_request(request).await?.into_parts();
    let body = body.collect().await?.to_bytes();
    let text = String::from_utf8_lossy(&body).into_owned();
    Ok(Reply { status: head.status.as_u16(), headers: head.headers, text })
}

pub(crate) async fn get(gitlab: &FakeGitLab, path: &str) -> Reply {
    send(gitlab, "GET", path, &Value::Null).await
}

pub(crate) async fn graphql(gitlab: &FakeGitLab, query: &str, variables: Value) -> Value {
    let body = json!({ "query": query, "variables": variables });
    send(gitlab, "POST", "/api/graphql", &body).await.json()
}

pub(crate) const WORKFLOWS: &str = "/api/v4/ai/duo_workflows/workflows";

/// Starts a consumer in project 4021 and hands the session's number back.
pub(crate) async fn start(gitlab: &FakeGitLab, consumer: i64) -> i64 {
    let body = json!({
        "project_id": "4021", "ai_catalog_item_consumer_id": consumer, "goal": "Repair it", "start_workflow": true,
    });
    let reply = send(gitlab, "POST", WORKFLOWS, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

pub(crate) async fn answer(gitlab: &FakeGitLab, session: i64, body: Value) -> Reply {
    send(gitlab, "POST", &format!("{WORKFLOWS}/{session}/resume"), &body).await
}

pub(crate) async fn stop(gitlab: &FakeGitLab, session: i64) -> Reply {
    send(gitlab, "PATCH", &format!("{WORKFLOWS}/{session}"), &json!({ "status_event": "stop" })).await
}

/// The session with the fields that stories look at.
pub(crate) async fn session(gitlab: &FakeGitLab, id: i64) -> Value {
    let query = "query($id: AiDuoWorkflowsWorkflowID) { duoWorkflowWorkflows(workflowId: $id, first: 1) { nodes {
        id status statusName humanStatus statusGroup summary title webUrl
        userPermissions { resumeDuoWorkflow }
        latestCheckpoint { lastDuoMessage { content messageType toolInfo } duoMessages { content messageType toolInfo } }
        mergeRequestLinks(first: 20) { nodes { linkType mergeRequest { iid title webUrl } } }
        workItemLinks(first: 20) { nodes { linkType workItem { iid title } } }
        noteLinks(first: 20) { nodes { linkType note { body } } }
    } } }";
    let variables = json!({ "id": format!("gid://gitlab/Ai::DuoWorkflows::Workflow/{id}") });
    let answer = graphql(gitlab, query, variables).await;
    assert_eq!(answer.get("errors"), None, "{answer}");
    answer["data"]["duoWorkflowWorkflows"]["nodes"][0].clone()
}

pub(crate) fn seconds(seconds: u64) -> std::time::Duration {
    std::time::Duration::from_secs(seconds)
}
