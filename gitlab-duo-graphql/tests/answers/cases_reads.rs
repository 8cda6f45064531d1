//! Faults that people have reported, where they read: names and addresses, old instances, tokens, pages.

use fake_gitlab::{FakeGitLab, Fault, TokenSpec};
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use serde_json::{Value, json};

use crate::canned::{
    Canned, agent, answer, client_of, consumer, data, discover, flow, get, json_answer, list, outcome,
    project, start, start_of,
};
use crate::catalog::{self, foundational, furnish, page, row, set_agents, set_facts};
use crate::session_nodes::{node, question};

fn in_project(project: ProjectRef) -> ListSessions {
    ListSessions { project: Some(project), ..ListSessions::default() }
}

#[tokio::test]
async fn every_spelling_of_a_project_is_one_request_with_the_path_as_one_segment() {
    let encoded = "/api/v4/projects/brass%2Fworks%2Ftools%2Fapi";
    let rows = [
        "brass/works/tools/api",
        "brass%2Fworks%2Ftools%2Fapi",
        "brass%2fworks%2ftools%2fapi",
        "/brass/works/tools/api/",
        " brass/works/tools/api ",
        "BASE/brass/works/tools/api",
        "BASE/brass/works/tools/api.git",
        "BASE/brass/works/tools/api/-/merge_requests/7",
        "git@127.0.0.1:brass/works/tools/api.git",
    ];
    for spelling in rows {
        let canned = Canned::of("19.5.0-ee").await;
        canned.rest(
            "GET",
            encoded,
            json_answer(200, &json!({"id": 77, "path_with_namespace": "brass/works/tools/api"})),
        );
        canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
        let instance = InstanceUrl::parse(canned.fake.url(), PlainHttp::LoopbackOnly).unwrap();
        let project = ProjectRef::parse(&spelling.replace("BASE", canned.fake.url()), &instance).unwrap();
        list(&canned.gitlab(), in_project(project)).await.unwrap();
        assert_eq!(canned.paths(), [encoded, "/api/graphql"], "{spelling}");
        assert_eq!(canned.variables("list_sessions")[0]["projectPath"], "brass/works/tools/api");
    }
}

#[tokio::test]
async fn digits_are_an_id_dots_belong_to_a_path_and_other_texts_are_refused_before_any_request() {
    for (spelling, path) in
        [("4711", "/api/v4/projects/4711"), ("brass/c.plus.plus", "/api/v4/projects/brass%2Fc.plus.plus")]
    {
        let canned = Canned::of("19.5.0-ee").await;
        canned.rest(
            "GET",
            path,
            json_answer(200, &json!({"id": 4711, "path_with_namespace": "brass/c.plus.plus"})),
        );
        canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
        let instance = InstanceUrl::parse(canned.fake.url(), PlainHttp::LoopbackOnly).unwrap();
        list(&canned.gitlab(), in_project(ProjectRef::parse(spelling, &instance).unwrap())).await.unwrap();
        assert_eq!(canned.paths()[0], path);
    }
    let instance = InstanceUrl::parse("https://git.brass.test", PlainHttp::LoopbackOnly).unwrap();
    for nothing in [
        "",
        "null",
        "pumps",
        "brass pumps/api",
        "https://other.test/brass/pumps",
        "brass/../pumps",
        "git@other.test:a/b",
    ] {
        let error = ProjectRef::parse(nothing, &instance).unwrap_err().to_string();
        assert!(error.contains("`4021`") && error.contains("`group/subgroup/project`"), "{error}");
    }
}

#[tokio::test]
async fn every_spelling_of_the_base_leads_to_the_same_addresses() {
    for suffix in ["", "/", "//", "/api/v4", "/api/v4/", "/api/graphql"] {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&node("running", Some("ACTIVE"), &json!({})));
        get(&client_of(&format!(" {}{suffix} ", canned.fake.url()), canned.fake.token())).await.unwrap();
        let all: Vec<_> = canned.fake.requests().into_iter().map(|request| request.path).collect();
        assert_eq!(all, ["/api/v4/metadata", "/api/graphql"], "{suffix}");
    }
    let fake = FakeGitLab::builder().subpath("/git").with_example_sessions().start().await.unwrap();
    let gitlab = client_of(&format!("{}/api/v4/", fake.url()), fake.token());
    list(&gitlab, ListSessions::default()).await.unwrap();
    let all: Vec<_> = fake.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(all, ["/git/api/v4/metadata", "/git/api/graphql"]);
}

#[tokio::test]
async fn an_endpoint_that_an_instance_does_not_have_is_told_apart_from_a_missing_session() {
    let canned = Canned::of("19.2.4-ee").await;
    canned.session(&question());
    let error = answer(&canned.gitlab(), HumanInput::Approve).await.unwrap_err();
    let message =
        "to send input at `input_required` GitLab 19.4 or newer is needed; this instance is 19.2.4-ee";
    assert_eq!((&error["kind"], &error["message"]), (&json!("version"), &json!(message)));
    assert_eq!(canned.paths(), Vec::<String>::new(), "decided before anything is asked for");
}

#[tokio::test]
async fn the_community_edition_is_called_one_without_duo() {
    let fake = FakeGitLab::builder().community_edition().start().await.unwrap();
    let gitlab = client_of(fake.url(), fake.token());
    let error = list(&gitlab, ListSessions::default()).await.unwrap_err();
    assert_eq!(error["kind"], "version", "{error}");
    assert!(error["message"].as_str().unwrap().contains("an edition without Duo sessions"), "{error}");
}

fn demo() -> ProjectRef {
    ProjectRef::Id(gitlab_duo_core::model::ids::ProjectId::new(4021).unwrap())
}

#[tokio::test]
async fn a_token_that_may_only_read_browses_and_is_told_the_scope_that_a_start_needs() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.add_token(TokenSpec::new("looks-only", 88, &["read_api"]));
    let gitlab = client_of(fake.url(), "looks-only");
    assert!(list(&gitlab, in_project(demo())).await.unwrap()["sessions"].as_array().unwrap().len() > 10);
    assert!(!discover(&gitlab, demo()).await.unwrap()["items"].as_array().unwrap().is_empty());
    let request =
        gitlab_duo_core::actions::start_session::StartSession { project: demo(), ..start_of(consumer(77)) };
    let error = start(&gitlab, request).await.unwrap_err();
    // GitLab writes the scopes that would do; `api` is the first of them.
    assert_eq!(
        (&error["kind"], error["required"].as_str().unwrap().split(' ').next()),
        (&json!("forbidden"), Some("api")),
        "{error}"
    );
    assert!(error["gitlab_message"].as_str().unwrap().contains("higher privileges"), "{error}");
    assert!(error["next_step"].as_str().unwrap().contains("scope"), "{error}");
}

#[tokio::test]
async fn a_token_for_another_purpose_is_told_the_scope_by_every_call() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.add_token(TokenSpec::new("of-an-editor", 88, &["mcp"]));
    let gitlab = client_of(fake.url(), "of-an-editor");
    let start_here =
        gitlab_duo_core::actions::start_session::StartSession { project: demo(), ..start_of(consumer(77)) };
    for outcome in [
        list(&gitlab, ListSessions::default()).await,
        discover(&gitlab, demo()).await,
        start(&gitlab, start_here).await,
    ] {
        let error = outcome.unwrap_err();
        assert_eq!(error["kind"], "forbidden", "{error}");
        assert!(error["required"].as_str().unwrap().contains("api"), "{error}");
        assert!(error["next_step"].as_str().unwrap().contains("scope"), "{error}");
    }
    assert_eq!(fake.writes().len(), 0);
}

#[tokio::test]
async fn a_404_of_an_answer_names_every_possibility() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&question());
    canned.write(json_answer(404, &json!({"error": "404 Not Found"})));
    let error = answer(&canned.gitlab(), HumanInput::Approve).await.unwrap_err();
    assert_eq!((&error["kind"], &error["status"]), (&json!("not_found"), &json!("input_required")));
    let next_step = error["next_step"].as_str().unwrap();
    for possibility in ["session", "catalog item", "consumer", "resume route"] {
        assert!(next_step.contains(possibility), "{next_step}");
    }
}

#[tokio::test]
async fn a_reason_of_gitlab_stays_word_for_word_beside_our_own_words() {
    for words in ["403 Forbidden - identity verification required", "403 Forbidden - usage quota exceeded"] {
        let canned = Canned::of("19.5.0-ee").await;
        canned.session(&question());
        canned.write(json_answer(403, &json!({"message": words})));
        let error = answer(&canned.gitlab(), HumanInput::Approve).await.unwrap_err();
        assert_eq!((&error["kind"], &error["gitlab_message"]), (&json!("forbidden"), &json!(words)));
        assert!(!error["next_step"].as_str().unwrap().contains("does not wait"), "{error}");
    }
}

#[tokio::test]
async fn a_sign_in_that_expires_is_an_error_for_every_read_and_never_an_empty_list() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let gitlab = client_of(fake.url(), fake.token());
    assert_ne!(list(&gitlab, ListSessions::default()).await.unwrap()["sessions"], json!([]));
    fake.expire_token(fake.token());
    fake.clear_log();
    let read = || list(&gitlab, ListSessions::default());
    let (first, second, third, fourth) = tokio::join!(read(), read(), read(), read());
    for outcome in [first, second, third, fourth] {
        let error = outcome.unwrap_err();
        assert_eq!(error["kind"], "unauthorized", "{error}");
        assert!(error["next_step"].as_str().unwrap().starts_with("sign in again"), "{error}");
    }
    assert_eq!(fake.requests().len(), 4, "a token that cannot be renewed is not tried twice");
}

#[tokio::test]
async fn a_write_that_is_not_signed_in_is_sent_once() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.session(&question());
    canned.write(Fault::unauthorized_expired());
    let error = answer(&canned.gitlab(), HumanInput::Approve).await.unwrap_err();
    assert_eq!((&error["kind"], canned.writes().len()), (&json!("unauthorized"), 1));
}

#[tokio::test]
async fn an_empty_page_that_is_not_the_last_leads_on_with_its_cursor() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], Some("c1"))));
    let view = list(&canned.gitlab(), ListSessions::default()).await.unwrap();
    let expected = json!({"sessions": [], "pageInfo": {"hasNextPage": true, "endCursor": "c1"},
        "hints": ["no row of this page is shown, but more pages follow: use `endCursor`"]});
    assert_eq!(view, expected);
}

#[tokio::test]
async fn agents_come_on_top_of_the_rows_asked_for() {
    let canned =
        catalog::gitlab("19.5.0-ee", &page(&[row(27, "Plumber", "FLOW", &json!({}))], Some("c1"))).await;
    set_agents(
        &canned,
        &[catalog::agent("Planner", "duo_planner", "v1"), catalog::agent("GitLab Duo", "chat", "")],
    );
    set_facts(&canned, &json!({}));
    let first = PageSize::new(1).unwrap();
    let request = AgentsAndFlows { project: project(), item_type: None, first, after: None };
    let view = outcome(agents_and_flows(&canned.gitlab(), &Scope::default(), request).await).unwrap();
    assert_eq!((view["items"].as_array().unwrap().len(), &view["pageInfo"]["endCursor"]), (3, &json!("c1")));
    assert_eq!(canned.variables("catalog_page")[0]["first"], 1);
}

#[tokio::test]
async fn the_flow_of_a_start_is_looked_for_behind_an_empty_page() {
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql_once("catalog_page", data("aiCatalogConfiguredItems", &page(&[], Some("c1"))));
    canned.graphql("list_sessions", data("duoWorkflowWorkflows", &page(&[], None)));
    furnish(&canned, &page(&[foundational(29, "developer/v1", &json!({}))], None));
    canned.write(json_answer(201, &json!({"id": 90, "status": "created"})));
    start(&canned.gitlab(), start_of(flow("developer/v1"))).await.unwrap();
    assert_eq!(canned.writes()[0]["ai_catalog_item_consumer_id"], 29);
    assert_eq!(canned.variables("catalog_page")[1]["after"], "c1");
}

#[tokio::test]
async fn a_flow_that_is_looked_for_up_to_a_bound_is_not_said_to_be_absent() {
    let canned = catalog::gitlab("19.5.0-ee", &page(&[], Some("c1"))).await;
    let error = start(&canned.gitlab(), start_of(flow("developer/v1"))).await.unwrap_err();
    assert_eq!(error["kind"], "not_found");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("3 pages") && !message.contains("is not enabled"), "{message}");
}

#[tokio::test]
async fn a_flow_and_an_agent_that_are_not_offered_are_refused_with_what_is() {
    let canned =
        catalog::gitlab("19.5.0-ee", &page(&[row(27, "Plumber", "FLOW", &json!({}))], Some("c1"))).await;
    set_agents(
        &canned,
        &[catalog::agent("Planner", "duo_planner", "v1"), catalog::agent("GitLab Duo", "chat", "")],
    );
    canned.graphql("catalog_consumer", data("aiCatalogItemConsumer", &Value::Null));
    let gitlab = canned.gitlab();
    for (selector, kind, offer) in [
        (consumer(99), "not_found", "discovery offers, among others: consumer_id 27"),
        (agent("poet/v1"), "not_found", "discovery offers these agents: `duo_planner/v1`"),
        (agent("chat"), "forbidden", "discovery offers these agents: `duo_planner/v1`"),
    ] {
        let error = start(&gitlab, start_of(selector)).await.unwrap_err();
        assert_eq!((&error["kind"], &error["next_step"]), (&json!(kind), &json!(offer)));
    }
    assert_eq!(canned.writes(), Vec::<Value>::new());
}
