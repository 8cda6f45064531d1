//! Stopping a session.

use gitlab_duo_core::actions::stop_session::{StopSession, stop_session};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{gitlab, json as to_json, noon, now_or_never, session, workflow};

fn request() -> StopSession {
    StopSession { workflow_id: workflow(7), now: noon() }
}

fn stop(gitlab: &MemoryGitLab) -> Value {
    let result = now_or_never(stop_session(gitlab, &Scope::default(), request()));
    result.map_or_else(|error| json!({"error": error.kind.name()}), |view| to_json(&view))
}

fn with(version: &str, status: Status) -> MemoryGitLab {
    let gitlab = gitlab(version);
    gitlab.world().sessions.push(session(7, status));
    gitlab
}

#[test]
fn whatever_has_not_ended_is_stopped_once() {
    for status in [Status::Created, Status::Running, Status::InputRequired, Status::Other("new".to_owned())] {
        let gitlab = with("18.9.0", status);
        let view = stop(&gitlab);
        assert_eq!((&view["status"], &view["sent"]), (&json!("stopped"), &json!(true)));
        assert_eq!(gitlab.world().stopped, [workflow(7)]);
    }
}

#[test]
fn what_has_ended_is_a_plain_result_and_nothing_is_sent() {
    for status in [Status::Finished, Status::Failed, Status::Stopped] {
        let gitlab = with("18.9.0", status.clone());
        let view = stop(&gitlab);
        assert_eq!((&view["status"], &view["sent"]), (&json!(status.name()), &json!(false)));
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[test]
fn a_closed_gate_is_decided_before_anything_is_read() {
    let gitlab = with("18.8.0", Status::Running);
    assert_eq!(stop(&gitlab), json!({"error": "version"}));
    assert_eq!(gitlab.world().calls, ["instance"]);
}

/// A session that ends on its own just before GitLab refuses to stop it, or does not answer.
fn ending(failure: ErrorKind, outcome: Outcome) -> Value {
    let gitlab = with("19.5.0", Status::Running);
    let error = GatewayError::new(failure, "can not stop");
    gitlab.world().failures.push_back(("stop_session", error, outcome));
    let through = Through { ends_before_stop: true, ..Through::new(gitlab) };
    let result = now_or_never(stop_session(&through, &Scope::default(), request()));
    assert_eq!(through.gitlab.world().calls.iter().filter(|call| **call == "stop_session").count(), 1);
    result.map_or_else(|error| json!({"error": error.kind.name()}), |view| to_json(&view))
}

#[test]
fn a_session_that_ends_between_look_and_stop_is_no_failure() {
    let view = ending(ErrorKind::InvalidArguments, Outcome::Refused);
    assert_eq!((&view["status"], &view["sent"]), (&json!("finished"), &json!(true)));
    assert!(view["hints"][0].as_str().unwrap().contains("ended on its own"), "{view}");
    // The double's session is still running when it is read again: the refusal stays one.
    let gitlab = with("19.5.0", Status::Running);
    let refusal = GatewayError::new(ErrorKind::InvalidArguments, "can not stop");
    gitlab.world().failures.push_back(("stop_session", refusal, Outcome::Refused));
    assert_eq!(stop(&gitlab), json!({"error": "invalid_arguments"}));
}

#[test]
fn any_other_failure_of_the_stop_stays_one_whatever_became_of_the_session() {
    let rows = [
        (ErrorKind::Forbidden, Outcome::Refused, "forbidden"),
        (ErrorKind::RateLimited, Outcome::Refused, "rate_limited"),
        (ErrorKind::Timeout, Outcome::Unknown, "outcome_unknown"),
        (ErrorKind::Unreadable, Outcome::Accepted, "unreadable"),
    ];
    for (failure, outcome, expected) in rows {
        assert_eq!(ending(failure, outcome), json!({"error": expected}));
    }
}

#[test]
fn nothing_is_stopped_that_the_settings_close_or_that_is_another_session() {
    let one = |id| Scope { allowed_projects: Some([ProjectId::new(id).unwrap()].into()), ..Scope::default() };
    let closed = |access| Scope { access, ..Scope::default() };
    let rows = [
        (closed(Access::ReadOnly), &[][..]),
        (closed(Access::Off), &[][..]),
        (one(1), &["instance", "session_project"][..]),
    ];
    for (scope, calls) in rows {
        let gitlab = with("19.5.0", Status::Running);
        let refused = now_or_never(stop_session(&gitlab, &scope, request())).unwrap_err();
        assert_eq!((refused.kind, &*gitlab.world().calls), (ErrorKind::Policy, calls));
    }
    let gitlab = with("19.5.0", Status::Running);
    let other = Through { session: |session| session.row.id = workflow(8), ..Through::new(gitlab) };
    let refused = now_or_never(stop_session(&other, &Scope::default(), request())).unwrap_err();
    assert_eq!((refused.kind, other.gitlab.world().writes()), (ErrorKind::Unreadable, 0));
}
