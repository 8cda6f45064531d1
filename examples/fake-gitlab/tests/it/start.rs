//! Starting sessions: every rule of the create route, in GitLab's words.

use crate::client::{Reply, WORKFLOWS, graphql, send, send_as};
use fake_gitlab::{FakeGitLab, TokenSpec};
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::start().await.unwrap()
}

async fn create(gitlab: &FakeGitLab, body: Value) -> Reply {
    send(gitlab, "POST", WORKFLOWS, &body).await
}

fn consumer(id: i64) -> Value {
    json!({ "project_id": "4021", "ai_catalog_item_consumer_id": id, "goal": "Repair it", "start_workflow": true })
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

#[tokio::test]
async fn a_custom_flow_is_started_by_its_consumer() {
    let gitlab = gitlab().await;
    let reply = create(&gitlab, consumer(91)).await;
    assert_eq!(reply.status, 201);
    assert!(reply.header("x-request-id").is_some());
    let body = reply.json();
    assert!(body["workload"]["id"].is_i64());
    let expected = json!({
        "id": 750, "project_id": 4021, "namespace_id": null, "agent_privileges": [1, 2, 3, 4, 5, 6, 7],
        "agent_privileges_names": [
            "read_write_files", "read_only_gitlab", "read_write_gitlab", "run_commands", "use_git",
            "run_mcp_tools", "start_flows",
        ],
        "pre_approved_agent_privileges": [1, 2, 3, 4, 5, 6, 7],
        "pre_approved_agent_privileges_names": [
            "read_write_files", "read_only_gitlab", "read_write_gitlab", "run_commands", "use_git",
            "run_mcp_tools", "start_flows",
        ],
        "workflow_definition": "ai_catalog_agent", "status": "created", "summary": null,
        "title": "Invoice keeper", "allow_agent_to_request_user": true, "image": null, "environment": "web",
        "ai_catalog_item_version_id": 5091, "workload": body["workload"], "mcp_enabled": false,
        "incremental_checkpoints_enabled": true, "gitlab_url": gitlab.url(),
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn every_refusal_has_its_own_words() {
    let gitlab = gitlab().await;
    let start = || consumer(91);
    let rows = [
        (
            with(start(), "project_id", json!("nobody/nothing")),
            404,
            json!({ "message": "404 Project Not Found" }),
        ),
        (
            with(start(), "project_id", json!("secret-group/vault")),
            404,
            json!({ "message": "404 Project Not Found" }),
        ),
        (
            with(start(), "project_id", json!("example-group/old-backend")),
            405,
            json!({ "message": "Non GET methods are not allowed for moved projects" }),
        ),
        (
            consumer(999),
            404,
            json!({ "message": "404 Enabled agent or flow was not found for this project. Not Found" }),
        ),
        (
            consumer(88),
            404,
            json!({ "message": "404 Enabled agent or flow was not found for this project. Not Found" }),
        ),
        (
            consumer(811),
            403,
            json!({ "message": "403 Forbidden - Agent or flow is not enabled for this project" }),
        ),
        (
            consumer(80),
            403,
            json!({ "message": "403 Forbidden - Agent or flow is not enabled for this project" }),
        ),
        (consumer(86), 400, json!({ "message": "400 Bad request - [\"Item must be a flow type\"]" })),
        (consumer(84), 400, json!({ "message": "400 Bad request - [\"Item must be a flow type\"]" })),
        (
            consumer(90),
            400,
            json!({ "message": "400 Bad request - [\"You have insufficient permissions\"]" }),
        ),
        (consumer(731), 403, json!({ "message": "403 Forbidden" })),
        (
            json!({ "namespace_id": "310", "ai_catalog_item_consumer_id": 91, "goal": "x", "start_workflow": true }),
            400,
            json!({ "message": "400 Bad request - AI Catalog flows can only be executed in project context" }),
        ),
        (
            json!({ "ai_catalog_item_consumer_id": 91, "goal": "x", "start_workflow": true }),
            400,
            json!({ "message": "400 Bad request - No default namespace found. Please provide project_id or namespace_id, or configure a default Duo namespace." }),
        ),
        (
            with(with(start(), "source", json!("mcp")), "environment", json!("moon")),
            400,
            json!({ "error": "source does not have a valid value, environment does not have a valid value" }),
        ),
        (with(start(), "merge_request_id", json!(4242)), 404, json!({ "message": "404 Not found" })),
        (
            with(start(), "goal", json!("x".repeat(65_537))),
            400,
            json!({ "message": "400 Bad request - [\"Goal is too long (maximum is 65536 characters)\"]" }),
        ),
        (
            with(consumer(718), "goal", json!("look at it")),
            400,
            json!({ "message": "400 Bad request - The goal for code reviews must be a merge request IID or a full merge request URL" }),
        ),
        (
            json!({ "project_id": "4021", "workflow_definition": "developer/v1", "ai_catalog_item_version_id": 1 }),
            404,
            json!({ "message": "404 Not found" }),
        ),
        (
            json!({ "project_id": "4021", "goal": "x".repeat(65_537) }),
            400,
            json!({ "message": { "goal": ["is too long (maximum is 65536 characters)"] } }),
        ),
    ];
    for (body, status, expected) in rows {
        let reply = create(&gitlab, body.clone()).await;
        assert_eq!(
            (reply.status, reply.json()),
            (status, expected),
            "{}",
            body.to_string().chars().take(200).collect::<String>()
        );
    }
    assert_eq!(gitlab.state(|world| world.sessions.len()), 0, "nothing was created");
    assert_eq!(gitlab.writes().len(), 19);
}

#[tokio::test]
async fn without_the_start_flag_nothing_starts() {
    let gitlab = gitlab().await;
    let reply = create(&gitlab, with(consumer(91), "start_workflow", json!(false))).await;
    assert_eq!((reply.status, reply.json()["id"].clone()), (201, Value::Null));
    let direct = json!({ "project_id": "4021", "workflow_definition": "developer/v1", "goal": "x" });
    let reply = create(&gitlab, direct).await;
    assert_eq!(reply.json()["workload"], json!({ "id": null, "message": null }));
    gitlab.advance(crate::client::seconds(1_000));
    assert_eq!(gitlab.state(|world| world.sessions[&750].status.clone()), "created");
}

#[tokio::test]
async fn a_definition_starts_without_item_version() {
    let gitlab = gitlab().await;
    let body = json!({
        "project_id": "example-group/backend", "workflow_definition": "made_up/v9", "goal": "x", "start_workflow": true,
        "agent_privileges": [1, 2, 3, 5], "pre_approved_agent_privileges": [1, 2, 3, 5], "environment": "web",
    });
    let reply = create(&gitlab, body).await.json();
    assert_eq!(reply["workflow_definition"], "made_up/v9", "unknown definitions are taken");
    assert_eq!(reply["agent_privileges"], json!([1, 2, 3, 5]));
    assert_eq!(reply["ai_catalog_item_version_id"], Value::Null);
    let body = json!({ "project_id": "4021", "agent_privileges": [3] });
    assert_eq!(create(&gitlab, body).await.status, 400, "1 and 2 are pre-approved by default");
    let body = json!({ "project_id": "4021", "agent_privileges": [99], "pre_approved_agent_privileges": [] });
    assert_eq!(create(&gitlab, body).await.status, 400);
}

#[tokio::test]
async fn a_group_session_can_be_created_and_not_started() {
    let gitlab = gitlab().await;
    let body = json!({ "namespace_id": "example-group", "goal": "x", "start_workflow": true });
    let reply = create(&gitlab, body).await;
    assert_eq!(
        (reply.status, reply.json()),
        (422, json!({ "message": "Only project-level workflow is supported" }))
    );
    assert_eq!(gitlab.state(|world| world.sessions[&750].namespace), Some(310), "it stays behind");
}

#[tokio::test]
async fn people_settings_and_credits_are_checked() {
    let gitlab = gitlab().await;
    gitlab.state(|world| world.settings.credits_available = false);
    let reply = create(&gitlab, consumer(91)).await;
    assert_eq!(reply.status, 403);
    assert!(reply.json()["message"].as_str().unwrap().contains("credits"));
    gitlab.state(|world| {
        world.settings.credits_available = true;
        world.users.get_mut(&88).unwrap().identity_verified = false;
    });
    let reply = create(&gitlab, consumer(91)).await.json();
    assert_eq!(
        reply["message"],
        "403 Forbidden - Identity verification is required to use GitLab Duo Agent Platform"
    );
    gitlab.state(|world| {
        world.users.get_mut(&88).unwrap().identity_verified = true;
        world.projects.get_mut(&4021).unwrap().remote_flows_enabled = false;
    });
    let reply = create(&gitlab, consumer(91)).await.json();
    assert_eq!(reply["message"], "400 Bad request - [\"Can not execute workflow in CI\"]");
    let reply = create(&gitlab, json!({ "project_id": "4050", "ai_catalog_item_consumer_id": 820, "goal": "x", "start_workflow": true })).await;
    assert_eq!(
        reply.json()["message"],
        "400 Bad request - [\"You have insufficient permissions\"]",
        "a guest"
    );
}

#[tokio::test]
async fn a_branch_that_is_not_there_becomes_the_default_branch() {
    let gitlab = gitlab().await;
    for (sent, used) in [("feature/rounding", "feature/rounding"), ("no-such-branch", "main")] {
        let reply = create(&gitlab, with(consumer(91), "source_branch", json!(sent))).await;
        let id = reply.json()["id"].as_i64().unwrap();
        let branches = gitlab.state(|world| {
            let session = &world.sessions[&id];
            (session.requested_branch.clone(), session.source_branch.clone())
        });
        assert_eq!(branches, (Some(sent.to_owned()), Some(used.to_owned())));
    }
}

#[tokio::test]
async fn from_19_5_gitlab_finds_branch_and_context_itself() {
    for (version, used) in [("19.4.0", "main"), ("19.5.0", "feature/rounding")] {
        let gitlab = FakeGitLab::builder().version(version).start().await.unwrap();
        let goal = format!("{}/example-group/backend/-/pipelines/50512", gitlab.url());
        let id =
            create(&gitlab, with(consumer(725), "goal", json!(goal))).await.json()["id"].as_i64().unwrap();
        assert_eq!(gitlab.state(|world| world.sessions[&id].source_branch.clone()).as_deref(), Some(used));
        let goal = format!("{}/example-group/backend/-/merge_requests/317/diffs", gitlab.url());
        let id =
            create(&gitlab, with(consumer(718), "goal", json!(goal))).await.json()["id"].as_i64().unwrap();
        let session = gitlab.state(|world| world.sessions[&id].clone());
        assert_eq!((session.goal.as_str(), session.source_branch.as_deref()), ("317", Some(used)));
    }
}

#[tokio::test]
async fn context_that_only_gitlab_may_send_is_dropped() {
    let gitlab = gitlab().await;
    let context = json!([
        { "Category": "agent_platform_standard_context", "Content": "{}" },
        { "Category": "pipeline", "Content": "{\"source_branch\":\"main\"}", "metadata": {} },
    ]);
    let id = create(&gitlab, with(consumer(725), "additional_context", context)).await.json()["id"]
        .as_i64()
        .unwrap();
    let kept = gitlab.state(|world| world.sessions[&id].additional_context.clone());
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0]["Category"], "pipeline");
}

#[tokio::test]
async fn the_mutation_creates_and_never_starts() {
    let gitlab = gitlab().await;
    let query = "mutation($input: AiDuoWorkflowCreateInput!) { aiDuoWorkflowCreate(input: $input) { errors workflow { id status } } }";
    let input = json!({ "projectId": "gid://gitlab/Project/4021", "goal": "x", "workflowDefinition": "developer/v1" });
    let answer = graphql(&gitlab, query, json!({ "input": input })).await;
    assert_eq!(answer["data"]["aiDuoWorkflowCreate"]["workflow"]["status"], "CREATED", "{answer}");
    gitlab.advance(crate::client::seconds(600));
    assert_eq!(gitlab.state(|world| world.sessions[&750].pipelines.len()), 0);
    let input = json!({ "projectId": "gid://gitlab/Project/4021", "goal": "x".repeat(70_000) });
    let answer = graphql(&gitlab, query, json!({ "input": input })).await;
    assert_eq!(
        answer["data"]["aiDuoWorkflowCreate"]["errors"],
        json!(["Goal is too long (maximum is 65536 characters)"])
    );
}

#[tokio::test]
async fn sessions_belong_to_whoever_started_them() {
    let gitlab = gitlab().await;
    gitlab.add_token(TokenSpec::new("colleague", 91, &["api"]));
    let reply = send_as(&gitlab, "POST", WORKFLOWS, &consumer(91), "colleague").await.unwrap();
    assert_eq!(reply.status, 201);
    assert_eq!(gitlab.state(|world| world.sessions[&750].user), 91);
    assert_eq!(gitlab.requests()[0].user.as_deref(), Some("otheruser"));
}
