//! Every error of GraphQL at every query of the actions.

use fake_gitlab::Fault;
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::model::scope::Scope;
use serde_json::{Value, json};

use crate::canned::{Canned, Outcome, REQUEST_ID, discover, get, json_answer, list, outcome, project, with};
use crate::catalog::{furnish, page, row, set_agents, set_facts};
use crate::session_nodes::{history, node, said, user, view};

const TIMEOUT: &str = "Request timed out. Please try a less complex query or a smaller set of records.";
const NOT_FOUND: &str = "Workflow not found";
const RESOURCE: &str = "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
const NAMESPACE: &str =
    "You don't have permission to access this workflow. Please select a default namespace.";
const COMPLEX: &str = "Query has complexity of 312, which exceeds max complexity of 250";

/// An error: the status of its answer, its words, its code, and the kind it is for a caller.
type Row = (u16, &'static str, Option<&'static str>, &'static str);

const ROWS: [Row; 11] = [
    (401, "Invalid token", None, "unauthorized"),
    (403, "API not accessible for user", None, "forbidden"),
    (422, "Query too large", None, "invalid_arguments"),
    (500, "Internal server error", None, "server"),
    (503, TIMEOUT, None, "server"),
    (200, COMPLEX, None, "server"),
    (200, "Query has depth of 23, which exceeds max depth of 20", None, "server"),
    (200, NAMESPACE, Some("NO_DEFAULT_NAMESPACE"), "forbidden"),
    (200, NAMESPACE, Some("INSUFFICIENT_NAMESPACE_PERMISSIONS"), "forbidden"),
    (200, RESOURCE, None, "not_found"),
    (200, "Too many requests.", None, "rate_limited"),
];

/// The answer as it comes for the field `root`: of 200 both with null data and with none.
fn answers((status, words, code, _): Row, root: &str) -> Vec<Fault> {
    let mut error = json!({"message": words, "locations": [{"line": 1, "column": 40}], "path": [root]});
    if let Some(code) = code {
        error["extensions"] = json!({"code": code});
    }
    let errors = json!([error]);
    match status {
        200 => vec![
            json_answer(200, &json!({"data": {root: null}, "errors": errors})),
            json_answer(200, &json!({"data": null, "errors": errors})),
            json_answer(200, &json!({"errors": errors})),
        ],
        _ => vec![json_answer(status, &json!({"errors": [{"message": words}]}))],
    }
}

fn check((_, words, _, kind): Row, outcome: Outcome) {
    let mut error = outcome.unwrap_err();
    let fields = error.as_object_mut().unwrap();
    let (message, next_step) = (fields.remove("message").unwrap(), fields.remove("next_step").unwrap());
    assert_eq!(error, json!({"kind": kind, "gitlab_message": words, "request_id": REQUEST_ID}), "{message}");
    assert!(
        !next_step.as_str().unwrap().is_empty() && !message.as_str().unwrap().contains(words),
        "{message}"
    );
}

#[tokio::test]
async fn a_session_that_cannot_be_read_is_told_with_gitlabs_words() {
    for row in ROWS {
        for answer in answers(row, "duoWorkflowWorkflows") {
            let canned = Canned::of("19.5.0-ee").await;
            canned.graphql("get_session", answer);
            check(row, get(&canned.gitlab()).await);
        }
    }
}

#[tokio::test]
async fn a_session_that_is_gone_or_hidden_is_not_found_and_named() {
    let rows = answers((200, NOT_FOUND, Some("WORKFLOW_NOT_FOUND"), ""), "duoWorkflowWorkflows").into_iter();
    for answer in rows.chain([json_answer(200, &json!({"data": {"duoWorkflowWorkflows": {"nodes": []}}}))]) {
        let canned = Canned::of("19.5.0-ee").await;
        canned.graphql("get_session", answer);
        let error = get(&canned.gitlab()).await.unwrap_err();
        let message =
            "session 51 does not exist, is older than GitLab keeps sessions, or is not visible to you";
        assert_eq!((&error["kind"], &error["message"]), (&json!("not_found"), &json!(message)));
    }
}

#[tokio::test]
async fn a_list_that_cannot_be_read_is_never_an_empty_list() {
    for row in ROWS {
        for answer in answers(row, "duoWorkflowWorkflows") {
            let canned = Canned::of("19.5.0-ee").await;
            canned.graphql("list_sessions", answer);
            check(row, list(&canned.gitlab(), ListSessions::default()).await);
        }
    }
}

#[tokio::test]
async fn a_catalog_that_cannot_be_read_is_never_an_empty_one() {
    for (operation, root) in
        [("catalog_page", "aiCatalogConfiguredItems"), ("foundational_agents", "aiFoundationalChatAgents")]
    {
        for row in ROWS {
            for answer in answers(row, root) {
                let canned = Canned::of("19.5.0-ee").await;
                canned.graphql(operation, answer);
                set_agents(&canned, &[]);
                set_facts(&canned, &json!({}));
                furnish(&canned, &page(&[], None));
                check(row, discover(&canned.gitlab(), project()).await);
            }
        }
    }
}

#[tokio::test]
async fn facts_that_are_refused_do_not_hide_the_catalog_and_it_is_said() {
    for facts in ROWS {
        let canned = Canned::of("19.5.0-ee").await;
        canned.graphql("eligibility", answers(facts, "project").remove(0));
        set_agents(&canned, &[]);
        furnish(&canned, &page(&[row(27, "Plumber", "FLOW", &json!({}))], None));
        let outcome = discover(&canned.gitlab(), project()).await;
        if !["forbidden", "not_found"].contains(&facts.3) {
            check(facts, outcome);
            continue;
        }
        let view = outcome.unwrap();
        assert_eq!(
            (&view["items"][0]["name"], &view["eligibility"]["archived"]),
            (&json!("Plumber"), &Value::Null)
        );
        let hint = view["hints"][0].as_str().unwrap_or_default();
        assert!(hint.starts_with("whether sessions can run here is not known: "), "{view}");
    }
}

#[tokio::test]
async fn a_cursor_that_gitlab_does_not_know_is_a_wrong_argument() {
    let words = "Please provide a valid cursor";
    let of = |root: &str| {
        json_answer(200, &json!({"data": null, "errors": [{"message": words, "path": [root, "nodes"]}]}))
    };
    let after = || Some(Cursor::received("bm9uc2Vuc2U".to_owned()));
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql("catalog_page", of("aiCatalogConfiguredItems"));
    canned.graphql("list_sessions", of("duoWorkflowWorkflows"));
    set_facts(&canned, &json!({}));
    furnish(&canned, &page(&[], None));
    let gitlab = canned.gitlab();
    let request =
        AgentsAndFlows { project: project(), item_type: None, first: PageSize::default(), after: after() };
    check(
        (200, words, None, "invalid_arguments"),
        outcome(agents_and_flows(&gitlab, &Scope::default(), request).await),
    );
    let request = ListSessions { after: after(), ..ListSessions::default() };
    check((200, words, None, "invalid_arguments"), list(&gitlab, request).await);
    assert_eq!(canned.variables("catalog_page")[0]["after"], "bm9uc2Vuc2U");
}

/// GitLab's refusal of a query that names a field it does not have.
fn undefined(field: &str) -> Fault {
    let message = format!("Field '{field}' doesn't exist on type 'DuoWorkflow'");
    let extensions = json!({"code": "undefinedField", "typeName": "DuoWorkflow", "fieldName": field});
    json_answer(
        200,
        &json!({"errors": [{"message": message, "path": ["query", "duoWorkflowWorkflows", "nodes", field],
        "extensions": extensions}]}),
    )
}

#[tokio::test]
async fn an_unknown_field_costs_its_detail_once_and_not_the_answer() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql_once("get_session", undefined("webUrl"));
    let old = json!({"webUrl": null, "title": null, "mergeRequestLinks": null, "workItemLinks": null, "noteLinks": null,
        "allExecutorLogsUrls": null, "userPermissions": null});
    canned.session(&node("running", Some("ACTIVE"), &old));
    let gitlab = canned.gitlab();
    let missing = [
        "created.merge_requests",
        "created.notes",
        "created.work_items",
        "pending_input.can_send",
        "summary",
        "title",
    ];
    let since = |detail: &str| json!({"detail": detail, "since": "19.3"});
    let expected = json!({"terminal": false, "poll_after_seconds": 30, "title": null, "unavailable": missing.map(since),
        "created": {"merge_requests": null, "work_items": null, "notes": null}});
    let expected = view("running", Some("active"), &expected);
    assert_eq!(get(&gitlab).await, Ok(expected.clone()));
    assert_eq!(get(&gitlab).await, Ok(expected));
    assert_eq!(canned.variables("get_session").len(), 3, "the refused document is sent once");
}

#[tokio::test]
async fn a_gitlab_that_understands_no_document_is_too_old_or_without_duo() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql("get_session", undefined("duoWorkflowWorkflows"));
    let error = get(&canned.gitlab()).await.unwrap_err();
    assert_eq!(error["kind"], "version");
    assert!(error["message"].as_str().unwrap().contains("an edition without Duo sessions"), "{error}");
    assert_eq!(error["gitlab_message"], "Field 'duoWorkflowWorkflows' doesn't exist on type 'DuoWorkflow'");
}

#[tokio::test]
async fn an_error_beside_data_costs_only_the_field_it_is_about() {
    let broken = node(
        "finished",
        Some("COMPLETED"),
        &json!({"mergeRequestLinks": null, "latestCheckpoint": history(&[user(), said("Done.")])}),
    );
    let answer = json!({"data": {"duoWorkflowWorkflows": {"nodes": [broken]}}, "errors": [{"message": "Internal server error",
        "path": ["duoWorkflowWorkflows", "nodes", 0, "mergeRequestLinks"]}]});
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql("get_session", json_answer(200, &answer));
    let mut expected = view("finished", Some("completed"), &json!({"terminal": true, "answer": "Done."}));
    expected["created"]["merge_requests"] = Value::Null;
    assert_eq!(get(&canned.gitlab()).await, Ok(expected));
}

#[tokio::test]
async fn a_limit_before_graphql_tells_when_to_come_back() {
    for refusal in crate::refusals::all().into_iter().filter(|refusal| refusal.status == 429) {
        let canned = Canned::of("19.5.0-ee").await;
        canned.graphql("list_sessions", refusal.answer);
        let error = list(&canned.gitlab(), ListSessions::default()).await.unwrap_err();
        let own = json!({"message": error["message"], "next_step": error["next_step"]});
        assert_eq!(error, with(refusal.error, &own));
        assert_eq!(canned.variables("list_sessions").len(), 1, "nobody waits for a minute inside of a call");
    }
}

#[tokio::test]
async fn a_pre_release_counts_as_the_release_before_it() {
    let canned = Canned::of("19.5.0-pre").await;
    let calls =
        crate::session_nodes::waiting("plan_approval_required", &[user(), said("1. Drain")], &json!({}));
    canned.session(&calls);
    let view = get(&canned.gitlab()).await.unwrap();
    let why = "to send input at plan and tool-call checkpoints GitLab 19.5 or newer is needed; this instance is 19.5.0-pre";
    assert_eq!(
        (&view["pending_input"]["can_send"], &view["pending_input"]["why_not"]),
        (&json!(false), &json!(why))
    );
}

#[tokio::test]
async fn where_metadata_is_not_served_the_old_address_tells_the_version_and_nonsense_is_the_oldest() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.rest("GET", "/api/v4/metadata", json_answer(404, &json!({"error": "404 Not Found"})));
    canned.rest(
        "GET",
        "/api/v4/version",
        json_answer(200, &json!({"version": "19.4.7-ee", "revision": "77aa"})),
    );
    let gitlab = canned.gitlab();
    canned.session(&node("running", Some("ACTIVE"), &json!({})));
    assert_eq!(get(&gitlab).await.unwrap()["unavailable"], Value::Null);

    let canned = Canned::of("19.5.0-ee").await;
    canned.rest("GET", "/api/v4/metadata", json_answer(200, &json!({"version": "tip of the day"})));
    canned.graphql(
        "list_sessions",
        json_answer(200, &json!({"data": {"duoWorkflowWorkflows": page(&[], None)}})),
    );
    let view = list(&canned.gitlab(), ListSessions::default()).await.unwrap();
    let hint = "the version of this GitLab is unreadable: `tip of the day`: it is treated as 17.3";
    assert_eq!(view["hints"], json!([hint]));
}
