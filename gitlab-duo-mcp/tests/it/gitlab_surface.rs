//! The surface of GitLab's own server: its names and forms, with the same abilities and policy behind them.

use std::sync::Arc;

use gitlab_duo_core::gateway::request::Run;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::ConsumerId;
use gitlab_duo_core::model::project::{Project, ProjectPath};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::world::{NEWEST, gitlab, server_of, session, settings};

async fn client(gitlab: &MemoryGitLab) -> Client {
    Client::new(server_of(gitlab, Surface::GitLab)).await
}

/// Every field of `expected` is in `given` with its value.
fn holds(given: &Value, expected: &Value) {
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(given.get(name), Some(value), "{name} of {given}");
    }
}

fn error(result: &Value) -> (&str, &str) {
    assert_eq!(result["isError"], true, "{result}");
    let error = &result["structuredContent"]["error"];
    (error["kind"].as_str().unwrap(), error["message"].as_str().unwrap())
}

#[tokio::test]
async fn discovery_has_the_form_of_gitlab_and_ours_beside() {
    let client = client(&gitlab(NEWEST)).await;
    let result = client.call("list_duo_agents_and_flows", json!({"project_id": "acme/api"})).await;
    let items = &result["structuredContent"]["items"];
    let agent = json!({
        "name": "Planner", "type": "agent", "foundational": true, "workflow_definition": "duo_planner/v1",
        "can_start_session": null, "ai_catalog_item_consumer_id": null, "agent": "duo_planner/v1",
    });
    holds(&items[0], &agent);
    let flow = json!({
        "name": "Developer", "description": "Does one thing well.", "type": "flow", "foundational": true,
        "workflow_definition": null, "can_start_session": true, "ai_catalog_item_consumer_id": 723,
        "flow": "developer/v1", "why_not": null,
    });
    holds(&items[1], &flow);
    assert!(items[1].get("consumer_id").is_none());
    assert_eq!(result["structuredContent"]["pageInfo"]["hasNextPage"], false);
    assert!(text(&result).starts_with("3 agents and flows of `acme/api`"), "{}", text(&result));
}

#[tokio::test]
async fn a_list_has_the_form_of_gitlab_and_leaves_chats_out() {
    let gitlab = gitlab(NEWEST);
    for (id, definition) in [(80, "chat"), (81, "agentic_chat/v1"), (9_007_199_254_740_993, "developer/v1")] {
        let mut session = session(id, Status::Finished, &[]);
        session.row.flow = Some(definition.to_owned());
        gitlab.world().sessions.push(session);
    }
    let client = client(&gitlab).await;
    for arguments in [
        json!({}),
        json!({"project_id": 4021}),
        json!({"url": "https://git.example.test/acme/api/-/issues/3"}),
        json!({"url": "https://git.example.test/acme/api", "project_id": "acme/api", "status_group": null}),
    ] {
        let result = client.call("list_duo_sessions", arguments.clone()).await;
        let list = &result["structuredContent"];
        let sessions = list["sessions"].as_array().unwrap();
        let row = json!({
            "id": 75, "status": "tool_call_approval_required", "goal": "Repair the unit tests",
            "flow": "developer/v1", "created_at": "2026-10-20T11:10:00Z", "project": "acme/api",
        });
        holds(&sessions[0], &row);
        assert!(sessions[0]["web_url"].as_str().unwrap().ends_with("/75"));
        assert_eq!(sessions.last().unwrap()["id"], "9007199254740993", "beyond what every client keeps");
        assert_eq!((sessions.len(), &list["hidden_chat_sessions"]), (5, &json!(2)), "{arguments}");
        assert!(
            text(&result).starts_with("5 of your sessions") && text(&result).contains("2 interactive chats")
        );
    }
    let result =
        client.call("list_duo_sessions", json!({"statuses": ["paused"], "status_group": "paused"})).await;
    assert_eq!(error(&result).0, "invalid_arguments");
}

#[tokio::test]
async fn a_session_has_the_form_of_gitlab_and_ours_beside() {
    let client = client(&gitlab(NEWEST)).await;
    let rows = [
        (json!(72), json!({"workflow_id": 72, "status": "running", "poll_after_seconds": 30})),
        (
            json!("73"),
            json!({"workflow_id": 73, "status": "finished", "turn_complete": true, "poll_after_seconds": null}),
        ),
        (json!(74.0), json!({"workflow_id": 74, "status": "input_required", "awaiting_approval": true})),
    ];
    for (id, expected) in rows {
        let session = client.structured("get_duo_session", json!({"workflow_id": id})).await;
        holds(&session, &expected);
        assert!(session["created"].is_object() && session.get("pending_input").is_some(), "{session}");
    }
}

#[tokio::test]
async fn each_selector_starts_what_it_names_and_none_the_developer() {
    let consumer = |id| Run::Consumer(ConsumerId::new(id).unwrap());
    let rows = [
        (json!({}), Some(consumer(723))),
        (json!({"flow": "developer/v1", "agent": null, "flow_item_id": ""}), Some(consumer(723))),
        (json!({"ai_catalog_item_consumer_id": 91}), Some(consumer(91))),
        (json!({"ai_catalog_item_consumer_id": "91"}), Some(consumer(91))),
        (json!({"consumer_id": "91"}), Some(consumer(91))),
        (json!({"flow_item_id": 1_091}), Some(consumer(91))),
        (json!({"agent": "duo_planner"}), None),
    ];
    for (selector, run) in rows {
        let gitlab = gitlab(NEWEST);
        let client = client(&gitlab).await;
        let mut arguments = json!({"project_id": 4021, "goal": "tidy up"});
        arguments.as_object_mut().unwrap().extend(selector.as_object().unwrap().clone());
        let planned = {
            let mut arguments = arguments.clone();
            arguments["dry_run"] = json!("true");
            client.structured("start_duo_session", arguments).await
        };
        assert_eq!((&planned["dry_run"], gitlab.world().writes()), (&json!(true), 0), "{planned}");
        let started = client.structured("start_duo_session", arguments.clone()).await;
        let expected =
            json!({"workflow_id": 76, "status": "created", "workload_id": 576, "poll_after_seconds": 120});
        holds(&started, &expected);
        let sent = gitlab.world().started[0].run.clone();
        assert!(run.as_ref().is_none_or(|run| *run == sent), "{selector}: {sent:?}");
        assert!(run.is_some() || matches!(sent, Run::Agent(_)), "{selector}: {sent:?}");
    }
}

#[tokio::test]
async fn a_start_that_cannot_be_meant_is_refused_before_anything_is_sent() {
    let page = "https://git.example.test/acme/api/-/pipelines/50512";
    let rows = [
        (json!({"goal": "x"}), "invalid_arguments", "`project_id` is missing"),
        (json!({"project_id": 4021}), "invalid_arguments", "`goal` is missing"),
        (
            json!({"project_id": 4021, "goal": "x", "flow": "a/v1", "agent": "b"}),
            "invalid_arguments",
            "`flow`, `agent` are given",
        ),
        (
            json!({"project_id": 4021, "goal": "x", "flow_item_id": 1_723}),
            "invalid_arguments",
            "a flow of GitLab itself",
        ),
        (
            json!({"project_id": 4021, "goal": "x", "flow_item_id": 91}),
            "not_found",
            "catalog item 91 is not enabled",
        ),
        (
            json!({"project_id": 17, "url": page, "goal": "x"}),
            "invalid_arguments",
            "do not name the same project",
        ),
        (
            json!({"project_id": "acme/web", "url": page, "goal": "x"}),
            "invalid_arguments",
            "do not name the same project",
        ),
        (json!({"project_id": 4021, "url": page, "goal": "x"}), "invalid_arguments", "`url` is only for"),
        (
            json!({"project_id": 4021, "goal": "x", "workflow_definition": "developer/v1"}),
            "invalid_arguments",
            "`workflow_definition` is no argument",
        ),
        (json!({"url": "https://other.example.test/acme/api", "goal": "x"}), "invalid_arguments", "`url`"),
    ];
    for (arguments, kind, message) in rows {
        let gitlab = gitlab(NEWEST);
        let web = ProjectPath::parse("acme/web").unwrap();
        let other = Project {
            path: web,
            id: gitlab_duo_core::model::ids::ProjectId::new(17).unwrap(),
            web_url: None,
        };
        gitlab.world().projects.push(other);
        let result = client(&gitlab).await.call("start_duo_session", arguments.clone()).await;
        let found = error(&result);
        assert!(found.0 == kind && found.1.contains(message), "{arguments}: {found:?}");
        assert_eq!(gitlab.world().writes(), 0, "{arguments}");
    }
}

#[tokio::test]
async fn the_url_names_the_project_as_well() {
    for arguments in [
        json!({"url": "https://git.example.test/acme/api", "goal": "x"}),
        json!({"url": "https://git.example.test/acme/api/-/issues/3", "project_id": 4021, "goal": "x"}),
    ] {
        let gitlab = gitlab(NEWEST);
        let started = client(&gitlab).await.structured("start_duo_session", arguments).await;
        assert_eq!(started["workflow_id"], 76, "{started}");
    }
}

#[tokio::test]
async fn a_decision_and_a_stop_have_the_form_of_gitlab() {
    let gitlab = gitlab(NEWEST);
    let client = client(&gitlab).await;
    let answer = json!({"workflow_id": 74, "human_approval": false, "human_message": "src/lib.rs"});
    let sent = client.structured("send_duo_session_input", answer).await;
    holds(&sent, &json!({"workflow_id": 74, "status": "input_required", "workload_id": 574}));
    let stopped = client.structured("stop_duo_session", json!({"workflow_id": 72})).await;
    holds(&stopped, &json!({"workflow_id": 72, "status": "stopped"}));
    let ended = client.structured("stop_duo_session", json!({"workflow_id": "73"})).await;
    holds(&ended, &json!({"workflow_id": 73, "sent": false}));
    assert_eq!(gitlab.world().writes(), 2);
    for approval in [json!(null), json!(""), json!("null")] {
        let answer = json!({"workflow_id": 74, "human_approval": approval});
        assert_eq!(error(&client.call("send_duo_session_input", answer).await).0, "invalid_arguments");
    }
}

#[tokio::test]
async fn policy_hides_and_refuses_the_same_here() {
    let rows = [(Access::Full, 6), (Access::ReadOnly, 3), (Access::Off, 0)];
    for (access, count) in rows {
        let gitlab = gitlab(NEWEST);
        let scope = Scope { access, ..Scope::default() };
        let settings = ServerSettings { surface: Surface::GitLab, ..settings(scope) };
        let client = Client::new(Server::new(Arc::new(gitlab.clone()), settings)).await;
        assert_eq!(client.tools().len(), count);
        let stop = client.call("stop_duo_session", json!({"workflow_id": 72})).await;
        assert_eq!(stop["isError"], access != Access::Full, "{access:?}: {stop}");
        assert_eq!(gitlab.world().writes(), usize::from(access == Access::Full));
    }
}
