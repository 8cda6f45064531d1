//! Starting a session.

use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, plan_start, start_session};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::Run;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId, ProjectId};
use gitlab_duo_core::model::project::ProjectPath;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{AgentReference, Selector};
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_core::view::error::ErrorView;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{backend, flow, gitlab, json as to_json, noon, now_or_never};

pub(crate) fn by_flow(reference: &str) -> StartSession {
    StartSession {
        project: backend(),
        selector: Selector::Flow(flow(reference)),
        goal: Some("Tidy up".to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: noon(),
    }
}

pub(crate) fn by_consumer(id: u64) -> StartSession {
    StartSession { selector: Selector::Consumer(ConsumerId::new(id).unwrap()), ..by_flow("x") }
}

fn by_agent(reference: &str) -> StartSession {
    StartSession { selector: Selector::Agent(AgentReference::new(reference).unwrap()), ..by_flow("x") }
}

pub(crate) fn start(gitlab: &MemoryGitLab, request: StartSession) -> Value {
    let result = now_or_never(start_session(gitlab, &Scope::default(), request));
    result.map_or_else(|error| json!({"error": ErrorView::of(&error)}), |view| to_json(&view))
}

#[test]
fn a_flow_is_started_by_the_consumer_of_this_project() {
    let gitlab = gitlab("19.5.0");
    let view = start(&gitlab, by_flow("developer/v1"));
    assert_eq!((&view["status"], &view["poll_after_seconds"]), (&json!("created"), &json!(120)));
    assert_eq!(
        view["web_url"],
        "https://gitlab.example.com/example-group/backend/-/automate/agent-sessions/1"
    );
    let world = gitlab.world();
    assert_eq!(world.started.len(), 1);
    assert_eq!(world.started[0].run, Run::Consumer(ConsumerId::new(723).unwrap()));
    assert_eq!(
        (world.started[0].project, &*world.started[0].goal),
        (ProjectId::new(4021).unwrap(), "Tidy up")
    );
    assert_eq!(world.calls, ["instance", "project", "catalog_page", "sessions", "start_session"]);
}

#[test]
fn what_cannot_be_started_is_refused_before_any_write_and_names_what_can() {
    let rows: [(StartSession, &str); 11] = [
        (by_flow("unknown/v1"), "not_found"),
        (by_flow("switched_off/v1"), "forbidden"),
        (by_consumer(9999), "not_found"),
        // The id of a catalog item is not that of its consumer.
        (by_consumer(1_723), "not_found"),
        (by_agent("unknown"), "not_found"),
        (by_agent("chat"), "forbidden"),
        (by_agent("agentic_chat/v1"), "forbidden"),
        (by_consumer(90), "forbidden"),
        (by_consumer(88), "forbidden"),
        (by_consumer(80), "forbidden"),
        (by_flow("convert_to_gl_ci/v1"), "forbidden"),
    ];
    for (request, expected) in rows {
        let gitlab = gitlab("19.5.0");
        {
            let mut world = gitlab.world();
            let mut draft = crate::world::consumer(90, None, "Draft flow");
            draft.released = Some(false);
            let mut disabled = crate::world::consumer(88, None, "Old flow");
            disabled.enabled = Some(false);
            let mut inherited = crate::world::consumer(80, None, "Inherited flow");
            inherited.project_path = None;
            let mut refused = crate::world::consumer(729, Some("convert_to_gl_ci/v1"), "Convert");
            refused.may_execute = Some(false);
            let mut off = crate::world::consumer(731, Some("switched_off/v1"), "Off");
            off.enabled = Some(false);
            world.consumers.extend([draft, disabled, inherited, refused, off]);
        }
        let selector = request.selector.clone();
        let error = start(&gitlab, request)["error"].clone();
        assert_eq!(error["kind"], expected, "{selector:?}: {error}");
        let offer = error["next_step"].as_str().unwrap();
        let named = if matches!(selector, Selector::Agent(_)) { "duo_planner/v1" } else { "developer/v1" };
        assert!(offer.contains(named), "{offer}");
        assert_eq!(gitlab.world().writes(), 0);
    }
}

#[test]
fn of_two_rows_of_a_flow_the_enabled_one_is_started() {
    let gitlab = gitlab("19.5.0");
    let mut old = crate::world::consumer(700, Some("developer/v1"), "Developer");
    old.enabled = Some(false);
    gitlab.world().consumers.insert(0, old);
    start(&gitlab, by_flow("developer/v1"));
    assert_eq!(gitlab.world().started[0].run, Run::Consumer(ConsumerId::new(723).unwrap()));
}

#[test]
fn a_flow_that_is_enabled_in_a_group_or_elsewhere_is_not_this_projects_own() {
    for path in [None, ProjectPath::parse("acme/platform/api").ok()] {
        let gitlab = gitlab("19.5.0");
        let mut foreign = crate::world::consumer(700, Some("developer/v1"), "Developer");
        foreign.project_path = path;
        gitlab.world().consumers.insert(0, foreign);
        start(&gitlab, by_flow("developer/v1"));
        assert_eq!(gitlab.world().started[0].run, Run::Consumer(ConsumerId::new(723).unwrap()));
        gitlab.world().consumers.remove(1);
        let again = StartSession { duplicates: Duplicates::Allow, ..by_flow("developer/v1") };
        assert_eq!(start(&gitlab, again)["error"]["kind"], "not_found");
        assert_eq!(gitlab.world().writes(), 1);
    }
}

#[test]
fn a_refusal_names_a_dozen_flows_at_most() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().consumers = (100..140).map(|id| crate::world::consumer(id, None, "One")).collect();
    let error = start(&gitlab, by_flow("unknown/v1"))["error"].clone();
    let offer = error["next_step"].as_str().unwrap();
    assert_eq!(offer.matches("consumer_id").count(), 12, "{offer}");
}

#[test]
fn gitlabs_own_message_and_flow_are_passed_on() {
    let through = Through::new(gitlab("19.5.0"));
    let view = now_or_never(start_session(&through, &Scope::default(), by_flow("developer/v1"))).unwrap();
    let view = to_json(&view);
    assert_eq!(
        (&view["message"], &view["flow"], &view["workflow_id"]),
        (&json!("No runner takes it."), &json!("developer/v1"), &json!("1"))
    );
}

#[test]
fn a_refused_start_of_an_agent_may_have_left_a_session_behind_and_only_that() {
    let rows = [
        (by_agent("duo_planner/v1"), ErrorKind::Forbidden, true),
        (by_agent("duo_planner/v1"), ErrorKind::InvalidArguments, true),
        (by_agent("duo_planner/v1"), ErrorKind::RateLimited, false),
        (by_flow("developer/v1"), ErrorKind::Forbidden, false),
    ];
    for (request, failure, is_told) in rows {
        let gitlab = gitlab("19.5.0");
        let error = GatewayError::new(failure, "no");
        gitlab.world().failures.push_back(("start_session", error, Outcome::Refused));
        let error = start(&gitlab, request)["error"].clone();
        assert_eq!(error["kind"], failure.name());
        assert_eq!(
            error["next_step"].as_str().unwrap().contains("left a session behind"),
            is_told,
            "{error}"
        );
    }
}

#[test]
fn below_18_9_it_is_said_that_the_need_of_a_url_is_not_known() {
    for (version, is_said) in [("18.8.0", true), ("18.9.0", false)] {
        let view = start(&gitlab(version), by_consumer(91));
        assert_eq!(view["hints"].to_string().contains("does not tell whether"), is_said, "{view}");
    }
}

#[test]
fn an_agent_is_started_by_its_full_reference() {
    let gitlab = gitlab("19.5.0");
    start(&gitlab, by_agent("duo_planner"));
    let reference = AgentReference::new("duo_planner/v1").unwrap();
    assert_eq!(gitlab.world().started[0].run, Run::Agent(reference));
}

#[test]
fn a_catalog_item_stands_for_its_consumer_in_this_project() {
    let by_item = |id| StartSession {
        selector: Selector::CatalogItem(CatalogItemId::new(id).unwrap()),
        ..by_flow("x")
    };
    let gitlab = gitlab("19.5.0");
    start(&gitlab, by_item(1_091));
    assert_eq!(gitlab.world().started[0].run, Run::Consumer(ConsumerId::new(91).unwrap()));
    // The number of a consumer is none of an item.
    let error = start(&gitlab, by_item(91))["error"].clone();
    assert_eq!(error["message"], "catalog item 91 is not enabled in project `example-group/backend`");
    let error = start(&gitlab, by_item(1_723))["error"].clone();
    assert_eq!(error["kind"], "invalid_arguments");
    assert_eq!(error["next_step"], "start it by its reference: flow `developer/v1`");
    assert_eq!(gitlab.world().writes(), 1);
}

#[test]
fn each_selector_has_its_gate_decided_before_anything_is_read() {
    let rows = [
        ("18.8.0", by_flow("developer/v1"), "to start by foundational reference GitLab 18.9"),
        ("18.6.0", by_consumer(91), "to start a catalog flow by consumer GitLab 18.7"),
        ("19.4.0", by_agent("duo_planner/v1"), "to start foundational agents GitLab 19.5"),
    ];
    for (version, request, message) in rows {
        let gitlab = gitlab(version);
        let error = start(&gitlab, request)["error"].clone();
        assert_eq!(error["kind"], "version");
        assert!(error["message"].as_str().unwrap().starts_with(message), "{error}");
        assert_eq!(gitlab.world().calls, ["instance"]);
    }
}

#[test]
fn a_goal_is_needed_and_bounded_by_version() {
    let with_goal = |goal: Option<String>| StartSession { goal, ..by_consumer(91) };
    let rows = [
        ("19.5.0", None, false),
        ("19.5.0", Some(String::new()), false),
        ("19.5.0", Some(" \n".to_owned()), false),
        ("19.4.0", Some("ä".repeat(16_384)), true),
        ("19.4.0", Some("ä".repeat(16_385)), false),
        ("19.5.0", Some("a".repeat(65_536)), true),
        ("19.5.0", Some("a".repeat(65_537)), false),
        ("19.5.0", Some("字".repeat(43_348)), true),
        ("19.5.0", Some("字".repeat(43_350)), false),
    ];
    for (number, (version, goal, is_started)) in rows.into_iter().enumerate() {
        let gitlab = gitlab(version);
        let view = start(&gitlab, with_goal(goal));
        assert_eq!(view["error"].is_null(), is_started, "row {number}");
        assert_eq!(gitlab.world().writes(), usize::from(is_started));
        assert!(is_started || view["error"]["kind"] == "invalid_arguments");
    }
}

#[test]
fn a_dry_run_checks_everything_and_starts_nothing() {
    let gitlab = gitlab("19.5.0");
    let long = StartSession { goal: Some("g".repeat(200)), ..by_flow("developer/v1") };
    let view = to_json(&now_or_never(plan_start(&gitlab, &Scope::default(), long)).unwrap());
    assert_eq!(
        view,
        json!({
            "dry_run": true,
            "would_start": {
                "project_id": "4021", "ai_catalog_item_consumer_id": 723, "goal": "g".repeat(160),
                "goal_truncated": true, "goal_chars": 200, "start_workflow": true,
            },
        })
    );
    assert_eq!(gitlab.world().writes(), 0);
    let unknown = now_or_never(plan_start(&gitlab, &Scope::default(), by_flow("unknown/v1")));
    assert_eq!(unknown.unwrap_err().kind, ErrorKind::NotFound);
}

#[test]
fn policy_comes_before_the_catalog_and_before_any_write() {
    let gitlab = gitlab("19.5.0");
    let read_only = Scope { access: Access::ReadOnly, ..Scope::default() };
    let refused = now_or_never(start_session(&gitlab, &read_only, by_flow("developer/v1"))).unwrap_err();
    assert_eq!((refused.kind, gitlab.world().calls.len()), (ErrorKind::Policy, 0));
    let planned = now_or_never(plan_start(&gitlab, &read_only, by_flow("developer/v1"))).unwrap_err();
    assert_eq!((planned.kind, gitlab.world().calls.len()), (ErrorKind::Policy, 0));
    let elsewhere = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    let refused = now_or_never(start_session(&gitlab, &elsewhere, by_flow("developer/v1"))).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Policy);
    assert_eq!(gitlab.world().calls, ["instance", "project"]);
}

#[test]
fn the_outcome_of_a_write_is_done_refused_accepted_or_unknown() {
    let rows = [
        (Outcome::Refused, ErrorKind::Forbidden, "forbidden"),
        (Outcome::Refused, ErrorKind::Server, "server"),
        (Outcome::Refused, ErrorKind::Network, "network"),
        (Outcome::Unknown, ErrorKind::Timeout, "outcome_unknown"),
        (Outcome::Accepted, ErrorKind::Unreadable, "unreadable"),
    ];
    for (outcome, kind, expected) in rows {
        let gitlab = gitlab("19.5.0");
        gitlab.world().failures.push_back(("start_session", GatewayError::new(kind, "why"), outcome));
        assert_eq!(start(&gitlab, by_flow("developer/v1"))["error"]["kind"], expected);
        assert_eq!(gitlab.world().calls.iter().filter(|call| **call == "start_session").count(), 1);
    }
}
