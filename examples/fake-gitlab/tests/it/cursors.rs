//! Pages and cursors of GraphQL lists.

use crate::client::graphql;
use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::builder().with_example_sessions().start().await.unwrap()
}

const SESSIONS: &str =
    "query($first: Int, $after: String) { duoWorkflowWorkflows(first: $first, after: $after) {
    nodes { id } pageInfo { hasNextPage endCursor } } }";

const CATALOG: &str = "query($first: Int, $after: String) {
    aiCatalogConfiguredItems(projectId: \"gid://gitlab/Project/4021\", first: $first, after: $after) {
        nodes { id enabled } pageInfo { hasNextPage endCursor } } }";

async fn page(
    gitlab: &FakeGitLab,
    query: &str,
    field: &str,
    after: Value,
    first: i64,
) -> (Vec<String>, Value, bool) {
    let answer = graphql(gitlab, query, json!({ "first": first, "after": after })).await;
    let list = &answer["data"][field];
    let ids = list["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap().rsplit('/').next().unwrap().to_owned());
    (ids.collect(), list["pageInfo"]["endCursor"].clone(), list["pageInfo"]["hasNextPage"] == true)
}

async fn all(gitlab: &FakeGitLab, query: &str, field: &str, first: i64) -> Vec<String> {
    let (mut rows, mut after) = (Vec::new(), Value::Null);
    loop {
        let (ids, cursor, more) = page(gitlab, query, field, after, first).await;
        rows.extend(ids);
        if !more {
            return rows;
        }
        after = cursor;
    }
}

#[tokio::test]
async fn sessions_are_paged_by_offset() {
    let gitlab = gitlab().await;
    let (ids, cursor, more) = page(&gitlab, SESSIONS, "duoWorkflowWorkflows", Value::Null, 4).await;
    assert_eq!(ids, ["749", "748", "746", "745"], "own sessions only, newest first");
    assert_eq!((cursor, more), (json!("NA"), true));
    assert_eq!(all(&gitlab, SESSIONS, "duoWorkflowWorkflows", 4).await.len(), 15);
}

#[tokio::test]
async fn a_new_session_shifts_the_pages() {
    let gitlab = gitlab().await;
    let (first, cursor, _) = page(&gitlab, SESSIONS, "duoWorkflowWorkflows", Value::Null, 2).await;
    crate::client::start(&gitlab, 91).await;
    let (second, ..) = page(&gitlab, SESSIONS, "duoWorkflowWorkflows", cursor, 2).await;
    assert_eq!(second[0], first[1], "one row comes twice");
}

#[tokio::test]
async fn the_catalog_is_paged_by_key() {
    let gitlab = gitlab().await;
    let (ids, cursor, _) = page(&gitlab, CATALOG, "aiCatalogConfiguredItems", Value::Null, 3).await;
    assert_eq!(ids, ["731", "729", "725"]);
    assert_eq!(cursor, "eyJjb25zdW1lcl9wcmlvcml0eSI6IjMiLCJpZCI6IjcyNSJ9");
    let rows = all(&gitlab, CATALOG, "aiCatalogConfiguredItems", 3).await;
    assert_eq!(
        rows,
        ["731", "729", "725", "723", "718", "91", "90", "88", "86", "84", "79", "78", "77", "60", "59", "55"]
    );
}

#[tokio::test]
async fn bad_cursors_are_refused_or_read_as_the_start() {
    let gitlab = gitlab().await;
    let answer = graphql(&gitlab, CATALOG, json!({ "after": "MjA" })).await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(answer["errors"][0]["message"], "Please provide a valid cursor");
    assert_eq!(answer["errors"][0]["path"], json!(["aiCatalogConfiguredItems", "nodes"]));
    let answer = graphql(&gitlab, SESSIONS, json!({ "after": "not base64!" })).await;
    assert!(answer["errors"].is_array());
    let (ids, ..) = page(&gitlab, SESSIONS, "duoWorkflowWorkflows", json!("Zm9v"), 1).await;
    assert_eq!(ids, ["749"]);
}

#[tokio::test]
async fn inherited_and_made_up_rows_come_on_request() {
    let gitlab = gitlab().await;
    let query = "{ aiCatalogConfiguredItems(projectId: \"gid://gitlab/Project/4021\", includeInherited: true, includeFoundationalConsumers: true) {
        count nodes { id consumerKind item { __typename id itemType } group { fullPath } } } }";
    let answer = graphql(&gitlab, query, Value::Null).await;
    let nodes = answer["data"]["aiCatalogConfiguredItems"]["nodes"].as_array().unwrap();
    let row = |id: &str| {
        nodes
            .iter()
            .find(|node| node["id"] == format!("gid://gitlab/Ai::Catalog::ItemConsumer/{id}"))
            .unwrap()
    };
    assert_eq!(row("80")["group"]["fullPath"], "example-group");
    assert_eq!(row("-3")["item"]["id"], "gid://gitlab/Ai::FoundationalChatAgent/duo_planner-v1");
    assert_eq!(row("55")["item"], Value::Null);
    assert_eq!(nodes.len(), 18);
}
