//! Starts: what GitLab is sent, and what becomes of its answers.

use serde_json::{Value, json};

use crate::canned::{Canned, agent, consumer, data, flow, json_answer, start, start_of, with};
use crate::catalog::{self, foundational, furnish, page, row, set_agents};
use gitlab_duo_core::model::selector::Selector;

/// The small entity of an accepted start.
fn entity(more: &Value) -> Value {
    let base = json!({
        "id": 90, "project_id": 602, "namespace_id": null, "agent_privileges": [1, 2], "agent_privileges_names": ["read_write_files"],
        "workflow_definition": "ai_catalog_agent", "status": "created", "summary": null, "title": "Plumber", "image": null,
        "environment": "web", "ai_catalog_item_version_id": 9007, "workload": {"id": 7001, "message": null},
        "mcp_enabled": false, "gitlab_url": "https://git.brass.test",
    });
    with(base, more)
}

fn started(more: &Value) -> Value {
    let base = json!({"workflow_id": "90", "status": "created", "flow": "ai_catalog_agent", "poll_after_seconds": 120,
        "workload_id": "7001", "web_url": "https://git.brass.test/brass/pumps/-/automate/agent-sessions/90"});
    with(base, more)
}

fn without_workload(more: &Value) -> Value {
    let mut view = started(more);
    view.as_object_mut().unwrap().remove("workload_id");
    view
}

/// A GitLab where this is enabled, and no session was started before.
fn set_offer(canned: &Canned) {
    let plumber = row(27, "Plumber", "FLOW", &json!({}));
    canned.graphql("catalog_consumer", data("aiCatalogItemConsumer", &plumber));
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
    set_agents(canned, &[catalog::agent("Planner", "duo_planner", "v1")]);
    let rows = [
        foundational(31, "fix_pipeline/v1", &json!({})),
        foundational(30, "code_review/v1", &json!({})),
        foundational(29, "developer/v1", &json!({})),
        plumber,
    ];
    furnish(canned, &page(&rows, None));
}

/// What is told of the start, and the body that was sent.
async fn check(selector: Selector, answer: &Value, view: Value, body: Value) {
    let canned = Canned::of("19.5.0-ee").await;
    set_offer(&canned);
    canned.write(json_answer(201, answer));
    assert_eq!(start(&canned.gitlab(), start_of(selector)).await, Ok(view));
    assert_eq!(canned.writes(), [body]);
}

fn body(more: &Value) -> Value {
    with(json!({"project_id": "602", "goal": "Seal the leaking valve", "start_workflow": true}), more)
}

#[tokio::test]
async fn a_custom_flow_is_started_by_its_consumer() {
    let sent = body(&json!({"ai_catalog_item_consumer_id": 27}));
    check(consumer(27), &entity(&json!({})), started(&json!({})), sent).await;
}

#[tokio::test]
async fn a_foundational_flow_is_started_by_the_projects_consumer_so_that_it_can_be_answered() {
    let answer = entity(&json!({"workflow_definition": "developer/v1", "title": "developer/v1"}));
    let sent = body(&json!({"ai_catalog_item_consumer_id": 29}));
    check(flow("developer/v1"), &answer, started(&json!({"flow": "developer/v1"})), sent).await;
}

#[tokio::test]
async fn an_agent_is_started_by_its_reference_with_version_in_the_ambient_environment() {
    let answer = entity(
        &json!({"workflow_definition": "duo_planner/v1", "environment": "ambient", "ai_catalog_item_version_id": null}),
    );
    let sent = body(&json!({"workflow_definition": "duo_planner/v1", "environment": "ambient"}));
    let view = started(&json!({"flow": "duo_planner/v1"}));
    check(agent("duo_planner/v1"), &answer, view.clone(), sent.clone()).await;
    check(agent("duo_planner"), &answer, view, sent).await;
}

#[tokio::test]
async fn the_shape_of_the_documentation_and_gitlabs_own_message_are_taken() {
    let answer = entity(
        &json!({"status": "running", "workload": {"id": "abc-9", "message": "No runner takes this job yet"}}),
    );
    let view = started(
        &json!({"status": "running", "poll_after_seconds": 30, "message": "No runner takes this job yet", "workload_id": "abc-9"}),
    );
    check(consumer(27), &answer, view, body(&json!({"ai_catalog_item_consumer_id": 27}))).await;
}

#[tokio::test]
async fn a_session_without_workload_is_told_with_gitlabs_message() {
    let answer = entity(&json!({"workload": {"id": null, "message": null}}));
    let sent = || body(&json!({"ai_catalog_item_consumer_id": 27}));
    check(consumer(27), &answer, without_workload(&json!({})), sent()).await;
    let answer = entity(&json!({"workload": {"id": null, "message": "Can not execute workflow in CI"}}));
    check(
        consumer(27),
        &answer,
        without_workload(&json!({"message": "Can not execute workflow in CI"})),
        sent(),
    )
    .await;
    let answer = json!({"id": "90", "workload": null});
    let view = without_workload(&json!({"status": null, "flow": null, "poll_after_seconds": null}));
    check(consumer(27), &answer, view, sent()).await;
}

/// A start of a URL-targeted flow. `page` is below the project, `lookups` are the answers to its look-ups.
async fn target(
    version: &str,
    reference: &str,
    page: &str,
    lookups: &[(&str, Value)],
) -> (Canned, Result<Value, Value>) {
    let canned = Canned::of(version).await;
    for (path, answer) in lookups {
        canned.rest("GET", &format!("/api/v4/projects/602/{path}"), json_answer(200, answer));
    }
    set_offer(&canned);
    canned.write(json_answer(201, &entity(&json!({"workflow_definition": reference}))));
    let url = format!("{}/brass/pumps/-/{page}", canned.fake.url());
    let request = gitlab_duo_core::actions::start_session::StartSession {
        goal: None,
        url: Some(url),
        ..start_of(flow(reference))
    };
    let outcome = start(&canned.gitlab(), request).await;
    (canned, outcome)
}

fn pipeline(git_ref: &str, more: &Value) -> Value {
    let base = json!({"id": 88, "iid": 5, "project_id": 602, "sha": "0c0c", "ref": git_ref, "status": "failed", "source": "push",
        "tag": false, "user": {"id": 12}});
    with(base, more)
}

fn merge_request(iid: u64, more: &Value) -> Value {
    let base = json!({"id": 900 + iid, "iid": iid, "project_id": 602, "state": "opened", "source_branch": "seat/bent",
        "target_branch": "main", "source_project_id": 602, "target_project_id": 602, "author": {"id": 12, "username": "ada"},
        "web_url": format!("https://git.brass.test/brass/pumps/-/merge_requests/{iid}")});
    with(base, more)
}

/// The one body that was sent, the JSON inside its texts read.
fn sent(canned: &Canned) -> Value {
    let mut bodies = canned.writes();
    assert_eq!(bodies.len(), 1);
    let mut body = bodies.remove(0);
    for entry in body.get_mut("additional_context").and_then(Value::as_array_mut).into_iter().flatten() {
        entry["Content"] = serde_json::from_str(entry["Content"].as_str().unwrap()).unwrap();
    }
    body
}

fn entry(category: &str, content: &Value) -> Value {
    json!({"Category": category, "Content": content, "metadata": {"version": "1.0.0"}})
}

fn of_merge_request(iid: u64) -> Value {
    let url = format!("https://git.brass.test/brass/pumps/-/merge_requests/{iid}");
    entry("merge_request", &json!({"url": url, "author_id": "12"}))
}

fn fix_body(canned: &Canned, branch: &str, context: &[Value]) -> Value {
    json!({"project_id": "602", "ai_catalog_item_consumer_id": 31, "start_workflow": true, "source_branch": branch,
        "goal": format!("{}/brass/pumps/-/pipelines/88", canned.fake.url()), "additional_context": context})
}

#[tokio::test]
async fn below_19_5_a_pipeline_of_a_merge_request_is_sent_with_its_branch_and_context() {
    let of_mr = pipeline("refs/merge-requests/44/head", &json!({"source": "merge_request_event"}));
    let lookups = [("pipelines/88", of_mr), ("merge_requests/44", merge_request(44, &json!({})))];
    let (canned, outcome) = target("19.4.0-ee", "fix_pipeline/v1", "pipelines/88", &lookups).await;
    assert_eq!(outcome, Ok(started(&json!({"flow": "fix_pipeline/v1"}))));
    let source = entry("pipeline", &json!({"source_branch": "seat/bent", "source": "merge_request_event"}));
    assert_eq!(sent(&canned), fix_body(&canned, "seat/bent", &[of_merge_request(44), source]));
}

#[tokio::test]
async fn below_19_5_the_newest_own_merge_request_of_a_branch_pipeline_is_its_context() {
    let fork = json!({"source_project_id": 777});
    let found =
        json!([merge_request(46, &fork), merge_request(45, &json!({})), merge_request(40, &json!({}))]);
    let lookups = [("pipelines/88", pipeline("seat/bent", &json!({}))), ("merge_requests", found)];
    let (canned, _) = target("19.4.0-ee", "fix_pipeline/v1", "pipelines/88", &lookups).await;
    let source = entry("pipeline", &json!({"source_branch": "seat/bent", "source": "push"}));
    assert_eq!(sent(&canned), fix_body(&canned, "seat/bent", &[of_merge_request(45), source.clone()]));
    let query = canned
        .fake
        .requests()
        .into_iter()
        .find(|request| request.path.ends_with("/merge_requests"))
        .unwrap()
        .query;
    assert!(query.contains("state=opened") && query.contains("source_branch=seat%2Fbent"), "{query}");

    let lookups = [("pipelines/88", pipeline("seat/bent", &json!({}))), ("merge_requests", json!([]))];
    let (canned, _) = target("19.4.0-ee", "fix_pipeline/v1", "pipelines/88/failures?x=1#top", &lookups).await;
    assert_eq!(sent(&canned), fix_body(&canned, "seat/bent", &[source]));
}

#[tokio::test]
async fn below_19_5_a_review_is_sent_the_number_and_the_branch() {
    let lookups = [("merge_requests/44", merge_request(44, &json!({})))];
    let (canned, outcome) = target("19.4.0-ee", "code_review/v1", "merge_requests/44/diffs", &lookups).await;
    assert_eq!(outcome, Ok(started(&json!({"flow": "code_review/v1"}))));
    let expected = json!({"project_id": "602", "ai_catalog_item_consumer_id": 30, "goal": "44", "source_branch": "seat/bent",
        "start_workflow": true, "merge_request_id": 44});
    assert_eq!(sent(&canned), expected);
}

#[tokio::test]
async fn from_19_5_on_gitlab_finds_branch_and_context_itself() {
    let (canned, _) = target("19.5.0-ee", "fix_pipeline/v1", "pipelines/88", &[]).await;
    let goal = format!("{}/brass/pumps/-/pipelines/88", canned.fake.url());
    let expected =
        json!({"project_id": "602", "ai_catalog_item_consumer_id": 31, "goal": goal, "start_workflow": true});
    assert_eq!(sent(&canned), expected);
    let (canned, _) = target("19.5.0-ee", "code_review/v1", "merge_requests/44", &[]).await;
    let expected =
        json!({"project_id": "602", "ai_catalog_item_consumer_id": 30, "goal": "44", "start_workflow": true});
    assert_eq!(sent(&canned), expected);
}

#[tokio::test]
async fn below_19_5_what_has_no_branch_in_this_project_is_refused_before_anything_is_sent() {
    let review = |more: &Value| {
        ("code_review/v1", "merge_requests/44", vec![("merge_requests/44", merge_request(44, more))])
    };
    let fix = |git_ref: &str, more: &Value| {
        ("fix_pipeline/v1", "pipelines/88", vec![("pipelines/88", pipeline(git_ref, more))])
    };
    let of_fork = (
        "fix_pipeline/v1",
        "pipelines/88",
        vec![
            ("pipelines/88", pipeline("refs/merge-requests/44/merge", &json!({}))),
            ("merge_requests/44", merge_request(44, &json!({"source_project_id": 777}))),
        ],
    );
    let rows = [
        (review(&json!({"source_project_id": 777})), "comes from a fork"),
        (review(&json!({"state": "merged"})), "is not open"),
        (review(&json!({"source_branch": null})), "names no branch"),
        (fix("v2.0", &json!({"tag": true})), "did not run for a branch"),
        (fix("seat/bent", &json!({"project_id": 777})), "belongs to another project"),
        (fix("refs/heads/x", &json!({})), "did not run for a branch"),
        (of_fork, "comes from a fork"),
    ];
    for ((reference, page, lookups), why) in rows {
        let (canned, outcome) = target("19.4.0-ee", reference, page, &lookups).await;
        let error = outcome.unwrap_err();
        assert_eq!(error["kind"], "forbidden", "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with("nothing was started: ") && message.contains(why), "{message}");
        assert_eq!(canned.writes(), Vec::<Value>::new(), "{why}");
    }
}

#[tokio::test]
async fn a_pipeline_of_a_sessions_own_workload_is_sent_with_its_ref() {
    let own = pipeline("workloads/0a0b", &json!({"source": "duo_workflow", "status": "success"}));
    let lookups = [("pipelines/88", own), ("merge_requests", json!([]))];
    let (canned, _) = target("19.4.0-ee", "fix_pipeline/v1", "pipelines/88", &lookups).await;
    let source = entry("pipeline", &json!({"source_branch": "workloads/0a0b", "source": "duo_workflow"}));
    assert_eq!(sent(&canned), fix_body(&canned, "workloads/0a0b", &[source]));
}
