//! Every release refuses what it does not have, in GitLab's own words.

use crate::client::{WORKFLOWS, get, graphql, send};
use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};

async fn gitlab(version: &str) -> FakeGitLab {
    FakeGitLab::builder().version(version).with_example_sessions().start().await.unwrap()
}

#[tokio::test]
async fn metadata_says_the_version() {
    let gitlab = gitlab("18.9.2-ee").await;
    let metadata = get(&gitlab, "/api/v4/metadata").await.json();
    assert_eq!(metadata["version"], "18.9.2-ee");
    assert_eq!(metadata["kas"]["version"], "18.9.2");
    assert_eq!(get(&gitlab, "/api/v4/version").await.json(), metadata);
    let answer = graphql(&gitlab, "{ metadata { version enterprise } }", Value::Null).await;
    assert_eq!(answer, json!({ "data": { "metadata": { "version": "18.9.2-ee", "enterprise": true } } }));
}

#[tokio::test]
async fn an_unknown_field_spoils_the_whole_answer() {
    let gitlab = gitlab("18.9.0-ee").await;
    let query = "{ metadata { version } duoWorkflowWorkflows { nodes { webUrl } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let error = json!({
        "message": "Field 'webUrl' doesn't exist on type 'DuoWorkflow'",
        "locations": [{ "line": 1, "column": 55 }],
        "path": ["query", "duoWorkflowWorkflows", "nodes", "webUrl"],
        "extensions": { "code": "undefinedField", "typeName": "DuoWorkflow", "fieldName": "webUrl" },
    });
    assert_eq!(answer, json!({ "errors": [error] }));
}

#[tokio::test]
async fn an_unknown_argument_spoils_the_whole_answer() {
    let gitlab = gitlab("19.4.1-ee").await;
    let answer = graphql(
        &gitlab,
        "query Q { duoWorkflowWorkflows(statuses: [RUNNING]) { nodes { id } } }",
        Value::Null,
    )
    .await;
    let error = json!({
        "message": "Field 'duoWorkflowWorkflows' doesn't accept argument 'statuses'",
        "locations": [{ "line": 1, "column": 32 }],
        "path": ["query Q", "duoWorkflowWorkflows", "statuses"],
        "extensions": {
            "code": "argumentNotAccepted", "name": "duoWorkflowWorkflows", "typeName": "Field",
            "argumentName": "statuses",
        },
    });
    assert_eq!(answer, json!({ "errors": [error] }));
}

#[tokio::test]
async fn the_oldest_release_that_accepts_a_field() {
    let sessions = |fields: &str| format!("{{ duoWorkflowWorkflows(first: 5) {{ nodes {{ {fields} }} }} }}");
    for (query, refuses, accepts) in [
        (sessions("statusName"), "18.4.0", "18.5.0"),
        (sessions("statusGroup"), "18.5.0", "18.7.0"),
        (sessions("agentName"), "18.7.0", "18.9.0"),
        (sessions("userPermissions { resumeDuoWorkflow }"), "18.9.0", "19.3.0"),
        (sessions("pipelineLinks { nodes { linkType } }"), "19.3.0", "19.4.0"),
        (sessions("userPermissions { restartDuoWorkflow }"), "19.4.0", "19.5.0"),
        ("{ aiFoundationalChatAgents { nodes { id } } }".to_owned(), "18.6.0", "18.7.0"),
    ] {
        let old = graphql(&gitlab(refuses).await, &query, Value::Null).await;
        assert_eq!(old["errors"][0]["extensions"]["code"], "undefinedField", "{refuses} {query}");
        let new = graphql(&gitlab(accepts).await, &query, Value::Null).await;
        assert_eq!(new.get("errors"), None, "{accepts} {query}");
    }
}

#[tokio::test]
async fn a_prerelease_has_the_schema_of_the_release_before() {
    let query = "{ duoWorkflowWorkflows(statuses: [RUNNING]) { nodes { id } } }";
    let before = graphql(&gitlab("19.5.0-pre").await, query, Value::Null).await;
    assert_eq!(before["errors"][0]["extensions"]["code"], "argumentNotAccepted");
    let builder = FakeGitLab::builder().version("19.5.0-pre").playing(19, 5);
    let told = graphql(&builder.start().await.unwrap(), query, Value::Null).await;
    assert_eq!(told.get("errors"), None);
}

#[tokio::test]
async fn what_is_tagged_as_newer_comes_as_null() {
    let query = "{ duoWorkflowWorkflows(workflowId: \"gid://gitlab/Ai::DuoWorkflows::Workflow/736\") { nodes { statusName webUrl @gl_introduced(version: \"19.3.0\") } } }";
    let answer = graphql(&gitlab("18.9.0").await, query, Value::Null).await;
    let node = &answer["data"]["duoWorkflowWorkflows"]["nodes"][0];
    assert_eq!(node["webUrl"], Value::Null);
    assert!(node.as_object().unwrap().contains_key("webUrl"));
    let answer = graphql(&gitlab("18.7.0").await, query, Value::Null).await;
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("webUrl"), "{answer}");
    let answer = graphql(&gitlab("19.3.0").await, query, Value::Null).await;
    assert!(answer["data"]["duoWorkflowWorkflows"]["nodes"][0]["webUrl"].is_string());
}

#[tokio::test]
async fn resume_is_no_route_before_19_3() {
    for (version, status) in [("18.9.0", 404), ("19.2.0", 404), ("19.3.0", 201)] {
        let gitlab = gitlab(version).await;
        let reply =
            send(&gitlab, "POST", &format!("{WORKFLOWS}/736/resume"), &json!({ "human_approval": true }))
                .await;
        assert_eq!(reply.status, status, "{version} {}", reply.text);
        if status == 404 {
            assert_eq!(reply.json(), json!({ "error": "404 Not Found" }));
        }
    }
}

#[tokio::test]
async fn before_18_7_a_consumer_is_silently_ignored() {
    let gitlab = gitlab("18.6.0").await;
    let body = json!({ "project_id": "4021", "ai_catalog_item_consumer_id": 91, "goal": "x", "start_workflow": true });
    let session = send(&gitlab, "POST", WORKFLOWS, &body).await.json();
    assert_eq!(session["workflow_definition"], "software_development");
    assert_eq!(session["ai_catalog_item_version_id"], Value::Null);
}

#[tokio::test]
async fn the_community_edition_has_no_duo() {
    let gitlab = FakeGitLab::builder().community_edition().start().await.unwrap();
    let answer = graphql(&gitlab, "{ duoWorkflowWorkflows { nodes { id } } }", Value::Null).await;
    assert_eq!(answer["errors"][0]["extensions"]["typeName"], "Query");
    assert_eq!(
        send(&gitlab, "POST", WORKFLOWS, &json!({})).await.json(),
        json!({ "error": "404 Not Found" })
    );
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.json()["enterprise"], false);
}
