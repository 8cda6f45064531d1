//! Stopping a session.

use gitlab_duo_core::actions::stop_session::{StopSession, stop_session};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use serde_json::{Value, json};

use crate::world::{gitlab, json as to_json, noon, now_or_never, session, workflow};

fn stop(gitlab: &MemoryGitLab) -> Value {
    let request = StopSession { workflow_id: workflow(7), now: noon() };
    let result = now_or_never(stop_session(gitlab, &Scope::default(), request));
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

#[test]
fn a_session_that_ends_between_look_and_stop_is_no_failure() {
    // The double's session is still running when it is read again: the refusal stays one.
    let gitlab = with("19.5.0", Status::Running);
    let refusal = GatewayError::new(ErrorKind::InvalidArguments, "can not stop");
    gitlab.world().failures.push_back(("stop_session", refusal, Outcome::Refused));
    assert_eq!(stop(&gitlab), json!({"error": "invalid_arguments"}));
}
