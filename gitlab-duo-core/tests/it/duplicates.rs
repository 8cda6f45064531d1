//! The same start twice.

use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, start_session};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::ProjectPath;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::SessionRow;
use gitlab_duo_core::model::status::Status;
use serde_json::Value;

use crate::start::{by_consumer, by_flow, start};
use crate::through::Through;
use crate::world::{at, gitlab, now_or_never, session};

#[test]
fn the_same_start_within_ten_minutes_is_refused_with_the_first_session() {
    let rows: [(&str, Status, &str, bool); 7] = [
        ("2026-10-20T11:55:00Z", Status::Running, "Tidy up", true),
        ("2026-10-20T11:55:00Z", Status::Created, " Tidy up\n", true),
        ("2026-10-20T11:55:00Z", Status::InputRequired, "Tidy up", true),
        ("2026-10-20T11:50:00Z", Status::Running, "Tidy up", false),
        ("2026-10-20T11:55:00Z", Status::Failed, "Tidy up", false),
        ("2026-10-20T11:55:00Z", Status::Running, "Tidy up more", false),
        ("2026-10-20T12:00:05Z", Status::Running, "Tidy up", true),
    ];
    for (created_at, status, goal, is_duplicate) in rows {
        let gitlab = gitlab("19.5.0");
        let mut first = session(42, status.clone());
        first.row.created_at = Some(at(created_at));
        first.row.goal = Some(goal.to_owned());
        gitlab.world().sessions.push(first);
        let error = start(&gitlab, by_flow("developer/v1"))["error"].clone();
        assert_eq!(error["kind"] == "duplicate", is_duplicate, "{created_at} {goal:?}: {error}");
        assert!(!is_duplicate || error["workflow_id"] == "42");
        assert!(!is_duplicate || error["status"] == status.name());
        assert_eq!(gitlab.world().writes(), usize::from(!is_duplicate));
        // What is allowed is no duplicate.
        let allowed = StartSession { duplicates: Duplicates::Allow, ..by_flow("developer/v1") };
        assert_eq!(start(&gitlab, allowed)["error"], Value::Null);
    }
}

#[test]
fn another_project_flow_or_name_is_another_start() {
    type Change = fn(&mut SessionRow);
    let custom: Change = |row| {
        row.flow = Some("ai_catalog_agent".to_owned());
        row.agent_name = Some("Invoice keeper".to_owned());
    };
    let rows: [(&str, StartSession, Change, bool); 10] = [
        ("19.5.0", by_flow("developer/v1"), |_| {}, true),
        ("19.5.0", by_flow("developer/v1"), |row| row.project.id = ProjectId::new(4711), false),
        ("19.5.0", by_flow("developer/v1"), |row| row.project.id = None, true),
        ("19.5.0", by_flow("developer/v1"), |row| row.flow = Some("issue_to_mr/v1".into()), false),
        ("19.5.0", by_flow("developer/v1"), |row| row.flow = None, true),
        ("19.5.0", by_flow("developer/v1"), |row| row.goal = None, false),
        ("19.5.0", by_consumer(91), |_| {}, false),
        ("19.5.0", by_consumer(91), custom, true),
        ("18.7.0", by_consumer(91), custom, true),
        (
            "19.5.0",
            by_consumer(91),
            |row| {
                row.flow = Some("ai_catalog_agent".to_owned());
                row.agent_name = Some("Release notes".to_owned());
            },
            false,
        ),
    ];
    for (number, (version, request, change, is_duplicate)) in rows.into_iter().enumerate() {
        let gitlab = gitlab(version);
        let mut first = session(42, Status::Running);
        first.row.created_at = Some(at("2026-10-20T11:55:00Z"));
        first.row.goal = Some("Tidy up".to_owned());
        change(&mut first.row);
        gitlab.world().sessions.push(first);
        let view = start(&gitlab, request);
        assert_eq!(view["error"]["kind"] == "duplicate", is_duplicate, "row {number}: {view}");
        assert_eq!(gitlab.world().writes(), usize::from(!is_duplicate), "row {number}");
    }
}

#[test]
fn for_duplicates_the_newest_fifty_of_the_project_are_looked_at() {
    let through = Through::new(gitlab("19.5.0"));
    now_or_never(start_session(&through, &Scope::default(), by_flow("developer/v1"))).unwrap();
    let expected = SessionQuery {
        project: ProjectPath::parse("example-group/backend").ok(),
        first: PageSize::new(50).unwrap(),
        ..SessionQuery::default()
    };
    assert_eq!(*through.session_queries.lock().unwrap(), [expected]);
}

#[test]
fn a_start_that_cannot_be_checked_for_duplicates_is_not_made() {
    let gitlab = gitlab("19.5.0");
    let limited = GatewayError::new(ErrorKind::RateLimited, "too many");
    gitlab.world().failures.push_back(("sessions", limited, Outcome::Refused));
    assert_eq!(start(&gitlab, by_flow("developer/v1"))["error"]["kind"], "rate_limited");
    assert_eq!(gitlab.world().writes(), 0);
}
