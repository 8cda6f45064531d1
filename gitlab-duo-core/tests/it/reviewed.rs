//! Decisions about what a person has seen.

use gitlab_duo_core::actions::get_session::GetSession;
use gitlab_duo_core::actions::send_input::{ReviewedInput, SendInput, review_input, send_reviewed_input};
use gitlab_duo_core::actions::start_session::{StartSession, review_start, start_reviewed_session};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::MessageKind;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_core::view::outcome::Decided;

use crate::start::by_flow;
use crate::world::{gitlab, message, noon, now_or_never, session, waiting, workflow};

const CALL: &str = r#"{"name":"run_command","args":{"program":"ls"}}"#;
const WORSE: &str = r#"{"name":"run_command","args":{"program":"rm"}}"#;

fn asking(call: &str) -> MemoryGitLab {
    let gitlab = gitlab("19.5.0");
    ask(&gitlab, call);
    gitlab
}

fn ask(gitlab: &MemoryGitLab, call: &str) {
    let messages = vec![message(MessageKind::Request, "May I?", call)];
    let mut world = gitlab.world();
    world.sessions.retain(|session| session.row.id != workflow(7));
    world.sessions.push(waiting(7, Status::ToolCallApprovalRequired, messages));
}

fn review(gitlab: &MemoryGitLab) -> ReviewedInput {
    let request = GetSession { workflow_id: workflow(7), now: noon() };
    now_or_never(review_input(gitlab, &Scope::default(), request)).unwrap()
}

fn approve() -> SendInput {
    SendInput { workflow_id: workflow(7), input: HumanInput::Approve, now: noon() }
}

#[test]
fn what_was_seen_is_sent_once() {
    let gitlab = asking(CALL);
    let reviewed = review(&gitlab);
    assert_eq!(gitlab.world().writes(), 0);
    let decided =
        now_or_never(send_reviewed_input(&gitlab, &Scope::default(), approve(), &reviewed.seen)).unwrap();
    assert!(matches!(decided, Decided::Sent(outcome) if outcome.workflow_id == "7"));
    assert_eq!(gitlab.world().writes(), 1);
}

#[test]
fn what_changed_meanwhile_is_shown_and_nothing_is_sent() {
    let gitlab = asking(CALL);
    let reviewed = review(&gitlab);
    ask(&gitlab, WORSE);
    let decided =
        now_or_never(send_reviewed_input(&gitlab, &Scope::default(), approve(), &reviewed.seen)).unwrap();
    assert_eq!(decided, Decided::Changed(Box::new(review(&gitlab))));
    assert_eq!(gitlab.world().writes(), 0);
}

#[test]
fn a_session_that_goes_on_meanwhile_is_not_answered() {
    let gitlab = asking(CALL);
    let reviewed = review(&gitlab);
    gitlab.world().sessions.retain(|session| session.row.id != workflow(7));
    gitlab.world().sessions.push(session(7, Status::Running));
    let refusal =
        now_or_never(send_reviewed_input(&gitlab, &Scope::default(), approve(), &reviewed.seen)).unwrap_err();
    assert_eq!((refusal.kind.name(), gitlab.world().writes()), ("not_waiting", 0));
}

#[test]
fn a_reader_may_not_even_review() {
    let gitlab = asking(CALL);
    let scope = Scope { access: Access::ReadOnly, ..Scope::default() };
    let request = GetSession { workflow_id: workflow(7), now: noon() };
    let refusal = now_or_never(review_input(&gitlab, &scope, request)).unwrap_err();
    assert_eq!((refusal.kind.name(), gitlab.world().calls.len()), ("policy", 0));
}

#[test]
fn a_start_is_what_was_seen_or_is_shown_again() {
    let gitlab = gitlab("19.5.0");
    let scope = Scope::default();
    let reviewed = now_or_never(review_start(&gitlab, &scope, by_flow("developer/v1"))).unwrap();
    assert_eq!(gitlab.world().writes(), 0);
    let other = StartSession { goal: Some("Another goal".to_owned()), ..by_flow("developer/v1") };
    let changed = now_or_never(start_reviewed_session(&gitlab, &scope, other, &reviewed.seen)).unwrap();
    assert!(matches!(changed, Decided::Changed(shown) if shown.seen != reviewed.seen));
    assert_eq!(gitlab.world().writes(), 0);
    let request = by_flow("developer/v1");
    let started = now_or_never(start_reviewed_session(&gitlab, &scope, request, &reviewed.seen)).unwrap();
    assert!(matches!(started, Decided::Sent(_)));
    assert_eq!(gitlab.world().writes(), 1);
}
