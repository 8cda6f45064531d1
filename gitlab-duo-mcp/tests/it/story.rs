//! One whole conversation through rmcp's own client, on both surfaces, in the oldest and the newest revision of the
//! protocol, with a GitLab over HTTP whose clock is moved by hand.

use std::sync::Arc;
use std::time::Duration;

use fake_gitlab::FakeGitLab;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use crate::client::{Client, text};

/// Looks at a session at most, half a minute apart.
const MOST_LOOKS: usize = 60;
/// Structured results came with this revision; before it the text carries the JSON.
const STRUCTURED: &str = "2025-06-18";

/// A conversation with a surface, in the words of no surface.
struct Story {
    fake: FakeGitLab,
    client: Client,
    surface: Surface,
    version: ProtocolVersion,
}

impl Story {
    async fn begin(surface: Surface, version: ProtocolVersion) -> Self {
        let fake = FakeGitLab::builder().start().await.unwrap();
        let instance = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly).unwrap();
        let gitlab = GitLab::builder(instance.clone()).token(StaticToken::new(fake.token()));
        let clock = fake.clone();
        let clock = Arc::new(move || clock.now());
        let settings =
            ServerSettings { instance, scope: Scope::default(), surface, confirm: Confirm::default(), clock };
        let server = Server::new(Arc::new(gitlab.build().unwrap()), settings);
        Self { fake, client: Client::of(server, version.clone()).await, surface, version }
    }

    async fn call(&self, action: &str, mut arguments: Value) -> Value {
        let (compact, own) = match action {
            "agents_and_flows" => ("browse_duo_sessions", "list_duo_agents_and_flows"),
            "list" => ("browse_duo_sessions", "list_duo_sessions"),
            "get" => ("browse_duo_sessions", "get_duo_session"),
            "start" => ("manage_duo_session", "start_duo_session"),
            "send_input" => ("manage_duo_session", "send_duo_session_input"),
            _ => ("manage_duo_session", "stop_duo_session"),
        };
        let tool = match self.surface {
            Surface::Compact => {
                arguments["action"] = json!(action);
                compact
            }
            _ => own,
        };
        let result = self.client.call(tool, arguments).await;
        let has_structured = self.version.as_str() >= STRUCTURED;
        assert_eq!(result.get("structuredContent").is_some(), has_structured, "{result}");
        if has_structured {
            result["structuredContent"].clone()
        } else {
            serde_json::from_str(text(&result)).unwrap()
        }
    }

    async fn until(&self, id: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..MOST_LOOKS {
            let session = self.call("get", json!({"workflow_id": id})).await;
            if wanted(&session) {
                return session;
            }
            self.fake.advance(Duration::from_secs(30));
        }
        panic!("session {id} never came so far");
    }
}

#[tokio::test]
async fn the_whole_story_is_the_same_in_the_oldest_and_the_newest_revision_on_both_surfaces() {
    for version in [ProtocolVersion::V_2024_11_05, ProtocolVersion::V_2026_07_28] {
        for (surface, id) in [(Surface::Compact, "workflow_id"), (Surface::GitLab, "id")] {
            let story = Story::begin(surface, version.clone()).await;
            assert_eq!(story.client.agreed(), version.as_str());
            let offer =
                story.call("agents_and_flows", json!({"project_id": 4021, "item_type": "flow"})).await;
            let is_developer =
                |item: &Value| item["flow"] == "developer/v1" && item["can_start_session"] == true;
            assert!(offer["items"].as_array().unwrap().iter().any(is_developer), "{offer}");
            let start =
                json!({"project_id": 4021, "flow": "developer/v1", "goal": "Repair the failing unit tests"});
            let started = story.call("start", start.clone()).await;
            assert_eq!(
                (&started["status"], &started["poll_after_seconds"]),
                (&json!("created"), &json!(120))
            );
            assert_eq!(story.call("start", start).await["error"]["kind"], "duplicate");
            let session = &started["workflow_id"];
            let waiting = story.until(session, |session| session["pending_input"]["can_send"] == true).await;
            assert_eq!(waiting["pending_input"]["kind"], "input");
            let answer =
                json!({"workflow_id": session, "human_approval": false, "human_message": "Only invoices"});
            assert_eq!(story.call("send_input", answer).await["poll_after_seconds"], 120);
            let done = story.until(session, |session| session["terminal"] == true).await;
            assert_eq!(done["status"], "finished");
            assert!(!done["created"]["merge_requests"]["items"].as_array().unwrap().is_empty(), "{done}");
            let listed = story.call("list", json!({"first": 5})).await;
            assert!(listed["sessions"].as_array().unwrap().iter().any(|row| row[id] == *session), "{listed}");
            assert_eq!(story.call("stop", json!({"workflow_id": session})).await["sent"], false);
            // A start and an answer: nothing else was written, and neither of them twice.
            assert_eq!(story.fake.writes().len(), 2, "{version} {surface:?}");
        }
    }
}
