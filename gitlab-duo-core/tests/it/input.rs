//! Answering a session.

use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{MessageKind, Permissions, Session};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_core::view::outcome::OutcomeView;

use crate::world::{gitlab, json, message, noon, now_or_never, session, waiting, workflow};

fn send(gitlab: &MemoryGitLab, input: HumanInput) -> Result<OutcomeView, DuoError> {
    let request = SendInput { workflow_id: workflow(7), input, now: noon() };
    now_or_never(send_input(gitlab, &Scope::default(), request))
}

fn asking(version: &str, status: Status) -> MemoryGitLab {
    let gitlab = gitlab(version);
    let session = waiting(7, status, vec![message(MessageKind::Request, "Both?", "null")]);
    gitlab.world().sessions.push(session);
    gitlab
}

#[test]
fn an_answer_is_sent_once_after_the_session_was_read_again() {
    let gitlab = asking("19.4.0", Status::InputRequired);
    let reply = HumanInput::Reply(Some("Only invoices".to_owned()));
    let view = json(&send(&gitlab, reply.clone()).unwrap());
    assert_eq!(
        (view["status"].as_str(), view["poll_after_seconds"].as_u64()),
        (Some("input_required"), Some(120))
    );
    assert!(view["hints"][0].as_str().unwrap().contains("not a stop"));
    assert_eq!(gitlab.world().calls, ["instance", "session", "send_input"]);
    assert_eq!(gitlab.world().answered, [(workflow(7), reply)]);
}

#[test]
fn what_cannot_be_answered_is_refused_before_anything_is_sent() {
    let not_yet = Permissions { resume: Some(false), update: Some(true) };
    let not_yet = Session { permissions: not_yet, ..waiting(7, Status::InputRequired, Vec::new()) };
    let rows = [
        ("19.3.0", waiting(7, Status::InputRequired, Vec::new()), "version"),
        ("19.4.0", waiting(7, Status::PlanApprovalRequired, Vec::new()), "version"),
        ("19.4.0", waiting(7, Status::ToolCallApprovalRequired, Vec::new()), "version"),
        ("19.5.0", session(7, Status::Running), "not_waiting"),
        ("19.5.0", session(7, Status::Paused), "not_waiting"),
        ("19.5.0", session(7, Status::Finished), "not_waiting"),
        ("19.5.0", session(7, Status::Other("compacting".to_owned())), "not_waiting"),
        ("19.5.0", not_yet, "not_waiting"),
    ];
    for (version, session, expected) in rows {
        let gitlab = gitlab(version);
        gitlab.world().sessions.push(session);
        assert_eq!(send(&gitlab, HumanInput::Approve).unwrap_err().kind.name(), expected, "{version}");
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[test]
fn when_gitlab_did_not_say_it_is_asked() {
    let gitlab = asking("19.5.0", Status::InputRequired);
    gitlab.world().sessions[0].permissions = Permissions::default();
    assert!(send(&gitlab, HumanInput::Approve).is_ok());
}

#[test]
fn a_refusal_of_gitlab_is_reported_with_the_present_status() {
    let gitlab = asking("19.5.0", Status::InputRequired);
    let error = GatewayError::new(ErrorKind::Forbidden, "GitLab refuses");
    gitlab.world().failures.push_back(("send_input", error, Outcome::Refused));
    let refusal = send(&gitlab, HumanInput::Approve).unwrap_err();
    assert_eq!((refusal.kind, refusal.status), (ErrorKind::Forbidden, Some(Status::InputRequired)));
    assert!(refusal.next_step.contains("does not wait") && refusal.next_step.contains("may not answer"));
}

#[test]
fn an_unknown_outcome_is_not_a_failure_and_sends_the_caller_to_look() {
    for (outcome, kind) in [(Outcome::Unknown, "outcome_unknown"), (Outcome::Accepted, "unreadable")] {
        let gitlab = asking("19.5.0", Status::InputRequired);
        let error = GatewayError::new(ErrorKind::Timeout, "no answer came in time");
        gitlab.world().failures.push_back(("send_input", error, outcome));
        let error = send(&gitlab, HumanInput::Approve).unwrap_err();
        assert_eq!(error.kind.name(), kind);
        assert!(error.next_step.contains("look with list"), "{error:?}");
        assert_eq!(gitlab.world().calls.iter().filter(|call| **call == "send_input").count(), 1);
    }
}

#[test]
fn a_reader_never_writes() {
    for access in [Access::ReadOnly, Access::Off] {
        let gitlab = asking("19.5.0", Status::InputRequired);
        let scope = Scope { access, ..Scope::default() };
        let request = SendInput { workflow_id: workflow(7), input: HumanInput::Approve, now: noon() };
        assert_eq!(now_or_never(send_input(&gitlab, &scope, request)).unwrap_err().kind, ErrorKind::Policy);
        assert!(gitlab.world().calls.is_empty());
    }
}
