//! Writes: one request under every fault, and what is said about its outcome.

use fake_gitlab::{FakeGitLab, Fault};
use gitlab_duo_core::gateway::error::{Outcome, WriteError};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::{Accepted, HumanInput, Run, StartRequest};
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ConsumerId;
use gitlab_duo_core::model::status::Status;

use crate::setup::{client, fake, impatient, start, url, workflow};

#[derive(Clone, Copy, Debug)]
enum Write {
    Start,
    Input,
    Stop,
}

async fn write(fake: &FakeGitLab, write: Write) -> Result<Accepted, WriteError> {
    let gitlab = impatient(fake);
    match write {
        Write::Start => gitlab.start_session(&start()).await,
        Write::Input => gitlab.send_input(workflow(736), &HumanInput::Reply(Some("yes".to_owned()))).await,
        Write::Stop => gitlab.stop_session(workflow(731)).await,
    }
}

/// One write of each kind under the fault: one request at most, and this outcome.
async fn check(fault: Fault, requests: usize, outcome: Outcome, kind: ErrorKind) {
    for kind_of_write in [Write::Start, Write::Input, Write::Stop] {
        let fake = fake("19.5.0-ee").await;
        fake.inject(fault.clone());
        let error = write(&fake, kind_of_write).await.unwrap_err();
        let seen = (fake.writes().len(), error.outcome, error.error.kind);
        assert_eq!(seen, (requests, outcome, kind), "{kind_of_write:?} under {fault:?}: {error:?}");
        // Nothing else was sent either: a write is not followed by looks at the instance.
        assert!(fake.requests().len() <= requests, "{kind_of_write:?} under {fault:?}");
    }
}

#[tokio::test]
async fn writes_do_what_they_say() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    let started = gitlab.start_session(&start()).await.unwrap();
    assert_eq!((started.status, started.flow.as_deref()), (Some(Status::Created), Some("developer/v1")));
    let body = fake.writes()[0].json();
    assert_eq!((&body["project_id"], &body["start_workflow"]), (&"4021".into(), &true.into()));
    let answered = gitlab.send_input(workflow(736), &HumanInput::Approve).await.unwrap();
    assert_eq!(answered.id, workflow(736));
    assert_eq!(fake.writes()[1].body, r#"{"human_approval":true}"#);
    let stopped = gitlab.stop_session(workflow(731)).await.unwrap();
    assert_eq!(stopped.status, Some(Status::Stopped));
    assert_eq!(fake.writes().len(), 3);
}

#[tokio::test]
async fn lost_answers_leave_the_outcome_unknown() {
    for fault in [
        Fault::hang(),
        Fault::executed_then_hang(),
        Fault::close(),
        Fault::reset(),
        Fault::executed_then_close(),
        Fault::html_502(),
        Fault::executed_then_502(),
        Fault::internal_error(),
        Fault::answer(504, &[("content-type", "text/html")], "<html></html>"),
    ] {
        check(fault, 1, Outcome::Unknown, ErrorKind::OutcomeUnknown).await;
    }
    check(Fault::close_before_reading(), 0, Outcome::Unknown, ErrorKind::OutcomeUnknown).await;
}

#[tokio::test]
async fn refusals_say_that_nothing_happened() {
    let rows = [
        (Fault::unauthorized_expired(), ErrorKind::Unauthorized),
        (Fault::forbidden(), ErrorKind::Forbidden),
        (Fault::credits(), ErrorKind::Forbidden),
        (Fault::insufficient_scope("api"), ErrorKind::Forbidden),
        (Fault::not_found(), ErrorKind::NotFound),
        (Fault::no_route(), ErrorKind::NotFound),
        (Fault::moved_project(), ErrorKind::InvalidArguments),
        (Fault::conflict(), ErrorKind::Server),
        (Fault::unprocessable("Error in git branch creation"), ErrorKind::InvalidArguments),
        (Fault::model_errors(), ErrorKind::InvalidArguments),
        (Fault::validation("goal is too long"), ErrorKind::InvalidArguments),
        (Fault::rate_limited_text(0), ErrorKind::RateLimited),
        (Fault::rate_limited_json(Some("1")), ErrorKind::RateLimited),
        (Fault::unavailable(1), ErrorKind::Server),
        (Fault::proxy_407(), ErrorKind::Network),
        (Fault::redirect(301, "https://other.example.test/"), ErrorKind::Network),
        (Fault::redirect(307, "/api/v4/elsewhere"), ErrorKind::Network),
        (Fault::redirect_to_sign_in(), ErrorKind::Network),
    ];
    for (fault, kind) in rows {
        check(fault, 1, Outcome::Refused, kind).await;
    }
}

#[tokio::test]
async fn unreadable_answers_of_accepted_writes_are_told_as_accepted() {
    for fault in [
        Fault::empty_201(),
        Fault::html_success(201),
        Fault::broken_json(201),
        Fault::cut_body(20),
        Fault::stalled_body(20),
        Fault::huge(5),
        Fault::gzip_bomb(64),
        Fault::answer(200, &[], "{}"),
    ] {
        check(fault, 1, Outcome::Accepted, ErrorKind::Unreadable).await;
    }
}

#[tokio::test]
async fn the_session_in_a_broken_answer_is_named() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::broken_json(201));
    assert_eq!(write(&fake, Write::Start).await.unwrap_err().workflow_id, Some(workflow(75)));
    fake.inject(Fault::empty_201());
    assert_eq!(write(&fake, Write::Start).await.unwrap_err().workflow_id, None);
    fake.inject(Fault::answer(200, &[], "{}"));
    assert_eq!(write(&fake, Write::Stop).await.unwrap_err().workflow_id, Some(workflow(731)));
}

#[tokio::test]
async fn a_refusal_whose_words_break_off_is_still_a_refusal() {
    let fake = fake("19.5.0-ee").await;
    // Not this session's owner: a real 404, of which a part arrives.
    fake.inject(Fault::cut_body(5));
    let error = client(&fake).stop_session(workflow(999_999)).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::NotFound));
}

#[tokio::test]
async fn an_answer_about_another_session_is_not_taken() {
    let fake = fake("19.5.0-ee").await;
    fake.inject(Fault::answer(
        200,
        &[("content-type", "application/json")],
        r#"{"id":1,"status":"stopped"}"#,
    ));
    let error = write(&fake, Write::Stop).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Accepted, ErrorKind::Unreadable));
}

#[tokio::test]
async fn nothing_is_sent_when_nobody_listens() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    fake.stop().await;
    let error = gitlab.start_session(&start()).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Network));
    assert!(error.error.message.contains("nothing was sent"), "{}", error.error.message);

    let nowhere = gitlab_duo_graphql::gateway::GitLab::builder(url("https://git.invalid"))
        .token(gitlab_duo_graphql::token::StaticToken::new("x"))
        .build()
        .unwrap();
    let error = nowhere.stop_session(workflow(1)).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Network));
}

#[tokio::test]
async fn a_write_over_a_connection_that_died_is_sent_once_or_not_at_all() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake);
    gitlab.instance().await.unwrap();
    // The pooled connection ends with the next request on it.
    fake.inject(Fault::executed_then_close().on_method("POST"));
    let error = gitlab.start_session(&start()).await.unwrap_err();
    assert_eq!((fake.writes().len(), error.outcome), (1, Outcome::Unknown));
}

#[tokio::test]
async fn gitlabs_message_of_a_start_is_kept_and_odd_workloads_are_taken() {
    let fake = fake("19.5.0-ee").await;
    let body = r#"{"id":755,"status":"running","workload":{"id":"abc-123","message":"No runner is online"}}"#;
    fake.inject(Fault::answer(201, &[("content-type", "application/json")], body));
    let accepted = write(&fake, Write::Start).await.unwrap();
    assert_eq!((accepted.id, accepted.message.as_deref()), (workflow(755), Some("No runner is online")));
    fake.inject(Fault::answer(201, &[], r#"{"id":"756","workload":null}"#));
    let accepted = write(&fake, Write::Start).await.unwrap();
    assert_eq!((accepted.id, accepted.status, accepted.message), (workflow(756), None, None));
}

#[tokio::test]
async fn a_consumer_of_another_project_keeps_gitlabs_words() {
    let fake = fake("19.5.0-ee").await;
    let run = Run::Consumer(ConsumerId::new(811).unwrap());
    let error = client(&fake).start_session(&StartRequest { run, ..start() }).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Forbidden));
    assert!(error.error.gitlab_message.unwrap().contains("not enabled for this project"));
}
