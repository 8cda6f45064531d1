//! What GraphQL answers and refuses beside versions and pages.

use crate::client::{graphql, send};
use fake_gitlab::FakeGitLab;
use fake_gitlab::world::Message;
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::builder().with_example_sessions().start().await.unwrap()
}

async fn ids(gitlab: &FakeGitLab, arguments: &str) -> Vec<String> {
    let query = format!("{{ duoWorkflowWorkflows({arguments}) {{ nodes {{ id }} }} }}");
    let answer = graphql(gitlab, &query, Value::Null).await;
    let nodes = answer["data"]["duoWorkflowWorkflows"]["nodes"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .clone();
    nodes.iter().map(|node| node["id"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn sessions_are_filtered() {
    let gitlab = gitlab().await;
    assert_eq!(ids(&gitlab, "statusGroup: AWAITING_INPUT").await, ["743", "742", "741", "736"]);
    assert_eq!(ids(&gitlab, "statuses: [PLAN_APPROVAL_REQUIRED, PAUSED]").await, ["741", "732"]);
    assert_eq!(ids(&gitlab, "type: \"foundational_chat_agents\"").await, ["748"]);
    assert_eq!(ids(&gitlab, "type: \"developer/v1\", excludeTypes: [\"developer/v1\"]").await.len(), 0);
    assert_eq!(ids(&gitlab, "projectPath: \"acme/platform/tools/api\"").await.len(), 0);
    assert_eq!(ids(&gitlab, "projectPath: \"nobody/nothing\"").await.len(), 0);
    assert_eq!(ids(&gitlab, "projectId: \"gid://gitlab/Project/4021\"").await.len(), 14);
    assert_eq!(ids(&gitlab, "ids: [\"gid://gitlab/Ai::DuoWorkflows::Workflow/733\"]").await, ["733"]);
    assert_eq!(ids(&gitlab, "ids: []").await.len(), 0);
    assert_eq!(ids(&gitlab, "search: \"739 735\"").await, ["735"]);
    assert_eq!(ids(&gitlab, "sort: CREATED_ASC, first: 1").await, ["730"]);
    let both = graphql(
        &gitlab,
        "{ duoWorkflowWorkflows(statusGroup: FAILED, statuses: [FAILED]) { nodes { id } } }",
        Value::Null,
    )
    .await;
    assert!(both["errors"].is_array());
}

#[tokio::test]
async fn an_unknown_or_foreign_session_is_an_error() {
    let gitlab = gitlab().await;
    gitlab.state(|world| world.session_mut(747).unwrap().project = Some(6001));
    let query = |id: i64| {
        format!(
            "{{ duoWorkflowWorkflows(workflowId: \"gid://gitlab/Ai::DuoWorkflows::Workflow/{id}\") {{ nodes {{ id }} }} }}"
        )
    };
    for id in [4_000, 747] {
        let answer = graphql(&gitlab, &query(id), Value::Null).await;
        assert_eq!(answer["data"], json!({ "duoWorkflowWorkflows": null }));
        assert_eq!(answer["errors"][0]["message"], "Workflow not found");
        assert_eq!(answer["errors"][0]["extensions"], json!({ "code": "WORKFLOW_NOT_FOUND" }));
        assert_eq!(answer["errors"][0]["path"], json!(["duoWorkflowWorkflows"]));
    }
    let again = graphql(&gitlab, &query(747), Value::Null).await;
    assert_eq!(again["errors"][0]["message"], "Too many requests.");
}

#[tokio::test]
async fn the_project_lists_ci_sessions_of_everybody() {
    let gitlab = gitlab().await;
    let query = "{ project(fullPath: \"example-group/backend\") { duoWorkflowWorkflows(first: 3) { nodes { id userPermissions { updateDuoWorkflow } } } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let nodes = &answer["data"]["project"]["duoWorkflowWorkflows"]["nodes"];
    assert_eq!(nodes[0]["id"], "gid://gitlab/Ai::DuoWorkflows::Workflow/747");
    assert_eq!(nodes[0]["userPermissions"]["updateDuoWorkflow"], false);
}

#[tokio::test]
async fn twenty_pinned_versions_and_no_more() {
    let gitlab = gitlab().await;
    gitlab.state(|world| {
        for id in 100..115 {
            world.add_consumer(fake_gitlab::world::Consumer::of_project(id, 3091, 4021));
        }
    });
    let query = "{ aiCatalogConfiguredItems(projectId: \"gid://gitlab/Project/4021\") { nodes { id pinnedItemVersion { versionName } } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let nodes = answer["data"]["aiCatalogConfiguredItems"]["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 31, "data is kept");
    assert_eq!(answer["errors"].as_array().unwrap().len(), 11);
    assert_eq!(
        answer["errors"][0]["path"],
        json!(["aiCatalogConfiguredItems", "nodes", 20, "pinnedItemVersion"])
    );
}

#[tokio::test]
async fn a_project_tells_whether_flows_can_run() {
    let gitlab = gitlab().await;
    let query = "query($path: ID!) { project(fullPath: $path) { duoWorkflowRunnerAvailable duoWorkflowUsableRunnerType
        duoWorkflowStatusCheck { enabled createDuoWorkflowForCiAllowed enabledFoundationalFlows checks { name value message } } }
        gitlabCreditsAvailable gitlabCreditsUnavailableReason }";
    let answer = graphql(&gitlab, query, json!({ "path": "example-group/backend" })).await;
    let check = &answer["data"]["project"]["duoWorkflowStatusCheck"];
    assert_eq!(
        (check["enabled"].clone(), check["createDuoWorkflowForCiAllowed"].clone()),
        (json!(true), json!(true))
    );
    assert_eq!(answer["data"]["gitlabCreditsAvailable"], true);
    let answer = graphql(&gitlab, query, json!({ "path": "example-group/read-only" })).await;
    let check = &answer["data"]["project"]["duoWorkflowStatusCheck"];
    assert_eq!((check["enabled"].clone(), check["checks"][1]["value"].clone()), (json!(false), json!(false)));
    let answer = graphql(&gitlab, query, json!({ "path": "secret-group/vault" })).await;
    assert_eq!(answer["data"]["project"], Value::Null);
}

#[tokio::test]
async fn foundational_agents_are_listed() {
    let gitlab = gitlab().await;
    let query = "{ aiFoundationalChatAgents(projectId: \"gid://gitlab/Project/4021\", first: 100) { nodes { name referenceWithVersion } pageInfo { endCursor } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let list = &answer["data"]["aiFoundationalChatAgents"];
    assert_eq!(list["nodes"].as_array().unwrap().len(), 10);
    assert_eq!(list["pageInfo"]["endCursor"], "MTA");
    let query = query.replace("4021", "6001");
    let answer = graphql(&gitlab, &query, Value::Null).await;
    assert_eq!(answer["data"]["aiFoundationalChatAgents"]["nodes"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_group_session_has_no_project_and_no_page() {
    let gitlab = gitlab().await;
    let query =
        "{ duoWorkflowWorkflows(workflowId: \"gid://gitlab/Ai::DuoWorkflows::Workflow/749\") { nodes {
        project { id } namespace { fullPath } webUrl allExecutorLogsUrls } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let expected = json!({
        "project": null, "namespace": { "fullPath": "example-group" }, "webUrl": null, "allExecutorLogsUrls": [],
    });
    assert_eq!(answer["data"]["duoWorkflowWorkflows"]["nodes"][0], expected, "{answer}");
}

#[tokio::test]
async fn statuses_of_the_future_come_as_they_are() {
    let gitlab = gitlab().await;
    let query = "{ duoWorkflowWorkflows(ids: [\"gid://gitlab/Ai::DuoWorkflows::Workflow/744\", \"gid://gitlab/Ai::DuoWorkflows::Workflow/745\"]) { nodes { status statusName statusGroup } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    assert_eq!(
        answer["data"]["duoWorkflowWorkflows"]["nodes"],
        json!([
            { "status": "COMPACTING", "statusName": "compacting", "statusGroup": null },
            { "status": "IDLE", "statusName": "idle", "statusGroup": "COMPLETED" },
        ]),
        "{answer}"
    );
}

#[tokio::test]
async fn heavy_deep_and_long_queries_are_refused() {
    let gitlab = gitlab().await;
    let events = "latestCheckpoint { duoMessages { content messageType status toolInfo timestamp role messageId componentName } }";
    let links = "links: mergeRequestLinks { nodes { linkType mergeRequest { iid title state webUrl } } }";
    let many: String = (0..8).map(|index| links.replace("links:", &format!("l{index}:"))).collect();
    let query = format!("{{ duoWorkflowWorkflows {{ nodes {{ {events} {many} }} }} }}");
    let answer = graphql(&gitlab, &query, Value::Null).await;
    let message = answer["errors"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("Query has complexity of ")
            && message.ends_with(", which exceeds max complexity of 250"),
        "{answer}"
    );

    let deep = format!(
        "{{ project(fullPath: \"x\") {}name{} }}",
        "{ mergeRequest(iid: \"1\") { project ".repeat(11) + "{ ",
        " }".repeat(23)
    );
    let answer = graphql(&gitlab, &deep, Value::Null).await;
    assert_eq!(answer["errors"][0]["message"], "Query has depth of 24, which exceeds max depth of 20");

    let long = format!("{{ metadata {{ version }} }} # {}", "x".repeat(10_000));
    let reply = send(&gitlab, "POST", "/api/graphql", &json!({ "query": long })).await;
    assert_eq!((reply.status, reply.json()), (422, json!({ "errors": [{ "message": "Query too large" }] })));
}

#[tokio::test]
async fn introspection_is_useless() {
    let gitlab = gitlab().await;
    let reply =
        send(&gitlab, "POST", "/api/graphql", &json!({ "query": "{ __schema { queryType { name } } }" }))
            .await;
    assert!(reply.text.len() > 4 << 20);
    let body =
        json!({ "query": "query Look { __type(name: \"DuoWorkflow\") { name } }", "operationName": "Look" });
    assert!(send(&gitlab, "POST", "/api/graphql", &body).await.json()["errors"].is_array());
}

#[tokio::test]
async fn global_ids_must_fit() {
    let gitlab = gitlab().await;
    let query = "query($id: ProjectID!) { aiCatalogConfiguredItems(projectId: $id) { nodes { id } } }";
    for id in ["4021", "gid://gitlab/Group/4021"] {
        let answer = graphql(&gitlab, query, json!({ "id": id })).await;
        assert_eq!(
            answer["errors"][0]["message"],
            "Variable $id of type ProjectID! was provided invalid value"
        );
        assert_eq!(answer.get("data"), None);
    }
}

#[tokio::test]
async fn raw_fields_can_be_laid_over_a_session() {
    let gitlab = gitlab().await;
    gitlab.state(|world| {
        let session = world.session_mut(733).unwrap();
        session.graphql.insert("goal".to_owned(), json!("x".repeat(900_000)));
        session.messages = Some((0..3_000).map(|index| Message::agent(&index.to_string())).collect());
    });
    let query = "{ duoWorkflowWorkflows(workflowId: \"gid://gitlab/Ai::DuoWorkflows::Workflow/733\") { nodes { goal latestCheckpoint { duoMessages { content } } } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let node = &answer["data"]["duoWorkflowWorkflows"]["nodes"][0];
    assert_eq!(node["goal"].as_str().unwrap().len(), 900_000);
    assert_eq!(node["latestCheckpoint"]["duoMessages"].as_array().unwrap().len(), 3_000);
}

#[tokio::test]
async fn events_come_one_by_one_newest_first() {
    let gitlab = gitlab().await;
    let query = "query($first: Int) { duoWorkflowEvents(workflowId: \"gid://gitlab/Ai::DuoWorkflows::Workflow/736\", first: $first) { nodes { workflowStatus duoMessages { content } } pageInfo { hasNextPage } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let list = &answer["data"]["duoWorkflowEvents"];
    assert_eq!(list["nodes"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(list["nodes"][0]["workflowStatus"], "INPUT_REQUIRED");
    let answer = graphql(&gitlab, query, json!({ "first": 10 })).await;
    assert_eq!(answer["data"]["duoWorkflowEvents"]["nodes"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn the_log_knows_what_was_asked() {
    let gitlab = gitlab().await;
    let query =
        "query Both { metadata { version } ...More } fragment More on Query { currentUser { username } }";
    send(&gitlab, "POST", "/api/graphql", &json!({ "query": query, "operationName": "Both" })).await;
    let logged = gitlab.requests().pop().unwrap();
    assert_eq!(logged.graphql_root_fields, ["metadata", "currentUser"]);
    assert_eq!(logged.operation_name.as_deref(), Some("Both"));
    assert_eq!((logged.outcome.status, logged.outcome.executed), (Some(200), true));
    assert_eq!(gitlab.writes().len(), 0);
    gitlab.clear_log();
    assert!(gitlab.requests().is_empty());
}
