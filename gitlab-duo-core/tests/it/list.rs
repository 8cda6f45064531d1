//! Listing sessions.

use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::{SessionFilter, SessionQuery};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::{Cursor, PageInfo, PageSize};
use gitlab_duo_core::model::project::{ProjectLink, ProjectPath};
use gitlab_duo_core::model::scope::{Scope, Subgroups, WorkingScope};
use gitlab_duo_core::model::status::{Status, StatusGroup};
use gitlab_duo_core::rules::policy::Access;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{backend, gitlab, json as to_json, kind, now_or_never, project, session};

fn list(gitlab: &MemoryGitLab, scope: &Scope, request: ListSessions) -> Value {
    to_json(&now_or_never(list_sessions(gitlab, scope, request)).unwrap())
}

fn ids(view: &Value) -> Vec<&str> {
    view["sessions"].as_array().unwrap().iter().map(|row| row["workflow_id"].as_str().unwrap()).collect()
}

/// Backend, acme, an id without a path, an id of a hidden project, no project.
fn five_sessions(version: &str) -> MemoryGitLab {
    let gitlab = gitlab(version);
    let links = [
        ProjectLink::from(project(4021, "example-group/backend")),
        ProjectLink::from(project(4711, "acme/platform/api")),
        ProjectLink { id: ProjectId::new(4711), ..ProjectLink::default() },
        ProjectLink { id: ProjectId::new(9999), ..ProjectLink::default() },
        ProjectLink::default(),
    ];
    for (id, link) in (1..).zip(links) {
        let mut session = session(id, Status::Running);
        session.row.project = link;
        gitlab.world().sessions.push(session);
    }
    gitlab
}

fn acme() -> Scope {
    let path = ProjectPath::parse("acme").unwrap();
    Scope { working: vec![WorkingScope { path, subgroups: Subgroups::Included }], ..Scope::default() }
}

#[test]
fn a_row_holds_what_the_next_call_needs() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Running));
    let view = list(&gitlab, &Scope::default(), ListSessions::default());
    assert_eq!(
        view,
        json!({
            "sessions": [{
                "workflow_id": "7",
                "status": "running",
                "goal": "Investigate and repair the failing unit tests",
                "flow": "developer/v1",
                "project": "example-group/backend",
                "web_url": "https://gitlab.example.com/example-group/backend/-/automate/agent-sessions/7",
                "created_at": "2026-10-20T11:10:00Z",
            }],
            "pageInfo": {"hasNextPage": null, "endCursor": null},
        })
    );
}

#[test]
fn a_missing_path_is_looked_up_once_per_distinct_project() {
    let gitlab = five_sessions("17.3.0");
    let mut again = session(6, Status::Running);
    again.row.project = ProjectLink { id: ProjectId::new(9999), ..ProjectLink::default() };
    gitlab.world().sessions.push(again);
    let view = list(&gitlab, &Scope::default(), ListSessions::default());
    assert_eq!(ids(&view), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(view["sessions"][2]["project"], "acme/platform/api");
    assert_eq!(view["sessions"][3]["project"], Value::Null);
    assert_eq!(gitlab.world().calls.iter().filter(|call| **call == "project").count(), 2);
}

#[test]
fn a_working_scope_counts_what_it_cannot_verify_apart_from_what_it_excludes() {
    let gitlab = five_sessions("19.5.0");
    gitlab.world().page_info =
        PageInfo { has_next_page: Some(true), end_cursor: Some(Cursor::received("Mg")) };
    let view = list(&gitlab, &acme(), ListSessions::default());
    assert_eq!(ids(&view), ["2", "3"]);
    assert_eq!((&view["skipped_unverifiable_sessions"], &view["excluded_by_policy"]), (&json!(2), &json!(1)));
    assert_eq!(view["pageInfo"], json!({"hasNextPage": true, "endCursor": "Mg"}));
}

#[test]
fn allowed_projects_come_before_the_scope_and_are_counted_as_policy() {
    let gitlab = five_sessions("19.5.0");
    let scope = Scope { allowed_projects: Some([ProjectId::new(4711).unwrap()].into()), ..acme() };
    let view = list(&gitlab, &scope, ListSessions::default());
    assert_eq!(ids(&view), ["2", "3"]);
    assert_eq!((view.get("skipped_unverifiable_sessions"), &view["excluded_by_policy"]), (None, &json!(3)));
}

#[test]
fn any_other_failure_of_a_look_up_fails_the_request() {
    let kinds = [
        ErrorKind::Unauthorized,
        ErrorKind::Forbidden,
        ErrorKind::RateLimited,
        ErrorKind::Server,
        ErrorKind::Network,
        ErrorKind::Timeout,
        ErrorKind::Unreadable,
        ErrorKind::TooLarge,
    ];
    for error in kinds {
        let gitlab = five_sessions("19.5.0");
        gitlab.world().failures.push_back(("project", GatewayError::new(error, "no"), Outcome::Refused));
        assert_eq!(
            kind(now_or_never(list_sessions(&gitlab, &acme(), ListSessions::default()))),
            error.name()
        );
    }
}

#[test]
fn a_filter_that_the_instance_does_not_know_is_applied_here_and_said() {
    let gitlab = gitlab("17.3.0");
    gitlab.world().unknown_filters = vec![SessionFilter::StatusGroup, SessionFilter::Statuses];
    let statuses = [Status::Running, Status::Finished, Status::Other("compacting".to_owned())];
    for (id, status) in (1..).zip(statuses) {
        gitlab.world().sessions.push(session(id, status));
    }
    let group = ListSessions { status_group: Some(StatusGroup::Active), ..ListSessions::default() };
    let view = list(&gitlab, &Scope::default(), group);
    assert_eq!(ids(&view), ["1"]);
    assert_eq!(view["filtered_here"], json!(["status_group"]));
    let statuses = ListSessions { statuses: vec![Status::Finished], ..ListSessions::default() };
    let view = list(&gitlab, &Scope::default(), statuses);
    assert_eq!((ids(&view), &view["filtered_here"]), (vec!["2"], &json!(["statuses"])));
}

#[test]
fn what_is_asked_for_goes_to_gitlab_as_it_is() {
    let through = Through::new(gitlab("19.5.0"));
    let grouped = ListSessions {
        project: Some(backend()),
        status_group: Some(StatusGroup::Active),
        first: PageSize::new(7).unwrap(),
        after: Some(Cursor::received(" eyJpZCI6IjEifQ== ")),
        ..ListSessions::default()
    };
    let by_status =
        ListSessions { statuses: vec![Status::Running, Status::Paused], ..ListSessions::default() };
    for asked in [&grouped, &by_status] {
        now_or_never(list_sessions(&through, &Scope::default(), asked.clone())).unwrap();
    }
    let grouped = SessionQuery {
        project: ProjectPath::parse("example-group/backend").ok(),
        status_group: grouped.status_group,
        statuses: Vec::new(),
        first: grouped.first,
        after: grouped.after,
    };
    let by_status = SessionQuery { statuses: by_status.statuses, ..SessionQuery::default() };
    assert_eq!(*through.session_queries.lock().unwrap(), [grouped, by_status]);
}

#[test]
fn details_that_an_instance_lacks_are_listed() {
    let through = Through::new(gitlab("19.5.0"));
    let view = now_or_never(list_sessions(&through, &Scope::default(), ListSessions::default())).unwrap();
    assert_eq!(to_json(&view)["unavailable"], json!([{"detail": "of_the_list", "since": "19.5"}]));
}

#[test]
fn a_goal_is_a_preview_and_says_so() {
    let gitlab = gitlab("19.5.0");
    let mut long = session(7, Status::Running);
    long.row.goal = Some("g".repeat(161));
    gitlab.world().sessions.push(long);
    let row = &list(&gitlab, &Scope::default(), ListSessions::default())["sessions"][0];
    assert_eq!(row["goal"], "g".repeat(160));
    assert_eq!((&row["goal_truncated"], &row["goal_chars"]), (&json!(true), &json!(161)));
}

#[test]
fn the_rows_keep_gitlabs_order() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions = [5, 9, 7].map(|id| session(id, Status::Running)).into();
    assert_eq!(ids(&list(&gitlab, &Scope::default(), ListSessions::default())), ["5", "9", "7"]);
}

#[test]
fn the_name_of_a_custom_flow_is_shown_and_no_other() {
    let gitlab = gitlab("19.5.0");
    for (id, flow) in [(1, "ai_catalog_agent"), (2, "developer/v1")] {
        let mut named = session(id, Status::Running);
        named.row.flow = Some(flow.to_owned());
        named.row.agent_name = Some("Invoice keeper".to_owned());
        gitlab.world().sessions.push(named);
    }
    let view = list(&gitlab, &Scope::default(), ListSessions::default());
    assert_eq!(view["sessions"][0]["agent"], "Invoice keeper");
    assert_eq!(view["sessions"][1].get("agent"), None);
}

#[test]
fn refusals_come_before_the_list_is_read() {
    let untouched = gitlab("19.5.0");
    let off = Scope { access: Access::Off, ..Scope::default() };
    assert_eq!(kind(now_or_never(list_sessions(&untouched, &off, ListSessions::default()))), "policy");
    assert!(untouched.world().calls.is_empty());
    let old = gitlab("17.2.0");
    let refused = now_or_never(list_sessions(&old, &Scope::default(), ListSessions::default()));
    assert_eq!((kind(refused), &*old.world().calls), ("version", &["instance"][..]));
    // A project that is asked for narrows: it opens nothing that the settings close.
    let asked = || ListSessions { project: Some(backend()), ..ListSessions::default() };
    let one = Scope { allowed_projects: Some([ProjectId::new(4711).unwrap()].into()), ..Scope::default() };
    for scope in [acme(), one] {
        let gitlab = five_sessions("19.5.0");
        assert_eq!(kind(now_or_never(list_sessions(&gitlab, &scope, asked()))), "policy");
        assert_eq!(gitlab.world().calls, ["instance", "project"]);
    }
}

#[test]
fn a_project_filter_on_the_oldest_instance_compares_ids() {
    let gitlab = five_sessions("17.3.0");
    gitlab.world().unknown_filters = vec![SessionFilter::Project];
    let view = list(
        &gitlab,
        &Scope::default(),
        ListSessions { project: Some(backend()), ..ListSessions::default() },
    );
    assert_eq!(ids(&view), ["1"]);
    assert_eq!((&view["excluded_by_policy"], &view["filtered_here"]), (&json!(3), &json!(["project_id"])));
}

/// Answers that ignore the filter: by id, by path alone, and rows that do not tell.
#[test]
fn a_row_of_another_project_is_never_shown_under_a_project() {
    let of = |path: &str| ProjectPath::parse(path).ok();
    let rows = [
        (ProjectLink { path: of("Example-Group/Backend"), ..ProjectLink::default() }, true),
        (ProjectLink { path: of("acme/platform/api"), ..ProjectLink::default() }, false),
        (ProjectLink { id: ProjectId::new(4711), ..ProjectLink::default() }, false),
        (ProjectLink::default(), true),
    ];
    for (link, is_shown) in rows {
        let gitlab = gitlab("19.5.0");
        let mut row = session(7, Status::Running);
        row.row.project = link.clone();
        gitlab.world().sessions.push(row);
        let through = Through { ignores_project: true, ..Through::new(gitlab) };
        let asked = ListSessions { project: Some(backend()), ..ListSessions::default() };
        let view = to_json(&now_or_never(list_sessions(&through, &Scope::default(), asked)).unwrap());
        assert_eq!(ids(&view).len(), usize::from(is_shown), "{link:?}: {view}");
        assert_eq!(view.get("excluded_by_policy").is_some(), !is_shown, "{link:?}: {view}");
    }
}

#[test]
fn an_empty_page_with_a_next_one_says_that_more_follows() {
    let gitlab = five_sessions("19.5.0");
    gitlab.world().sessions.truncate(1);
    gitlab.world().page_info.has_next_page = Some(true);
    let view = list(&gitlab, &acme(), ListSessions::default());
    assert!(view["hints"][0].as_str().unwrap().contains("more pages follow"));
}

#[test]
fn a_group_beside_statuses_is_refused_before_any_request() {
    let gitlab = gitlab("19.5.0");
    let both = ListSessions {
        status_group: Some(StatusGroup::Active),
        statuses: vec![Status::Running],
        ..ListSessions::default()
    };
    assert_eq!(kind(now_or_never(list_sessions(&gitlab, &Scope::default(), both))), "invalid_arguments");
    assert!(gitlab.world().calls.is_empty());
}
