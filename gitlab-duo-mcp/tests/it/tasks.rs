//! Sessions as tasks: followed, answered and left by a client, across restarts of the server.

use std::sync::Arc;

use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::MessageKind;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::wire::{Wire, call, initialize, request};
use crate::world::{NEWEST, gitlab, message, server, session, settings};

const BROWSE: &str = "browse_duo_sessions";
const MANAGE: &str = "manage_duo_session";
/// A client that follows tasks and can ask its user.
pub(crate) const BOTH: &str =
    r#"{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
const TASKS_ONLY: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
const NOTHING: &str = "{}";

pub(crate) fn as_modern(mut request: Value, capabilities: &str) -> Value {
    let capabilities: Value = serde_json::from_str(capabilities).unwrap();
    request["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    request
}

/// One request to a server of its own: every one could be a restart.
async fn ask(server: Server, capabilities: &str, request: Value) -> Value {
    Wire::to(server).ask(as_modern(request, capabilities)).await
}

fn start() -> Value {
    let arguments =
        json!({"action": "start", "project_id": "acme/api", "flow": "developer/v1", "goal": "Tidy up"});
    call(7, MANAGE, arguments)
}

fn wait(workflow_id: &str) -> Value {
    call(7, BROWSE, json!({"action": "get", "workflow_id": workflow_id, "wait_seconds": 60}))
}

pub(crate) fn get(task: &Value) -> Value {
    request(8, "tasks/get", json!({"taskId": task}))
}

fn update(task: &Value, key: &str, answer: &Value) -> Value {
    request(9, "tasks/update", json!({"taskId": task, "inputResponses": {key: answer}}))
}

/// The task of a session, as a wait gives it while the session is at work.
async fn task_of(gitlab: &MemoryGitLab, id: u64) -> Value {
    let before = gitlab.world().sessions.clone();
    gitlab.world().sessions = vec![session(id, Status::Running, &[])];
    let task = ask(server(gitlab), BOTH, wait(&id.to_string())).await["result"]["taskId"].clone();
    gitlab.world().sessions = before;
    task
}

fn question(task: &Value) -> (String, Value) {
    let (key, request) = task["result"]["inputRequests"].as_object().unwrap().iter().next().unwrap();
    (key.clone(), request["params"].clone())
}

#[tokio::test]
async fn a_start_is_followed_to_its_result_by_a_new_server_each_time() {
    let gitlab = gitlab(NEWEST);
    let begun = ask(server(&gitlab), BOTH, start()).await["result"].clone();
    assert_eq!((&begun["resultType"], &begun["status"]), (&json!("task"), &json!("working")), "{begun}");
    assert_eq!((&begun["pollIntervalMs"], &begun["ttlMs"]), (&json!(120_000), &json!(null)));
    assert!(begun["statusMessage"].as_str().unwrap().contains("only detaches"), "{begun}");
    let task = &begun["taskId"];
    let steps = [
        (Status::Created, "working", json!(120_000)),
        (Status::Running, "working", json!(30_000)),
        (Status::Paused, "working", json!(30_000)),
        (Status::Other("compacting".to_owned()), "working", json!(30_000)),
    ];
    for (status, expected, poll) in steps {
        gitlab.world().sessions[0].row.status = Some(status.clone());
        let looked = ask(server(&gitlab), BOTH, get(task)).await["result"].clone();
        assert_eq!(
            (&looked["status"], &looked["pollIntervalMs"]),
            (&json!(expected), &poll),
            "{status:?}: {looked}"
        );
        assert_eq!(&looked["taskId"], task);
    }
    for status in [Status::Finished, Status::Failed, Status::Stopped] {
        gitlab.world().sessions[0].row.status = Some(status.clone());
        let ended = ask(server(&gitlab), BOTH, get(task)).await["result"].clone();
        assert_eq!(ended["status"], "completed", "{ended}");
        let result = &ended["result"];
        assert_eq!(result["structuredContent"]["status"], status.name(), "{ended}");
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with("Session 76: "), "{ended}");
        assert_ne!(result["isError"], json!(true));
    }
    assert_eq!(gitlab.world().writes(), 1);
}

#[tokio::test]
async fn only_a_client_that_speaks_of_tasks_in_the_new_generation_is_given_one() {
    for capabilities in [NOTHING, r#"{"elicitation":{"form":{}}}"#] {
        let gitlab = gitlab(NEWEST);
        let begun = ask(server(&gitlab), capabilities, start()).await;
        assert_eq!(begun["result"]["structuredContent"]["workflow_id"], "76", "{begun}");
    }
    let gitlab = gitlab(NEWEST);
    let mut old = initialize(json!("2025-11-25"));
    old["params"]["capabilities"] = serde_json::from_str(BOTH).unwrap();
    let mut wire = Wire::to(server(&gitlab));
    let agreed = wire.ask(old).await;
    assert_eq!(agreed["result"]["capabilities"].get("extensions"), None, "{agreed}");
    let begun = wire.ask(start()).await;
    assert_eq!(begun["result"]["structuredContent"]["workflow_id"], "76", "{begun}");
    let looked = wire.ask(get(&json!("duo-x-76"))).await;
    assert_eq!(looked["error"]["code"], -32601, "{looked}");
    // Whoever does not declare it cannot ask for tasks either.
    let looked = ask(server(&gitlab), NOTHING, get(&json!("duo-x-76"))).await;
    assert_eq!(looked["error"]["code"], -32021, "{looked}");
}

#[tokio::test]
async fn a_refused_start_and_a_session_that_is_settled_are_answered_at_once() {
    let gitlab = gitlab(NEWEST);
    let mut refused = start();
    refused["params"]["arguments"]["flow"] = json!("nothing/v1");
    let refused = ask(server(&gitlab), BOTH, refused).await;
    assert_eq!(refused["result"]["structuredContent"]["error"]["kind"], "not_found", "{refused}");
    let mut planned = start();
    planned["params"]["arguments"]["dry_run"] = json!(true);
    let planned = ask(server(&gitlab), BOTH, planned).await;
    assert_eq!(planned["result"]["structuredContent"]["dry_run"], true, "{planned}");
    for (id, status) in [("73", "finished"), ("74", "input_required")] {
        let settled = ask(server(&gitlab), BOTH, wait(id)).await;
        assert_eq!(settled["result"]["structuredContent"]["status"], status, "{settled}");
    }
    let waited = ask(server(&gitlab), BOTH, wait("72")).await;
    assert_eq!(waited["result"]["resultType"], "task", "{waited}");
    assert_eq!(gitlab.world().writes(), 0);
}

#[tokio::test]
async fn a_checkpoint_asks_the_person_and_sends_the_decision_once() {
    let yes = json!({"human_approval": true});
    let no = json!({"human_approval": false, "human_message": "Not so"});
    let rows = [
        (75, yes, "Approve"),
        (75, no, "Not so"),
        (75, json!({"human_approval": false, "human_message": ""}), "Reply(None)"),
        (74, json!({"human_message": "src/lib.rs"}), "src/lib.rs"),
        (74, json!({"human_approval": true}), "Approve"),
    ];
    for (id, content, sent) in rows {
        let gitlab = gitlab(NEWEST);
        let task = task_of(&gitlab, id).await;
        let waiting = ask(server(&gitlab), BOTH, get(&task)).await;
        assert_eq!(waiting["result"]["status"], "input_required", "{waiting}");
        let (key, params) = question(&waiting);
        assert!(params["message"].as_str().unwrap().contains("waits for a person"), "{params}");
        let answer = json!({"action": "accept", "content": content});
        let taken = ask(server(&gitlab), BOTH, update(&task, &key, &answer)).await;
        assert_eq!(taken["result"]["resultType"], "complete", "{taken}");
        let answered = gitlab.world().answered.clone();
        assert!(answered.len() == 1 && format!("{answered:?}").contains(sent), "{answered:?}");
    }
}

#[tokio::test]
async fn no_other_answer_sends_anything() {
    let rows = [
        (json!({"action": "decline"}), None),
        (json!({"action": "cancel"}), None),
        (json!({"action": "accept"}), Some("neither yes nor no")),
        (json!({"action": "accept", "content": {}}), Some("neither yes nor no")),
        (json!({"action": "accept", "content": {"human_message": "go"}}), Some("neither yes nor no")),
        (json!({"action": "accept", "content": {"human_approval": "true"}}), Some("neither yes nor no")),
        (
            json!({"action": "accept", "content": {"human_approval": true, "human_message": "go"}}),
            Some("cannot go with a yes"),
        ),
        (
            json!({"action": "accept", "content": {"human_approval": false, "human_message": "x".repeat(2_001)}}),
            Some("too long"),
        ),
        (json!({"action": "sure"}), Some("no result of an elicitation")),
        (json!("yes"), Some("no result of an elicitation")),
    ];
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 75).await;
    let (key, _) = question(&ask(server(&gitlab), BOTH, get(&task)).await);
    for (answer, refusal) in rows {
        let told = ask(server(&gitlab), BOTH, update(&task, &key, &answer)).await;
        match refusal {
            None => assert_eq!(told["result"]["resultType"], "complete", "{answer}: {told}"),
            Some(words) => {
                assert_eq!(told["error"]["code"], -32602, "{answer}: {told}");
                assert!(told["error"]["message"].as_str().unwrap().contains(words), "{answer}: {told}");
            }
        }
    }
    let unknown = ask(server(&gitlab), BOTH, update(&task, "approval", &json!({"action": "accept"}))).await;
    assert_eq!(unknown["error"]["data"]["kind"], "not_waiting", "{unknown}");
    assert_eq!(gitlab.world().writes(), 0);
}

#[tokio::test]
async fn an_answer_fits_only_the_question_it_was_given_to() {
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 75).await;
    let (key, _) = question(&ask(server(&gitlab), BOTH, get(&task)).await);
    let other = json!({"name": "run_command", "args": {"program": "rm"}}).to_string();
    let pending = [message(MessageKind::Request, "May I?", &other)];
    gitlab.world().sessions[0] = session(75, Status::ToolCallApprovalRequired, &pending);
    let yes = json!({"action": "accept", "content": {"human_approval": true}});
    let told = ask(server(&gitlab), BOTH, update(&task, &key, &yes)).await;
    assert_eq!(told["error"]["data"]["kind"], "not_waiting", "{told}");
    assert_eq!(gitlab.world().writes(), 0);
    let (now, params) = question(&ask(server(&gitlab), BOTH, get(&task)).await);
    assert!(now != key && params["message"].as_str().unwrap().contains("rm"), "{params}");
}

#[tokio::test]
async fn who_cannot_ask_or_may_not_answer_is_shown_no_question() {
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 75).await;
    let looked = ask(server(&gitlab), TASKS_ONLY, get(&task)).await;
    assert_eq!(looked["result"]["status"], "working", "{looked}");
    let scope = Scope { access: Access::ReadOnly, ..Scope::default() };
    let reader = || Server::new(Arc::new(gitlab.clone()), settings(scope.clone()));
    let looked = ask(reader(), BOTH, get(&task)).await;
    assert_eq!(looked["result"]["status"], "working", "{looked}");
    let told = ask(reader(), BOTH, update(&task, "tool_call_approval-0", &json!({"action": "accept"}))).await;
    assert_eq!(told["error"]["data"]["kind"], "policy", "{told}");
    let off = Scope { access: Access::Off, ..Scope::default() };
    let told = ask(Server::new(Arc::new(gitlab.clone()), settings(off)), BOTH, get(&task)).await;
    assert_eq!(told["error"]["data"]["kind"], "policy", "{told}");
    let told = ask(Server::without_token(settings(Scope::default())), BOTH, get(&task)).await;
    assert_eq!(told["error"]["data"]["kind"], "unauthorized", "{told}");
    assert_eq!(gitlab.world().writes(), 0);
}

#[tokio::test]
async fn a_session_of_a_project_that_is_not_allowed_is_no_task() {
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 75).await;
    gitlab.world().calls.clear();
    let scope = Scope {
        allowed_projects: Some([gitlab_duo_core::model::ids::ProjectId::new(1).unwrap()].into()),
        ..Scope::default()
    };
    let told = ask(Server::new(Arc::new(gitlab.clone()), settings(scope)), BOTH, get(&task)).await;
    assert_eq!(told["error"]["data"]["kind"], "policy", "{told}");
    assert!(!gitlab.world().calls.contains(&"session"), "no detail before admission");
}

#[tokio::test]
async fn cancelling_detaches_and_stops_nothing() {
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 72).await;
    let cancel = |task: &Value| request(9, "tasks/cancel", json!({"taskId": task}));
    let told = ask(server(&gitlab), BOTH, cancel(&task)).await;
    assert_eq!(told["result"]["resultType"], "complete", "{told}");
    let looked = ask(server(&gitlab), BOTH, get(&task)).await;
    assert_eq!(looked["result"]["status"], "working", "{looked}");
    assert_eq!(gitlab.world().writes(), 0);
    for foreign in ["", "duo", "duo-", "duo-000000000000-72", "duo-x", "72", "task-1"] {
        for ask_for in [cancel(&json!(foreign)), get(&json!(foreign))] {
            let told = ask(server(&gitlab), BOTH, ask_for).await;
            assert_eq!(told["error"]["code"], -32602, "{foreign}: {told}");
        }
    }
}

#[tokio::test]
async fn a_task_of_another_gitlab_is_not_mistaken() {
    let gitlab = gitlab(NEWEST);
    let task = task_of(&gitlab, 72).await;
    let instance = InstanceUrl::parse("https://other.example.test", PlainHttp::LoopbackOnly).unwrap();
    let settings = ServerSettings { instance, ..settings(Scope::default()) };
    let told = ask(Server::new(Arc::new(gitlab.clone()), settings), BOTH, get(&task)).await;
    assert_eq!(told["error"]["data"]["kind"], "not_found", "{told}");
}

#[tokio::test]
async fn on_the_other_surface_the_result_has_its_form() {
    let gitlab = gitlab(NEWEST);
    let settings = ServerSettings { surface: Surface::GitLab, ..settings(Scope::default()) };
    let server = || Server::new(Arc::new(gitlab.clone()), settings.clone());
    let arguments = json!({"project_id": "acme/api", "goal": "Tidy up"});
    let begun = ask(server(), BOTH, call(7, "start_duo_session", arguments)).await;
    assert_eq!(begun["result"]["resultType"], "task", "{begun}");
    gitlab.world().sessions[0].row.status = Some(Status::Finished);
    let ended = ask(server(), BOTH, get(&begun["result"]["taskId"])).await;
    assert_eq!(ended["result"]["result"]["structuredContent"]["workflow_id"], 76, "{ended}");
    assert_eq!(ended["result"]["result"]["structuredContent"]["turn_complete"], true, "{ended}");
}
