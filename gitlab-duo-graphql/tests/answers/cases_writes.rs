//! Faults that people have reported, where they write: sent twice, lost, or started and never run.

use std::time::Duration;

use fake_gitlab::{FakeGitLab, Fault};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::actions::start_session::StartSession;
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::ids::{ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::canned::{Canned, Outcome, client_of, consumer, get, list, now, outcome, start, start_of};
use crate::session_nodes::node;

/// The fake's own world: a project with a runner, and a session that waits for an answer.
const DEMO: u64 = 4021;
const WAITING: u64 = 736;

/// A client that gives up soon.
fn impatient(fake: &FakeGitLab) -> GitLab {
    let url = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly).unwrap();
    let builder = GitLab::builder(url).token(StaticToken::new(fake.token()));
    builder.timeout(Duration::from_millis(400)).build().unwrap()
}

fn start_in(project: u64, id: u64, now: Timestamp) -> StartSession {
    StartSession { project: ProjectRef::Id(ProjectId::new(project).unwrap()), now, ..start_of(consumer(id)) }
}

#[derive(Clone, Copy, Debug)]
enum Write {
    Start,
    Answer,
}

async fn write(gitlab: &GitLab, write: Write) -> Outcome {
    match write {
        Write::Start => start(gitlab, start_in(DEMO, 77, now())).await,
        Write::Answer => {
            let workflow_id = WorkflowId::new(WAITING).unwrap();
            let request =
                SendInput { workflow_id, input: HumanInput::Reply(Some("Copper.".to_owned())), now: now() };
            outcome(send_input(gitlab, &Scope::default(), request).await)
        }
    }
}

/// One write of each kind under the fault: sent once, and told so.
async fn check(fault: Fault, kind: &str, message: &str) {
    for kind_of_write in [Write::Start, Write::Answer] {
        let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
        fake.inject(fault.clone().on_path("/ai/duo_workflows/").always());
        let error = write(&impatient(&fake), kind_of_write).await.unwrap_err();
        assert_eq!(
            (&error["kind"], fake.writes().len()),
            (&json!(kind), 1),
            "{kind_of_write:?}, {fault:?}: {error}"
        );
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        assert!(error["next_step"].as_str().unwrap().contains("look with list"), "{error}");
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_sent_once_and_its_outcome_is_unknown() {
    for fault in [
        Fault::hang(),
        Fault::html_502(),
        Fault::close(),
        Fault::executed_then_close(),
        Fault::executed_then_502(),
    ] {
        check(fault, "outcome_unknown", "its outcome is not known").await;
    }
}

#[tokio::test]
async fn a_write_that_is_turned_away_for_the_moment_is_sent_once_and_was_refused() {
    check(Fault::unavailable(1), "server", "the request was refused").await;
}

#[tokio::test]
async fn a_lost_start_that_was_executed_is_found_in_the_list_and_not_made_again() {
    let fake = FakeGitLab::builder().start().await.unwrap();
    let gitlab = client_of(fake.url(), fake.token());
    fake.inject(Fault::executed_then_close().on_path("/ai/duo_workflows/"));
    let error = start(&gitlab, start_in(DEMO, 77, fake.now())).await.unwrap_err();
    assert_eq!(error["kind"], "outcome_unknown");
    let page = list(&gitlab, ListSessions::default()).await.unwrap();
    let id = &page["sessions"][0]["workflow_id"];
    let again = start(&gitlab, start_in(DEMO, 77, fake.now())).await.unwrap_err();
    assert_eq!((&again["kind"], &again["workflow_id"]), (&json!("duplicate"), id), "{again}");
    assert_eq!(fake.writes().len(), 1);
}

#[tokio::test]
async fn a_redirected_write_is_not_sent_again_and_the_address_to_set_is_named() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let target = "https://git.brass.test/api/v4/ai/duo_workflows/workflows";
    for status in [301, 302, 307, 308] {
        fake.clear_log();
        fake.inject(Fault::redirect(status, target).on_path("/ai/duo_workflows/"));
        let error = write(&client_of(fake.url(), fake.token()), Write::Start).await.unwrap_err();
        assert_eq!((&error["kind"], fake.writes().len()), (&json!("network"), 1), "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("`https://git.brass.test`")
                && message.contains("set that address as the GitLab URL"),
            "{message}"
        );
        assert!(message.ends_with("a redirected write is not sent again"), "{message}");
    }
}

#[tokio::test]
async fn a_write_that_is_sent_on_to_https_is_not_sent_there_and_the_address_is_named_with_its_port() {
    for kind_of_write in [Write::Start, Write::Answer] {
        for status in [301, 308] {
            let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
            let secure = fake.url().replace("http://", "https://");
            let target = format!("{secure}/api/v4/ai/duo_workflows/workflows");
            fake.inject(Fault::redirect(status, &target).on_path("/ai/duo_workflows/"));
            let error = write(&client_of(fake.url(), fake.token()), kind_of_write).await.unwrap_err();
            assert_eq!((&error["kind"], fake.writes().len()), (&json!("network"), 1), "{error}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(&format!("redirects to `{secure}`")), "{message}");
        }
    }
}

#[tokio::test]
async fn nothing_was_sent_when_nobody_listens() {
    let fake = FakeGitLab::builder().start().await.unwrap();
    let gitlab = client_of(fake.url(), fake.token());
    list(&gitlab, ListSessions::default()).await.unwrap();
    fake.stop().await;
    let error = write(&gitlab, Write::Start).await.unwrap_err();
    assert_eq!(
        (&error["kind"], &error["message"]),
        (&json!("network"), &json!("`127.0.0.1` refused the connection"))
    );
}

/// The session as it is when the fake's clock says so.
async fn look(gitlab: &GitLab, fake: &FakeGitLab, id: &Value) -> Value {
    let workflow_id = WorkflowId::parse(id.as_str().unwrap()).unwrap();
    let request = GetSession { workflow_id, now: fake.now() };
    outcome(get_session(gitlab, &Scope::default(), request).await).unwrap()
}

#[tokio::test]
async fn a_session_that_no_runner_takes_says_how_long_it_waits_and_what_may_be_missing() {
    let fake = FakeGitLab::builder().start().await.unwrap();
    let gitlab = client_of(fake.url(), fake.token());
    let started = start(&gitlab, start_in(4030, 740, fake.now())).await.unwrap();
    assert_eq!((&started["status"], &started["poll_after_seconds"]), (&json!("created"), &json!(120)));
    assert_eq!(fake.writes()[0].json()["start_workflow"], true);
    let id = &started["workflow_id"];

    let view = look(&gitlab, &fake, id).await;
    assert_eq!(
        (&view["created_for_seconds"], &view["hints"], &view["agent_began"]),
        (&json!(0), &Value::Null, &json!(false))
    );

    fake.advance(Duration::from_secs(7 * 60));
    let view = look(&gitlab, &fake, id).await;
    assert_eq!((&view["created_for_seconds"], &view["poll_after_seconds"]), (&json!(420), &json!(120)));
    let hint = view["hints"][0].as_str().unwrap();
    for cause in ["for 7 minutes", "possible causes", "runner", "Credits", "switched off"] {
        assert!(hint.contains(cause), "{hint}");
    }

    fake.advance(Duration::from_secs(60 * 60));
    let view = look(&gitlab, &fake, id).await;
    let seen =
        (&view["status"], &view["terminal"], &view["failure_reason"], &view["agent_began"], &view["answer"]);
    assert_eq!(seen, (&json!("failed"), &json!(true), &Value::Null, &Value::Null, &Value::Null));
    let hints: Vec<_> = view["hints"].as_array().unwrap().iter().map(|hint| hint.as_str().unwrap()).collect();
    assert!(
        hints[0].contains("may have changed things") && hints[1].contains("unknown, not empty"),
        "{hints:?}"
    );
    assert_eq!(
        view["web_url"],
        format!("{}/example-group/no-runner/-/automate/agent-sessions/{}", fake.url(), id.as_str().unwrap())
    );
}

#[tokio::test]
async fn a_job_that_died_before_the_agent_ran_keeps_its_log() {
    let canned = Canned::of("19.5.0-ee").await;
    let dead = json!({"latestCheckpoint": null, "stalled": true, "lastExecutorLogsUrl": "https://git.brass.test/brass/pumps/-/jobs/9511",
        "allExecutorLogsUrls": ["https://git.brass.test/brass/pumps/-/jobs/9511"]});
    canned.session(&node("failed", Some("FAILED"), &dead));
    let view = get(&canned.gitlab()).await.unwrap();
    assert_eq!(
        (&view["agent_began"], &view["job_logs"]),
        (&Value::Null, &json!(["https://git.brass.test/brass/pumps/-/jobs/9511"]))
    );
}
