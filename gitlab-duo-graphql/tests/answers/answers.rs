//! Answers to checkpoints, and stops: what GitLab is sent, and what becomes of its answers.

use gitlab_duo_core::gateway::request::HumanInput;
use serde_json::{Value, json};

use crate::canned::{Canned, WORKFLOWS, answer, data, json_answer, stop, with};
use crate::session_nodes::{asked, history, node, question, user, waiting};

/// The small entity of an accepted write.
fn entity(status: &str) -> Value {
    json!({"id": 51, "project_id": 602, "namespace_id": null, "workflow_definition": "developer/v1", "status": status,
        "title": "Valve seal", "environment": "web", "ai_catalog_item_version_id": 9007, "workload": {"id": 7002, "message": null},
        "gitlab_url": "https://git.brass.test"})
}

fn outcome(status: &str, poll: &Value, hint: &str, more: &Value) -> Value {
    let base = json!({"workflow_id": "51", "status": status, "flow": "developer/v1", "poll_after_seconds": poll, "hints": [hint],
        "web_url": "https://git.brass.test/brass/pumps/-/automate/agent-sessions/51"});
    with(base, more)
}

fn reply(text: &str) -> HumanInput {
    HumanInput::Reply(Some(text.to_owned()))
}

const GOES_ON: &str = "`false` is not a stop: the session goes on, with your message if there was one";
const APPROVED: &str = "approved: the session goes on with a new CI job";

#[tokio::test]
async fn an_answer_travels_as_no_with_its_message_and_an_approval_without_one() {
    let rows = [
        (
            reply("Copper, please."),
            json!({"human_approval": false, "human_message": "Copper, please."}),
            GOES_ON,
        ),
        (HumanInput::Reply(None), json!({"human_approval": false}), GOES_ON),
        (HumanInput::Approve, json!({"human_approval": true}), APPROVED),
    ];
    for (input, body, hint) in rows {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&question());
        canned.write(json_answer(201, &entity("input_required")));
        // The status is still the old one, and the new job has to start first.
        let expected = outcome("input_required", &json!(120), hint, &json!({"workload_id": "7002"}));
        assert_eq!(answer(&canned.gitlab(), input).await, Ok(expected));
        assert_eq!(canned.writes(), [body]);
        assert_eq!(canned.paths(), ["/api/graphql", &format!("{WORKFLOWS}/51/resume")]);
    }
}

#[tokio::test]
async fn gitlabs_message_beside_an_accepted_answer_is_passed_on() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&question());
    canned.write(json_answer(
        201,
        &with(
            entity("input_required"),
            &json!({"workload": {"id": 7002, "message": "Queued behind 3 jobs"}}),
        ),
    ));
    let expected = outcome(
        "input_required",
        &json!(120),
        APPROVED,
        &json!({"message": "Queued behind 3 jobs", "workload_id": "7002"}),
    );
    assert_eq!(answer(&canned.gitlab(), HumanInput::Approve).await, Ok(expected));
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_with_its_status_and_nothing_is_sent() {
    let no_version = with(question(), &json!({"aiCatalogItemVersionId": null}));
    let busy = with(
        question(),
        &json!({"userPermissions": {"updateDuoWorkflow": true, "resumeDuoWorkflow": false}}),
    );
    let theirs = with(
        question(),
        &json!({"userPermissions": {"updateDuoWorkflow": false, "resumeDuoWorkflow": false}}),
    );
    let plan = waiting("plan_approval_required", &[user(), asked("Is this all right?")], &json!({}));
    let rows = [
        (
            "19.5.0-ee",
            no_version,
            "not_waiting",
            "cannot be answered now: this session was started without a catalog item",
        ),
        ("19.5.0-ee", busy, "not_waiting", "cannot be answered now: GitLab does not take an answer now"),
        ("19.5.0-ee", theirs, "not_waiting", "only the person who started this session"),
        (
            "19.5.0-ee",
            node("paused", Some("PAUSED"), &json!({})),
            "not_waiting",
            "session 51 waits for nobody: it is `paused`",
        ),
        (
            "19.5.0-ee",
            node("running", Some("ACTIVE"), &json!({})),
            "not_waiting",
            "session 51 waits for nobody: it is `running`",
        ),
        (
            "19.5.0-ee",
            node("idle", Some("COMPLETED"), &json!({})),
            "not_waiting",
            "session 51 is not known to wait for anybody",
        ),
        (
            "19.4.0-ee",
            plan,
            "version",
            "to send input at plan and tool-call checkpoints GitLab 19.5 or newer is needed",
        ),
    ];
    for (version, node, kind, message) in rows {
        let canned = Canned::of(version).await;
        canned.session(&node);
        let error = answer(&canned.gitlab(), reply("Go.")).await.unwrap_err();
        assert_eq!((&error["kind"], &error["status"]), (&json!(kind), &node["statusName"]), "{error}");
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        assert_eq!(canned.writes(), Vec::<Value>::new());
    }
}

#[tokio::test]
async fn a_session_whose_agent_may_be_answered_is_left_to_gitlab() {
    let of_agent = with(question(), &json!({"aiCatalogItemVersionId": null, "environment": "AMBIENT"}));
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&of_agent);
    canned.write(json_answer(201, &entity("input_required")));
    assert_eq!(answer(&canned.gitlab(), reply("Go.")).await.unwrap()["status"], "input_required");
    assert_eq!(canned.writes().len(), 1);
}

const STOPPED: &str =
    "a stopped session may have changed things before: read it with get to see what it created";

#[tokio::test]
async fn a_stop_is_a_status_event_and_ends_the_session() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&node("running", Some("ACTIVE"), &json!({})));
    canned.write(json_answer(200, &with(entity("stopped"), &json!({"workload": null}))));
    let expected = outcome("stopped", &Value::Null, STOPPED, &json!({"sent": true}));
    assert_eq!(stop(&canned.gitlab()).await, Ok(expected));
    let write = canned.fake.writes().remove(0);
    assert_eq!((write.method.as_str(), write.path.as_str()), ("PATCH", format!("{WORKFLOWS}/51").as_str()));
    assert_eq!(write.json(), json!({"status_event": "stop"}));
}

#[tokio::test]
async fn nothing_is_sent_to_a_session_that_has_ended() {
    for (status, group) in [("finished", "COMPLETED"), ("failed", "FAILED"), ("stopped", "CANCELED")] {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&node(status, Some(group), &json!({})));
        let hint = "this session has ended already, so nothing was sent";
        assert_eq!(
            stop(&canned.gitlab()).await,
            Ok(outcome(status, &Value::Null, hint, &json!({"sent": false})))
        );
        assert_eq!(canned.writes(), Vec::<Value>::new());
    }
}

#[tokio::test]
async fn what_may_still_run_can_be_stopped() {
    for (status, group) in [
        ("idle", Some("COMPLETED")),
        ("defragmenting", None),
        ("paused", Some("PAUSED")),
        ("created", Some("ACTIVE")),
    ] {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&node(status, group, &json!({"latestCheckpoint": history(&[])})));
        canned.write(json_answer(200, &entity("stopped")));
        assert_eq!(stop(&canned.gitlab()).await.unwrap()["status"], "stopped", "{status}");
    }
}

/// GitLab's refusal to stop what is over.
fn over() -> fake_gitlab::Fault {
    json_answer(400, &json!({"message": "400 Bad request - Can not stop workflow that has status finished"}))
}

#[tokio::test]
async fn a_session_that_ended_just_before_the_stop_is_a_plain_result() {
    let canned = Canned::of("19.5.0-ee").await;
    let running = node("running", Some("ACTIVE"), &json!({}));
    canned.graphql_once("get_session", data("duoWorkflowWorkflows", &json!({"nodes": [running]})));
    canned.session(&node("finished", Some("COMPLETED"), &json!({})));
    canned.write(over());
    let hint = "this session ended on its own just before it could be stopped";
    assert_eq!(
        stop(&canned.gitlab()).await,
        Ok(outcome("finished", &Value::Null, hint, &json!({"sent": true})))
    );
    assert_eq!(canned.writes().len(), 1);
}

#[tokio::test]
async fn a_stop_that_gitlab_refuses_for_another_reason_keeps_its_words() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&node("running", Some("ACTIVE"), &json!({})));
    canned.write(over());
    let error = stop(&canned.gitlab()).await.unwrap_err();
    let words = "400 Bad request - Can not stop workflow that has status finished";
    assert_eq!((&error["kind"], &error["gitlab_message"]), (&json!("invalid_arguments"), &json!(words)));
}
