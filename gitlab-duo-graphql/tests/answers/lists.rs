//! Pages of the caller's own sessions.

use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::model::status::{Status, StatusGroup};
use serde_json::{Value, json};

use crate::canned::{Canned, data, json_answer, list, project, with};

/// A row as 18.9 knows it.
fn row(id: u64, status: &str, more: &Value) -> Value {
    let base = json!({
        "id": format!("gid://gitlab/Ai::DuoWorkflows::Workflow/{id}"), "statusName": status, "humanStatus": status,
        "goal": "Seal the leaking valve", "workflowDefinition": "developer/v1", "agentName": "Developer",
        "createdAt": "2026-11-03T10:00:00Z", "updatedAt": "2026-11-03T10:04:30Z", "projectId": "gid://gitlab/Project/602",
        "project": {"id": "gid://gitlab/Project/602", "fullPath": "brass/pumps", "webUrl": "https://git.brass.test/brass/pumps"},
    });
    with(base, more)
}

fn shown(id: u64, status: &str, more: &Value) -> Value {
    let base = json!({
        "workflow_id": id.to_string(), "status": status, "goal": "Seal the leaking valve", "flow": "developer/v1",
        "project": "brass/pumps", "web_url": format!("https://git.brass.test/brass/pumps/-/automate/agent-sessions/{id}"),
        "created_at": "2026-11-03T10:00:00Z",
    });
    with(base, more)
}

fn page(rows: &[Value], next: Option<&str>) -> Value {
    json!({"nodes": rows, "pageInfo": {"hasNextPage": next.is_some(), "endCursor": next}})
}

async fn listed(version: &str, page: &Value, request: ListSessions) -> (Value, Vec<Value>) {
    let canned = Canned::of(version).await;
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", page));
    let view = list(&canned.gitlab(), request).await.unwrap();
    (view, canned.variables("list_sessions"))
}

#[tokio::test]
async fn a_page_of_19_x_shows_every_row_with_its_project_and_page() {
    let custom = json!({"workflowDefinition": "ai_catalog_agent", "agentName": "Plumber", "goal": "g".repeat(161),
        "webUrl": "https://git.brass.test/elsewhere/-/automate/agent-sessions/8"});
    let bare =
        json!({"projectId": null, "project": null, "webUrl": null, "workflowDefinition": "duo_planner/v1"});
    let rows = [
        row(9, "running", &json!({})),
        row(8, "plan_approval_required", &custom),
        Value::Null,
        row(7, "failed", &bare),
    ];
    let (view, sent) = listed("19.5.0-ee", &page(&rows, Some("NA")), ListSessions::default()).await;
    let custom = json!({"flow": "ai_catalog_agent", "agent": "Plumber", "goal": "g".repeat(160), "goal_truncated": true,
        "goal_chars": 161, "web_url": "https://git.brass.test/elsewhere/-/automate/agent-sessions/8"});
    let bare = json!({"project": null, "web_url": null, "flow": "duo_planner/v1"});
    let expected = json!({
        "sessions": [shown(9, "running", &json!({})), shown(8, "plan_approval_required", &custom), shown(7, "failed", &bare)],
        "pageInfo": {"hasNextPage": true, "endCursor": "NA"},
    });
    assert_eq!(view, expected);
    assert_eq!(sent, [json!({"first": 20})]);
}

#[tokio::test]
async fn a_page_of_18_9_is_as_good_where_the_list_goes() {
    let rows = [row(9, "running", &json!({}))];
    let (view, _) = listed("18.9.1-ee", &page(&rows, None), ListSessions::default()).await;
    let expected = json!({"sessions": [shown(9, "running", &json!({}))], "pageInfo": {"hasNextPage": false, "endCursor": null}});
    assert_eq!(view, expected);
}

#[tokio::test]
async fn no_session_is_an_empty_list_and_no_error() {
    let (view, _) = listed("19.5.0-ee", &page(&[], None), ListSessions::default()).await;
    assert_eq!(view, json!({"sessions": [], "pageInfo": {"hasNextPage": false, "endCursor": null}}));
}

#[tokio::test]
async fn filters_and_cursor_go_to_gitlab_as_they_are() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.rest(
        "GET",
        "/api/v4/projects/602",
        json_answer(200, &json!({"id": 602, "path_with_namespace": "brass/pumps"})),
    );
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
    let request = ListSessions {
        project: Some(project()),
        statuses: vec![Status::Failed, Status::InputRequired],
        first: PageSize::new(5).unwrap(),
        after: Some(Cursor::received("MjA".to_owned())),
        ..ListSessions::default()
    };
    list(&canned.gitlab(), request).await.unwrap();
    let sent = json!({"projectPath": "brass/pumps", "statuses": ["FAILED", "INPUT_REQUIRED"], "first": 5, "after": "MjA"});
    assert_eq!(canned.variables("list_sessions"), [sent]);
    let request = ListSessions { status_group: Some(StatusGroup::AwaitingInput), ..ListSessions::default() };
    list(&canned.gitlab(), request).await.unwrap();
    assert_eq!(canned.variables("list_sessions")[1], json!({"statusGroup": "AWAITING_INPUT", "first": 20}));
}

#[tokio::test]
async fn an_argument_that_gitlab_refuses_is_applied_here_and_said_so() {
    let refusal = json!({"errors": [{"message": "Field 'duoWorkflowWorkflows' doesn't accept argument 'statuses'",
        "path": ["query", "duoWorkflowWorkflows", "statuses"], "extensions": {"code": "argumentNotAccepted",
        "name": "duoWorkflowWorkflows", "typeName": "Field", "argumentName": "statuses"}}]});
    let rows = [row(9, "running", &json!({})), row(8, "failed", &json!({}))];
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql_once("list_sessions", json_answer(200, &refusal));
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&rows, None)));
    let request = || ListSessions { statuses: vec![Status::Failed], ..ListSessions::default() };
    let gitlab = canned.gitlab();
    let expected = json!({"sessions": [shown(8, "failed", &json!({}))], "filtered_here": ["statuses"],
        "pageInfo": {"hasNextPage": false, "endCursor": null}});
    assert_eq!(list(&gitlab, request()).await.unwrap(), expected);
    assert_eq!(list(&gitlab, request()).await.unwrap(), expected);
    // The refused document is sent once, and the value of the refused argument with it alone.
    let statuses: Vec<_> =
        canned.variables("list_sessions").iter().map(|sent| sent["statuses"].clone()).collect();
    assert_eq!(statuses, [json!(["FAILED"]), Value::Null, Value::Null]);
}
