//! Sessions followed from their start to their result, on a GitLab that answers over HTTP and whose
//! clock is moved by the waits themselves.

use std::sync::Arc;
use std::time::Duration;

use fake_gitlab::FakeGitLab;
use futures_util::FutureExt;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use crate::client::Client;
use crate::process::program;
use crate::tasks::{BOTH, as_modern, get};
use crate::wire::call;

fn server(fake: &FakeGitLab) -> Server {
    let instance = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly).unwrap();
    let gitlab = GitLab::builder(instance.clone()).token(StaticToken::new(fake.token())).build().unwrap();
    let clock = fake.clone();
    let settings = ServerSettings {
        instance,
        scope: Scope::default(),
        surface: Surface::Compact,
        confirm: Confirm::default(),
        clock: Arc::new(move || clock.now()),
    };
    let moved = fake.clone();
    Server::new(Arc::new(gitlab), settings).with_pause(Arc::new(move |time| {
        moved.advance(time);
        std::future::ready(()).boxed()
    }))
}

/// A flow that needs nobody in between.
fn start() -> Value {
    json!({"action": "start", "project_id": "example-group/backend", "flow": "convert_to_gl_ci/v1", "goal": "Tidy up"})
}

#[tokio::test]
async fn three_calls_lead_from_the_start_to_the_result() {
    let fake = FakeGitLab::start().await.unwrap();
    let client = Client::of(server(&fake), ProtocolVersion::V_2025_11_25).await;
    let started = client.structured("manage_duo_session", start()).await;
    let wait = json!({"action": "get", "workflow_id": started["workflow_id"], "wait_seconds": 300});
    let running = client.structured("browse_duo_sessions", wait.clone()).await;
    assert_eq!((&started["status"], &running["status"]), (&json!("created"), &json!("running")), "{running}");
    let ended = client.structured("browse_duo_sessions", wait).await;
    assert_eq!(ended["status"], "finished", "{ended}");
    assert_eq!(fake.writes().len(), 1);
}

#[tokio::test]
async fn a_client_of_tasks_calls_one_tool_and_looks_when_it_is_told_to() {
    let fake = FakeGitLab::start().await.unwrap();
    let mut wire = crate::wire::Wire::to(server(&fake));
    let begun = wire.ask(as_modern(call(7, "manage_duo_session", start()), BOTH)).await["result"].clone();
    assert_eq!(begun["resultType"], "task", "{begun}");
    let mut poll = begun["pollIntervalMs"].as_u64().unwrap();
    for _ in 0..40 {
        fake.advance(Duration::from_millis(poll));
        let looked = wire.ask(as_modern(get(&begun["taskId"]), BOTH)).await["result"].clone();
        if looked["status"] == "completed" {
            assert_eq!(looked["result"]["structuredContent"]["status"], "finished", "{looked}");
            assert_eq!(fake.writes().len(), 1);
            return;
        }
        assert_eq!(looked["status"], "working", "{looked}");
        poll = looked["pollIntervalMs"].as_u64().unwrap();
    }
    panic!("the session never ends");
}

#[tokio::test]
async fn a_task_outlives_the_program_that_began_it() {
    let fake = FakeGitLab::start().await.unwrap();
    let settings = [("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token())];
    let begun = one_life(&settings, as_modern(call(7, "manage_duo_session", start()), BOTH)).await;
    let task = begun["result"]["taskId"].clone();
    for _ in 0..40 {
        fake.advance(Duration::from_secs(30));
        // Each look is by a program of its own, and the one before was killed.
        let looked = one_life(&settings, as_modern(get(&task), BOTH)).await["result"].clone();
        if looked["status"] == "completed" {
            assert_eq!(looked["result"]["structuredContent"]["status"], "finished", "{looked}");
            assert_eq!(fake.writes().len(), 1);
            return;
        }
        assert_eq!(looked["status"], "working", "{looked}");
    }
    panic!("the session never ends");
}

/// Starts the program, asks once, and kills it.
async fn one_life(settings: &[(&str, &str)], request: Value) -> Value {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let mut child = program(settings).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{request}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let read = stdout.read_line(&mut line);
    tokio::time::timeout(crate::wire::PATIENCE, read).await.expect("an answer in time").unwrap();
    child.kill().await.unwrap();
    serde_json::from_str(&line).unwrap()
}
