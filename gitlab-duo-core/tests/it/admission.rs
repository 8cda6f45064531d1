//! What is admitted before a session is read, and what is never shown.

use gitlab_duo_core::actions::get_session::get_session;
use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::project::{ProjectLink, ProjectPath};
use gitlab_duo_core::model::scope::{Scope, Subgroups, WorkingScope};
use gitlab_duo_core::model::session::Session;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use serde_json::{Value, json};

use crate::get::{get, request};
use crate::through::Through;
use crate::world::{gitlab, kind, now_or_never, project, session, workflow};

#[test]
fn no_detail_is_fetched_before_the_real_project_is_admitted() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Running));
    let elsewhere = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    assert_eq!(get(&gitlab, &elsewhere), json!({"error": "policy"}));
    assert_eq!(gitlab.world().calls, ["instance", "session_project"]);
    gitlab.world().calls.clear();
    let here = Scope { allowed_projects: Some([ProjectId::new(4021).unwrap()].into()), ..Scope::default() };
    assert_eq!(get(&gitlab, &here)["workflow_id"], "7");
    assert_eq!(gitlab.world().calls, ["instance", "session_project", "session"]);
}

#[test]
fn a_missing_path_is_looked_up_for_the_view_and_for_the_scope() {
    let with_id_only = || {
        let gitlab = gitlab("17.3.0");
        let mut session = session(7, Status::Running);
        session.row.project = ProjectLink { id: ProjectId::new(4021), ..ProjectLink::default() };
        gitlab.world().sessions.push(session);
        gitlab
    };
    let within = |path: &str| {
        let path = ProjectPath::parse(path).unwrap();
        Scope { working: vec![WorkingScope { path, subgroups: Subgroups::Included }], ..Scope::default() }
    };
    assert_eq!(get(&with_id_only(), &Scope::default())["project"], "example-group/backend");
    let here = with_id_only();
    assert_eq!(get(&here, &within("example-group"))["project"], "example-group/backend");
    assert_eq!(here.world().calls[..4], ["instance", "session_project", "project", "session"]);
    let elsewhere = with_id_only();
    assert_eq!(get(&elsewhere, &within("acme")), json!({"error": "policy"}));
    assert_eq!(elsewhere.world().calls, ["instance", "session_project", "project"]);
    // The operator's ids need no look-up, and are checked before one.
    let gitlab = with_id_only();
    let scope =
        Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..within("example-group") };
    assert_eq!(get(&gitlab, &scope), json!({"error": "policy"}));
    assert_eq!(gitlab.world().calls, ["instance", "session_project"]);
}

#[test]
fn details_of_another_session_or_project_are_never_shown() {
    let answering = |change| {
        let gitlab = gitlab("19.5.0");
        gitlab.world().sessions.push(session(7, Status::Running));
        Through { session: change, ..Through::new(gitlab) }
    };
    let other_session = answering(|session| session.row.id = workflow(8));
    let read = |through: &Through, scope: &Scope| kind(now_or_never(get_session(through, scope, request(7))));
    assert_eq!(read(&other_session, &Scope::default()), "unreadable");
    // The project was admitted; what the details say of it counts as well.
    let moved =
        |session: &mut Session| session.row.project = ProjectLink::from(project(4711, "acme/platform/api"));
    let path = ProjectPath::parse("example-group").unwrap();
    let by_id = Scope { allowed_projects: Some([ProjectId::new(4021).unwrap()].into()), ..Scope::default() };
    let working = vec![WorkingScope { path, subgroups: Subgroups::Included }];
    for scope in [by_id, Scope { working, ..Scope::default() }] {
        assert_eq!(read(&answering(moved), &scope), "policy");
    }
}

#[test]
fn without_a_restriction_one_request_does_it_all() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Running));
    get(&gitlab, &Scope::default());
    assert_eq!(gitlab.world().calls, ["instance", "session"]);
}

#[test]
fn a_session_without_a_project_is_refused_as_soon_as_projects_are_restricted() {
    let gitlab = gitlab("19.5.0");
    let mut session = session(7, Status::Running);
    session.row.project = ProjectLink::default();
    gitlab.world().sessions.push(session);
    let path = ProjectPath::parse("example-group").unwrap();
    let working = vec![WorkingScope { path, subgroups: Subgroups::Included }];
    assert_eq!(get(&gitlab, &Scope { working, ..Scope::default() }), json!({"error": "policy"}));
    assert_eq!(get(&gitlab, &Scope::default())["project"], Value::Null);
}

#[test]
fn refusals_come_in_order_and_failures_are_never_absence() {
    let off = Scope { access: Access::Off, ..Scope::default() };
    let gitlab = gitlab("19.5.0");
    assert_eq!(kind(now_or_never(get_session(&gitlab, &off, request(7)))), "policy");
    assert!(gitlab.world().calls.is_empty());
    assert_eq!(kind(now_or_never(get_session(&gitlab, &Scope::default(), request(7)))), "not_found");
    let failure = GatewayError::new(ErrorKind::Unauthorized, "no");
    gitlab.world().failures.push_back((
        "session",
        failure,
        gitlab_duo_core::gateway::error::Outcome::Refused,
    ));
    assert_eq!(kind(now_or_never(get_session(&gitlab, &Scope::default(), request(7)))), "unauthorized");
    let old = crate::world::gitlab("16.11.0");
    assert_eq!(kind(now_or_never(get_session(&old, &Scope::default(), request(7)))), "version");
}
