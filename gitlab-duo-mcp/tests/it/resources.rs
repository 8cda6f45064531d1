//! Sessions and transcripts as resources, in both generations.

use std::sync::Arc;

use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::MessageKind;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::Server;
use serde_json::{Value, json};

use crate::talk::{ERAS, Era, Talk};
use crate::trouble::{Trouble, Troubled};
use crate::wire::{Wire, initialize, request};
use crate::world::{NEWEST, gitlab, message, server, session, settings};

const SESSION: &str = "duo://sessions/73";

fn with_scope(gitlab: &MemoryGitLab, scope: Scope) -> Server {
    Server::new(Arc::new(gitlab.clone()), settings(scope))
}

fn uri(uri: &str) -> Value {
    json!({"uri": uri})
}

#[tokio::test]
async fn templates_are_listed_and_sessions_are_not() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut talk = Talk::begin(server(&gitlab), era).await;
        assert_eq!(talk.result("resources/list", json!({})).await["resources"], json!([]));
        let listed = talk.result("resources/templates/list", json!({})).await;
        let templates = listed["resourceTemplates"].as_array().unwrap();
        let uris: Vec<_> =
            templates.iter().map(|template| template["uriTemplate"].as_str().unwrap()).collect();
        assert_eq!(
            uris,
            ["duo://sessions/{workflow_id}", "duo://sessions/{workflow_id}/transcript"],
            "{era:?}"
        );
        for template in templates {
            assert_eq!(template["mimeType"], "application/json");
            assert!(template["title"].is_string() && template["description"].is_string(), "{template}");
            assert!(template["icons"][0]["src"].as_str().unwrap().starts_with("data:image/svg+xml,"));
        }
        for method in ["resources/list", "resources/templates/list"] {
            let error = talk.error(method, json!({"cursor": "made up"})).await;
            assert_eq!(error["code"], -32602, "{era:?} {method}");
        }
        assert_eq!(gitlab.world().calls, [""; 0], "{era:?}: a list costs no request");
    }
}

#[tokio::test]
async fn an_old_revision_gets_templates_without_titles_and_icons() {
    for (version, has_titles, has_icons) in
        [("2024-11-05", false, false), ("2025-06-18", true, false), ("2025-11-25", true, true)]
    {
        let mut wire = Wire::to(server(&gitlab(NEWEST)));
        let greeting = wire.ask(initialize(json!(version))).await;
        let info = &greeting["result"]["serverInfo"];
        let listed = wire.ask(request(2, "resources/templates/list", json!({}))).await;
        for listed in [info, &listed["result"]["resourceTemplates"][0]] {
            let has = |name| listed.get(name).is_some();
            assert_eq!((has("title"), has("icons")), (has_titles, has_icons), "{version}: {listed}");
        }
    }
}

#[tokio::test]
async fn a_resource_says_what_the_tool_says() {
    for era in ERAS {
        let mut talk = Talk::begin(server(&gitlab(NEWEST)), era).await;
        for (address, action) in
            [("duo://sessions/75", "get"), ("duo://sessions/75/transcript", "transcript")]
        {
            let read = talk.result("resources/read", uri(address)).await;
            let [content] = read["contents"].as_array().unwrap().as_slice() else { panic!("{read}") };
            assert_eq!(
                (&content["uri"], &content["mimeType"]),
                (&json!(address), &json!("application/json"))
            );
            let resource: Value = serde_json::from_str(content["text"].as_str().unwrap()).unwrap();
            let arguments = json!({"action": action, "workflow_id": 75});
            let call = json!({"name": "browse_duo_sessions", "arguments": arguments});
            let tool = talk.result("tools/call", call).await;
            assert_eq!(resource, tool["structuredContent"], "{era:?} {address}");
        }
    }
}

#[tokio::test]
async fn a_refusal_is_an_error_of_the_protocol_with_all_that_a_tool_would_say() {
    let allowed = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    let off = Scope { access: Access::Off, ..Scope::default() };
    let missing = |era| if era == Era::Legacy { -32002 } else { -32602 };
    for era in ERAS {
        let rows = [
            (Some(Scope::default()), "duo://sessions/4711", missing(era), "not_found"),
            (Some(Scope::default()), "duo://sessions/4711/transcript", missing(era), "not_found"),
            (Some(Scope::default()), "duo://sessions/073", missing(era), "not_found"),
            (Some(Scope::default()), "file:///etc/passwd", missing(era), "not_found"),
            (Some(allowed.clone()), SESSION, -32600, "policy"),
            (Some(off.clone()), SESSION, -32600, "policy"),
            (Some(off.clone()), "nonsense", -32600, "policy"),
            (None, SESSION, -32600, "unauthorized"),
        ];
        for (scope, address, code, kind) in rows {
            let gitlab = gitlab(NEWEST);
            let server = match scope {
                Some(scope) => with_scope(&gitlab, scope),
                None => Server::without_token(settings(Scope::default())),
            };
            let mut talk = Talk::begin(server, era).await;
            let error = talk.error("resources/read", uri(address)).await;
            let (found, data) = (&error["code"], &error["data"]);
            assert_eq!((found, &data["kind"]), (&json!(code), &json!(kind)), "{era:?} {address}: {error}");
            assert!(error["message"].as_str().unwrap().ends_with('.'), "{error}");
            assert!(data["next_step"].is_string() && data["uri"] == address, "{error}");
            let has_looked = gitlab.world().calls.contains(&"session");
            assert_eq!(has_looked, address.contains("4711"), "{era:?} {address}: no detail before admission");
        }
        let mut talk = Talk::begin(server(&gitlab(NEWEST)), era).await;
        for params in [json!({}), json!({"uri": 7})] {
            assert_eq!(talk.error("resources/read", params).await["code"], -32602, "{era:?}");
        }
    }
}

#[tokio::test]
async fn a_failure_of_gitlab_keeps_its_words_and_its_wait() {
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        let mut failure = GatewayError::new(ErrorKind::RateLimited, "GitLab asks to wait");
        failure.retry_after_seconds = Some(17);
        failure.gitlab_message = Some("Retry\u{202e} later".to_owned());
        gitlab.world().failures.push_back(("session", failure, Outcome::Refused));
        let mut talk = Talk::begin(server(&gitlab), era).await;
        let error = talk.error("resources/read", uri(SESSION)).await;
        assert_eq!(error["code"], -32603, "{error}");
        let data = &error["data"];
        assert_eq!((&data["kind"], &data["retry_after_seconds"]), (&json!("rate_limited"), &json!(17)));
        assert_eq!(
            (&data["gitlab_message"], &data["removed_characters"]),
            (&json!("Retry later"), &json!(1))
        );
    }
}

#[tokio::test]
async fn a_huge_session_fits() {
    let long = "\u{1f600}\"\n".repeat(2_000);
    let call = json!({"name": long, "args": {"content": long}}).to_string();
    let messages: Vec<_> = (0..60).map(|_| message(MessageKind::Request, &long, &call)).collect();
    for era in ERAS {
        let gitlab = gitlab(NEWEST);
        gitlab.world().sessions.push(session(1, Status::ToolCallApprovalRequired, &messages));
        let mut talk = Talk::begin(server(&gitlab), era).await;
        for address in ["duo://sessions/1", "duo://sessions/1/transcript"] {
            let read = talk.result("resources/read", uri(address)).await;
            let size = read.to_string().len();
            assert!(size <= 48 * 1_024, "{era:?} {address}: {size}");
            let text = read["contents"][0]["text"].as_str().unwrap();
            assert!(serde_json::from_str::<Value>(text).is_ok(), "{era:?} {address}: whole JSON");
        }
        let error = talk.error("resources/read", uri(&"x".repeat(1 << 18))).await;
        assert!(error.to_string().len() <= 8 * 1_024, "a huge address is not thrown back");
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_that_hangs_or_panics_is_answered() {
    for (trouble, kind) in [(Trouble::Hang, "timeout"), (Trouble::Panic, "server")] {
        for era in ERAS {
            let troubled = Arc::new(Troubled::new(&gitlab(NEWEST), "session", trouble));
            let mut talk = Talk::begin(Server::new(troubled, settings(Scope::default())), era).await;
            let error = talk.error("resources/read", uri(SESSION)).await;
            assert_eq!(error["data"]["kind"], kind, "{era:?}: {error}");
            assert!(!error.to_string().contains("glpat"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_withdrawn_read_ends() {
    let troubled = Troubled::new(&gitlab(NEWEST), "session", Trouble::Hang);
    let signs = Arc::clone(&troubled.signs);
    let server = Server::new(Arc::new(troubled), settings(Scope::default()));
    let mut talk = Talk::begin(server, Era::Legacy).await;
    let id = talk.send("resources/read", uri(SESSION)).await;
    signs.entered.notified().await;
    talk.cancel(id).await;
    signs.dropped.notified().await;
    talk.result("ping", json!({})).await;
}
