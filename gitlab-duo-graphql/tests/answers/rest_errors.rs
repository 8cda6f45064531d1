//! Every refusal of REST at every place that can meet it.

use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::start_session::StartSession;
use gitlab_duo_core::gateway::request::HumanInput;
use serde_json::{Value, json};

use crate::canned::{
    Canned, Outcome, agent, answer, consumer, data, flow, json_answer, list, project, start, start_of, stop,
    with,
};
use crate::catalog::{self, foundational, furnish, page, row, set_agents};
use crate::refusals::{self, NO_ROUTE, Refusal};
use crate::session_nodes::{node, question};

/// Compares an error with what is expected, our own two sentences aside, and hands them back.
fn check(outcome: Outcome, expected: &Value) -> (String, String) {
    let mut error = outcome.unwrap_err();
    let fields = error.as_object_mut().unwrap();
    let mut own = |name: &str| fields.remove(name).unwrap().as_str().unwrap().to_owned();
    let (message, next_step) = (own("message"), own("next_step"));
    assert_eq!(&error, expected, "{message}");
    assert!(!message.is_empty() && !next_step.is_empty(), "{error}");
    // GitLab's words stand apart from ours.
    if let Some(words) = error["gitlab_message"].as_str() {
        assert!(!message.contains(words) && !next_step.contains(words), "{message}; {next_step}");
    }
    (message, next_step)
}

/// What a write makes of a refusal: after 500 and 502 nobody knows.
fn of_write(refusal: &Refusal) -> Value {
    let kind = match refusal.status {
        500 | 502 => json!("outcome_unknown"),
        _ => refusal.error["kind"].clone(),
    };
    with(refusal.error.clone(), &json!({"kind": kind}))
}

/// Advice that every refused or doubtful write shares.
fn check_advice(refusal: &Refusal, message: &str, next_step: &str) {
    match refusal.status {
        500 | 502 => {
            assert!(message.starts_with("the request was sent and its outcome is not known: "), "{message}");
            assert!(next_step.contains("look with list"), "{next_step}");
        }
        503 => {
            assert!(message.contains("refused"), "{message}");
            assert!(next_step.contains("look with list"), "{next_step}");
        }
        401 => assert!(next_step.contains("sign in again"), "{next_step}"),
        400 | 422 => assert!(next_step.contains("GitLab's own words"), "{next_step}"),
        _ => {}
    }
}

#[tokio::test]
async fn a_refused_start_says_what_gitlab_said_and_is_sent_once() {
    for refusal in refusals::all() {
        let canned = Canned::of("19.5.0-ee").await;
        canned.graphql(
            "catalog_consumer",
            data("aiCatalogItemConsumer", &row(27, "Plumber", "FLOW", &json!({}))),
        );
        canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
        furnish(&canned, &page(&[], None));
        canned.write(refusal.answer.clone());
        let outcome = start(&canned.gitlab(), start_of(consumer(27))).await;
        let (message, next_step) = check(outcome, &of_write(&refusal));
        check_advice(&refusal, &message, &next_step);
        assert_eq!(canned.writes().len(), 1, "{message}");
    }
}

#[tokio::test]
async fn a_refused_start_of_an_agent_may_have_left_a_session_behind() {
    for refusal in refusals::all().into_iter().filter(|refusal| [403, 422].contains(&refusal.status)) {
        let canned = Canned::of("19.5.0-ee").await;
        set_agents(&canned, &[catalog::agent("Planner", "duo_planner", "v1")]);
        canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
        furnish(&canned, &page(&[], None));
        canned.write(refusal.answer.clone());
        let outcome = start(&canned.gitlab(), start_of(agent("duo_planner/v1"))).await;
        let (_, next_step) = check(outcome, &refusal.error);
        assert!(next_step.contains("look with list"), "{next_step}");
    }
}

#[tokio::test]
async fn a_refused_answer_tells_the_present_status_and_is_sent_once() {
    for refusal in refusals::all() {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&question());
        canned.write(refusal.answer.clone());
        let outcome = answer(&canned.gitlab(), HumanInput::Approve).await;
        let expected = match refusal.status {
            403 | 404 => with(of_write(&refusal), &json!({"status": "input_required"})),
            _ => of_write(&refusal),
        };
        let (message, next_step) = check(outcome, &expected);
        check_advice(&refusal, &message, &next_step);
        assert_eq!(canned.writes().len(), 1, "{message}");
        let may_not_wait = next_step.contains("does not wait") && next_step.contains("may not answer");
        // A bare 403 has two meanings, both are named; one with a reason has that one.
        assert_eq!(may_not_wait, refusal.error["gitlab_message"] == "403 Forbidden", "{next_step}");
        if refusal.error["gitlab_message"] == NO_ROUTE {
            assert!(next_step.contains("route itself"), "{next_step}");
        }
    }
}

#[tokio::test]
async fn a_refused_stop_says_what_gitlab_said_and_is_sent_once() {
    for refusal in refusals::all() {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&node("running", Some("ACTIVE"), &json!({})));
        canned.write(refusal.answer.clone());
        let (message, next_step) = check(stop(&canned.gitlab()).await, &of_write(&refusal));
        check_advice(&refusal, &message, &next_step);
        assert_eq!(canned.writes().len(), 1, "{message}");
    }
}

#[tokio::test]
async fn the_look_up_of_a_project_fails_with_gitlabs_words_and_absence_names_the_project() {
    for refusal in refusals::all() {
        let canned = Canned::of("19.5.0-ee").await;
        canned.rest("GET", "/api/v4/projects/602", refusal.answer.clone());
        let request = ListSessions { project: Some(project()), ..ListSessions::default() };
        let outcome = list(&canned.gitlab(), request).await;
        check_read(&refusal, outcome, "project `602` does not exist, or you may not see it");
        // A refusal is never shown as an empty list: the list is not even asked for.
        assert_eq!(canned.variables("list_sessions"), Vec::<Value>::new());
    }
}

fn check_read(refusal: &Refusal, outcome: Outcome, absent: &str) {
    if refusal.is_absence() {
        let (message, _) = check(outcome, &json!({"kind": "not_found"}));
        assert_eq!(message, absent);
    } else {
        check(outcome, &refusal.error);
    }
}

/// A start on 19.4 that looks its target up first.
async fn start_on(reference: &str, page_of: &str, path: &str, refusal: &Refusal) -> Outcome {
    let canned = Canned::of("19.4.0-ee").await;
    canned.rest("GET", &format!("/api/v4/projects/602/{path}"), refusal.answer.clone());
    let rows =
        [foundational(31, "fix_pipeline/v1", &json!({})), foundational(30, "code_review/v1", &json!({}))];
    furnish(&canned, &page(&rows, None));
    let url = format!("{}/brass/pumps/-/{page_of}", canned.fake.url());
    let request = StartSession { goal: None, url: Some(url), ..start_of(flow(reference)) };
    let outcome = start(&canned.gitlab(), request).await;
    assert_eq!(canned.writes(), Vec::<Value>::new());
    outcome
}

#[tokio::test]
async fn the_look_up_of_a_pipeline_fails_the_start_before_it_is_sent() {
    for refusal in refusals::all() {
        let outcome = start_on("fix_pipeline/v1", "pipelines/88", "pipelines/88", &refusal).await;
        check_read(&refusal, outcome, "pipeline 88 is not in project `brass/pumps`");
    }
}

#[tokio::test]
async fn the_look_up_of_a_merge_request_fails_the_start_before_it_is_sent() {
    for refusal in refusals::all() {
        let outcome = start_on("code_review/v1", "merge_requests/44", "merge_requests/44", &refusal).await;
        check_read(&refusal, outcome, "merge request 44 is not in project `brass/pumps`");
    }
}

#[tokio::test]
async fn the_name_of_the_limit_is_told() {
    let refusal =
        refusals::all().into_iter().find(|refusal| refusal.error["gitlab_message"] == "Retry later").unwrap();
    let canned = Canned::of("19.5.0-ee").await;
    canned.rest("GET", "/api/v4/projects/602", refusal.answer);
    let request = ListSessions { project: Some(project()), ..ListSessions::default() };
    let error = list(&canned.gitlab(), request).await.unwrap_err();
    assert_eq!(error["message"], "too many requests: the limit `throttle_authenticated_api` is reached");
}

#[tokio::test]
async fn a_renamed_project_is_found_by_its_old_path_and_started_by_number() {
    let canned = Canned::of("19.5.0-ee").await;
    let moved = format!("{}/api/v4/projects/602", canned.fake.url());
    let words = format!("This resource has been moved permanently to {moved}");
    let answer =
        fake_gitlab::Fault::answer(301, &[("content-type", "text/plain"), ("location", &moved)], words);
    canned.rest("GET", "/api/v4/projects/brass%2Fold-pumps", answer);
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
    furnish(&canned, &page(&[foundational(29, "developer/v1", &json!({}))], None));
    canned.write(json_answer(
        201,
        &json!({"id": 90, "status": "created", "workflow_definition": "developer/v1"}),
    ));
    let old = gitlab_duo_core::model::project::ProjectPath::parse("brass/old-pumps").unwrap();
    let request = StartSession {
        project: gitlab_duo_core::model::project::ProjectRef::Path(old),
        ..start_of(flow("developer/v1"))
    };
    let view = start(&canned.gitlab(), request).await.unwrap();
    assert_eq!(view["web_url"], "https://git.brass.test/brass/pumps/-/automate/agent-sessions/90");
    assert_eq!(canned.writes()[0]["project_id"], "602");
    assert_eq!(canned.variables("list_sessions")[0]["projectPath"], "brass/pumps");
}
