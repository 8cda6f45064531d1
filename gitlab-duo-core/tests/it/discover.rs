//! Discovering what a project offers.

use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::CatalogQuery;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::catalog::{Consumer, ItemFilter, ItemType};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::{Cursor, PageInfo, PageSize};
use gitlab_duo_core::model::project::{ProjectPath, ProjectRef};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::policy::Access;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{backend, consumer, gitlab, json as to_json, kind, now_or_never};

fn request() -> AgentsAndFlows {
    AgentsAndFlows { project: backend(), item_type: None, first: PageSize::default(), after: None }
}

fn discover(gitlab: &MemoryGitLab, request: AgentsAndFlows) -> Value {
    to_json(&now_or_never(agents_and_flows(gitlab, &Scope::default(), request)).unwrap())
}

fn row(version: &str, change: impl FnOnce(&mut Consumer)) -> Value {
    let gitlab = gitlab(version);
    let mut consumer = consumer(91, None, "Invoice keeper");
    change(&mut consumer);
    gitlab.world().consumers = vec![consumer];
    let flows = AgentsAndFlows { item_type: Some(ItemFilter::Flow), ..request() };
    discover(&gitlab, flows)["items"][0].clone()
}

fn set_type(consumer: &mut Consumer, item_type: ItemType) {
    consumer.item.as_mut().unwrap().item_type = Some(item_type);
}

#[test]
fn a_row_holds_selectors_and_whether_they_work() {
    let gitlab = gitlab("19.5.0");
    let view = discover(&gitlab, request());
    assert_eq!(
        view["items"][4],
        json!({
            "name": "Fix CI/CD Pipeline", "description": "Does one thing well.", "type": "flow", "foundational": true,
            "flow": "fix_pipeline/v1", "agent": null, "consumer_id": "725", "can_start_session": true, "why_not": null,
            "requires_url": "pipeline",
        })
    );
    assert_eq!(view["items"][5]["requires_url"], "merge_request");
    assert_eq!(view["items"][6]["flow"], Value::Null);
    assert_eq!(view["eligibility"]["runner_available"], Value::Null);
}

#[test]
fn whether_a_consumer_can_be_started_is_true_false_or_unknown() {
    type Change = Box<dyn FnOnce(&mut Consumer)>;
    let rows: [(&str, Change, Value); 12] = [
        ("19.5.0", Box::new(|_| {}), json!(true)),
        ("19.5.0", Box::new(|consumer| consumer.may_execute = Some(false)), json!(false)),
        ("19.5.0", Box::new(|consumer| consumer.may_execute = None), Value::Null),
        ("19.4.0", Box::new(|consumer| consumer.may_execute = None), Value::Null),
        (
            "19.4.0",
            Box::new(|consumer| (consumer.may_execute, consumer.released) = (None, Some(false))),
            json!(false),
        ),
        ("18.5.0", Box::new(|consumer| consumer.may_execute = None), json!(false)),
        ("19.5.0", Box::new(|consumer| consumer.project_path = None), json!(false)),
        ("19.5.0", Box::new(|consumer| consumer.project_path = ProjectPath::parse("a/b").ok()), json!(false)),
        ("19.5.0", Box::new(|consumer| set_type(consumer, ItemType::ThirdPartyFlow)), json!(false)),
        ("19.5.0", Box::new(|consumer| set_type(consumer, ItemType::Agent)), json!(false)),
        ("19.5.0", Box::new(|consumer| consumer.item = None), json!(false)),
        ("19.5.0", Box::new(|consumer| consumer.id = None), json!(false)),
    ];
    for (number, (version, change, expected)) in rows.into_iter().enumerate() {
        let row = row(version, change);
        assert_eq!(row["can_start_session"], expected, "row {number}: {row}");
        assert_eq!(row["why_not"].is_null(), expected == json!(true), "row {number}: {row}");
        assert_eq!(row["consumer_id"].is_null(), expected == json!(false), "row {number}: {row}");
    }
}

#[test]
fn a_type_of_a_new_kind_may_be_startable_and_has_no_selector() {
    let row = row("19.5.0", |consumer| set_type(consumer, ItemType::Other("swarm".to_owned())));
    assert_eq!(
        (&row["type"], &row["can_start_session"], &row["consumer_id"]),
        (&json!("swarm"), &Value::Null, &Value::Null)
    );
    assert!(row["why_not"].as_str().unwrap().contains("not known here"), "{row}");
}

#[test]
fn a_description_is_a_preview_and_says_so() {
    let long = "d".repeat(121);
    let gitlab = gitlab("19.5.0");
    gitlab.world().agents.truncate(1);
    gitlab.world().agents[0].description = Some(long.clone());
    gitlab.world().consumers.truncate(1);
    gitlab.world().consumers[0].item.as_mut().unwrap().description = Some(long);
    for item in discover(&gitlab, request())["items"].as_array().unwrap() {
        assert_eq!(item["description"], "d".repeat(120));
        assert_eq!((&item["description_truncated"], &item["description_chars"]), (&json!(true), &json!(121)));
    }
}

#[test]
fn the_id_of_a_catalog_item_is_shown_nowhere_and_selects_nothing() {
    let gitlab = gitlab("19.5.0");
    let shown = discover(&gitlab, request()).to_string();
    for consumer in &gitlab.world().consumers {
        let item = consumer.item.as_ref().and_then(|item| item.id).unwrap();
        assert!(!shown.contains(&item.to_string()), "{item} in {shown}");
    }
}

#[test]
fn what_is_asked_for_goes_to_gitlab_as_it_is() {
    let through = Through::new(gitlab("19.5.0"));
    let asked = AgentsAndFlows {
        item_type: Some(ItemFilter::Agent),
        first: PageSize::new(7).unwrap(),
        after: Some(Cursor::received(" eyJpZCI6IjEifQ== ")),
        ..request()
    };
    now_or_never(agents_and_flows(&through, &Scope::default(), asked.clone())).unwrap();
    let expected = CatalogQuery {
        project: ProjectId::new(4021).unwrap(),
        item_type: asked.item_type,
        flow: None,
        first: asked.first,
        after: asked.after,
    };
    assert_eq!(*through.catalog_queries.lock().unwrap(), [expected]);
}

#[test]
fn details_that_an_instance_lacks_are_listed_whatever_they_belong_to() {
    let through = Through::new(gitlab("19.5.0"));
    let view = now_or_never(agents_and_flows(&through, &Scope::default(), request())).unwrap();
    let missing = |detail| json!({"detail": detail, "since": "19.5"});
    let expected: Vec<_> = ["of_the_agents", "of_the_catalog", "of_the_facts"].map(missing).into();
    assert_eq!(to_json(&view)["unavailable"], json!(expected));
}

#[test]
fn agents_are_listed_once_chat_entries_never_startable_others_unknown_from_19_5() {
    let agents = |version| {
        let gitlab = gitlab(version);
        let mut made_up = consumer(1, None, "Planner");
        made_up.id = None;
        set_type(&mut made_up, ItemType::FoundationalAgent);
        // A row of its own for the same agent, as some releases give it.
        let mut own = consumer(2, None, "Planner");
        set_type(&mut own, ItemType::Agent);
        own.item.as_mut().unwrap().foundational = Some(true);
        gitlab.world().consumers = vec![made_up, own];
        let view = discover(&gitlab, AgentsAndFlows { item_type: Some(ItemFilter::Agent), ..request() });
        let row = |row: &Value| json!([row["agent"], row["can_start_session"], row["consumer_id"]]);
        view["items"].as_array().unwrap().iter().map(row).collect::<Value>()
    };
    assert_eq!(
        agents("19.5.0"),
        json!([["chat", false, null], ["agentic_chat/v1", false, null], ["duo_planner/v1", null, null]])
    );
    assert_eq!(agents("19.4.0")[2], json!(["duo_planner/v1", false, null]));
}

#[test]
fn foundational_agents_come_on_the_first_page_only_and_only_when_asked_for() {
    let rows = [
        (None, None, true),
        (Some(ItemFilter::Agent), None, true),
        (Some(ItemFilter::Flow), None, false),
        (None, Some(Cursor::received("c1")), false),
    ];
    for (item_type, after, expected) in rows {
        let gitlab = gitlab("19.5.0");
        discover(&gitlab, AgentsAndFlows { item_type, after, ..request() });
        assert_eq!(gitlab.world().calls.contains(&"foundational_agents"), expected);
    }
}

#[test]
fn disabled_rows_are_dropped_and_an_empty_page_says_that_more_follows() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().consumers.iter_mut().for_each(|consumer| consumer.enabled = Some(false));
    gitlab.world().page_info =
        PageInfo { has_next_page: Some(true), end_cursor: Some(Cursor::received("c1")) };
    let view = discover(&gitlab, AgentsAndFlows { item_type: Some(ItemFilter::Flow), ..request() });
    assert_eq!(view["items"], json!([]));
    assert_eq!(view["pageInfo"], json!({"hasNextPage": true, "endCursor": "c1"}));
    assert!(view["hints"][0].as_str().unwrap().contains("more pages follow"));
}

#[test]
fn refusals_come_before_the_catalog_is_read() {
    let off = Scope { access: Access::Off, ..Scope::default() };
    let untouched = gitlab("19.5.0");
    assert_eq!(kind(now_or_never(agents_and_flows(&untouched, &off, request()))), "policy");
    assert!(untouched.world().calls.is_empty());
    let old = gitlab("18.4.0");
    assert_eq!(kind(now_or_never(agents_and_flows(&old, &Scope::default(), request()))), "version");
    let gitlab = gitlab("19.5.0");
    let elsewhere = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    assert_eq!(kind(now_or_never(agents_and_flows(&gitlab, &elsewhere, request()))), "policy");
    let hidden = AgentsAndFlows { project: ProjectRef::Id(ProjectId::new(9999).unwrap()), ..request() };
    assert_eq!(kind(now_or_never(agents_and_flows(&gitlab, &Scope::default(), hidden))), "not_found");
    assert_eq!(gitlab.world().calls, ["instance", "project", "instance", "project"]);
}

#[test]
fn facts_that_gitlab_refuses_to_tell_do_not_hide_the_catalog() {
    for refused in [ErrorKind::Forbidden, ErrorKind::NotFound, ErrorKind::Unreadable] {
        let gitlab = gitlab("19.5.0");
        let refusal = GatewayError::new(refused, "not for you");
        gitlab.world().failures.push_back(("eligibility", refusal, Outcome::Refused));
        let view = discover(&gitlab, request());
        assert_eq!(view["items"].as_array().unwrap().len(), 7);
        assert!(view["hints"][0].as_str().unwrap().contains("not for you"));
    }
}

#[test]
fn a_failure_of_any_part_that_is_no_refusal_fails_the_whole() {
    let kinds = [
        ErrorKind::Unauthorized,
        ErrorKind::RateLimited,
        ErrorKind::Server,
        ErrorKind::Network,
        ErrorKind::Timeout,
        ErrorKind::TooLarge,
    ];
    for part in ["catalog_page", "foundational_agents", "eligibility"] {
        for failure in kinds {
            let gitlab = gitlab("19.5.0");
            let error = GatewayError::new(failure, "no");
            gitlab.world().failures.push_back((part, error, Outcome::Refused));
            let found = kind(now_or_never(agents_and_flows(&gitlab, &Scope::default(), request())));
            assert_eq!(found, failure.name(), "{part}");
        }
    }
}
