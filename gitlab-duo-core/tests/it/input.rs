//! Answering a session.

use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{MessageKind, Permissions, Session};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_core::view::outcome::OutcomeView;

use crate::through::Through;
use crate::world::{gitlab, json, message, noon, now_or_never, session, waiting, workflow};

fn send(gitlab: &MemoryGitLab, input: HumanInput) -> Result<OutcomeView, DuoError> {
    let request = SendInput { workflow_id: workflow(7), input, now: noon() };
    now_or_never(send_input(gitlab, &Scope::default(), request))
}

fn approval() -> SendInput {
    SendInput { workflow_id: workflow(7), input: HumanInput::Approve, now: noon() }
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
    let of_colleague = Permissions { resume: Some(false), update: Some(false) };
    let of_colleague = Session { permissions: of_colleague, ..not_yet.clone() };
    let without_item =
        Session { has_item_version: Some(false), ..waiting(7, Status::InputRequired, Vec::new()) };
    let rows = [
        ("19.3.0", waiting(7, Status::InputRequired, Vec::new()), "version"),
        ("19.4.0", waiting(7, Status::PlanApprovalRequired, Vec::new()), "version"),
        ("19.4.0", waiting(7, Status::ToolCallApprovalRequired, Vec::new()), "version"),
        ("19.5.0", session(7, Status::Running), "not_waiting"),
        ("19.5.0", session(7, Status::Paused), "not_waiting"),
        ("19.5.0", session(7, Status::Finished), "not_waiting"),
        ("19.5.0", session(7, Status::Other("compacting".to_owned())), "not_waiting"),
        ("19.5.0", not_yet, "not_waiting"),
        ("19.5.0", of_colleague, "not_waiting"),
        ("19.5.0", without_item, "not_waiting"),
    ];
    for (version, session, expected) in rows {
        let gitlab = gitlab(version);
        let present = session.row.status.clone();
        gitlab.world().sessions.push(session);
        let refusal = send(&gitlab, HumanInput::Approve).unwrap_err();
        assert_eq!(refusal.kind.name(), expected, "{version}");
        assert_eq!(gitlab.world().writes(), 0);
        // Below 19.4 there is no way to answer at all, so that nothing is read.
        if version == "19.3.0" {
            assert_eq!((refusal.status, &*gitlab.world().calls), (None, &["instance"][..]));
        } else {
            assert_eq!(refusal.status, present);
        }
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
fn a_reason_of_gitlab_is_not_talked_over() {
    let rows =
        [(None, true), (Some("403 Forbidden"), true), (Some("403 Forbidden - usage quota exceeded"), false)];
    for (words, names_both) in rows {
        let gitlab = asking("19.5.0", Status::InputRequired);
        let mut error = GatewayError::new(ErrorKind::Forbidden, "GitLab refuses");
        error.gitlab_message = words.map(str::to_owned);
        gitlab.world().failures.push_back(("send_input", error, Outcome::Refused));
        let refusal = send(&gitlab, HumanInput::Approve).unwrap_err();
        assert_eq!(refusal.gitlab_message.as_deref(), words);
        assert_eq!(refusal.next_step.contains("does not wait"), names_both, "{refusal:?}");
    }
}

#[test]
fn what_gitlab_says_of_an_accepted_answer_is_passed_on() {
    let through = Through::new(asking("19.5.0", Status::InputRequired));
    let view = now_or_never(send_input(&through, &Scope::default(), approval())).unwrap();
    assert_eq!(json(&view)["message"], "The job is queued.");
}

#[test]
fn an_accepted_answer_stays_one_when_the_page_of_the_session_cannot_be_found() {
    let gitlab = asking("19.5.0", Status::InputRequired);
    gitlab.world().sessions[0].row.project =
        ProjectLink { id: ProjectId::new(4021), ..ProjectLink::default() };
    let error = GatewayError::new(ErrorKind::Server, "no");
    gitlab.world().failures.push_back(("project", error, Outcome::Refused));
    let view = json(&send(&gitlab, HumanInput::Approve).unwrap());
    assert_eq!((&view["workflow_id"], &view["web_url"]), (&"7".into(), &serde_json::Value::Null));
}

#[test]
fn nothing_is_sent_to_a_session_that_is_closed_by_settings_or_another_one() {
    let elsewhere = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    let gitlab = asking("19.5.0", Status::InputRequired);
    let refused = now_or_never(send_input(&gitlab, &elsewhere, approval())).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Policy);
    assert_eq!(gitlab.world().calls, ["instance", "session_project"]);
    let asking = asking("19.5.0", Status::InputRequired);
    let other = Through { session: |session| session.row.id = workflow(8), ..Through::new(asking) };
    let refused = now_or_never(send_input(&other, &Scope::default(), approval())).unwrap_err();
    assert_eq!((refused.kind, other.gitlab.world().writes()), (ErrorKind::Unreadable, 0));
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
        assert_eq!(
            now_or_never(send_input(&gitlab, &scope, approval())).unwrap_err().kind,
            ErrorKind::Policy
        );
        assert!(gitlab.world().calls.is_empty());
    }
}
