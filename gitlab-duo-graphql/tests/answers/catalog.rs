//! What a project offers: consumers, foundational agents, and whether sessions can run.

use serde_json::{Value, json};

use crate::canned::{Canned, data, discover, json_answer, project, with};

const ROLE: &str = "GitLab does not let you run it: role, licence, beta features or flow settings";

/// A row that this very project has enabled and the caller may run.
pub(crate) fn row(id: i64, name: &str, kind: &str, more: &Value) -> Value {
    let base = json!({
        "id": format!("gid://gitlab/Ai::Catalog::ItemConsumer/{id}"), "enabled": true,
        "pinnedItemVersion": {"versionName": "2.0.0", "released": true},
        "item": {"id": "gid://gitlab/Ai::Catalog::Item/99", "name": name, "description": "It helps.", "itemType": kind,
            "foundational": false, "foundationalFlowReference": null},
        "project": {"id": "gid://gitlab/Project/602", "fullPath": "brass/pumps"}, "group": null,
        "userPermissions": {"executeAiCatalogItem": true},
    });
    with(base, more)
}

/// A flow that GitLab itself provides.
pub(crate) fn foundational(id: i64, reference: &str, more: &Value) -> Value {
    let item = json!({"name": "Of GitLab", "description": "It helps.", "itemType": "FLOW", "foundational": true,
        "foundationalFlowReference": reference});
    with(row(id, "", "FLOW", &json!({"item": item})), more)
}

pub(crate) fn page(rows: &[Value], next: Option<&str>) -> Value {
    json!({"nodes": rows, "pageInfo": {"hasNextPage": next.is_some(), "endCursor": next}})
}

fn shown(name: &str, kind: &str, more: &Value) -> Value {
    let base = json!({"name": name, "description": "It helps.", "type": kind, "foundational": false, "flow": null, "agent": null,
        "consumer_id": null, "can_start_session": false, "why_not": null, "requires_url": null});
    with(base, more)
}

fn shown_flow(id: &str, reference: &str, more: &Value) -> Value {
    let own = json!({"foundational": true, "flow": reference, "consumer_id": id, "can_start_session": true});
    with(shown("Of GitLab", "flow", &own), more)
}

fn refused(why: &str) -> Value {
    json!({"consumer_id": null, "can_start_session": false, "why_not": why})
}

/// A GitLab with this project and this catalog.
pub(crate) async fn gitlab(version: &str, page: &Value) -> Canned {
    let canned = Canned::of(version).await;
    furnish(&canned, page);
    canned
}

/// Adds the project and its catalog. What lies below the project in the path of a request is to be set before.
pub(crate) fn furnish(canned: &Canned, page: &Value) {
    let entity = json!({"id": 602, "path_with_namespace": "brass/pumps", "web_url": "https://git.brass.test/brass/pumps",
        "default_branch": "main", "archived": false, "visibility": "private"});
    canned.rest("GET", "/api/v4/projects/602", json_answer(200, &entity));
    canned.graphql("catalog_page", data("aiCatalogConfiguredItems", page));
}

pub(crate) fn set_agents(canned: &Canned, agents: &[Value]) {
    canned.graphql("foundational_agents", data("aiFoundationalChatAgents", &json!({"nodes": agents})));
}

pub(crate) fn set_facts(canned: &Canned, facts: &Value) {
    canned.graphql("eligibility", json_answer(200, &json!({"data": facts})));
}

/// The rows of discovery, agents left out.
async fn items(version: &str, rows: &[Value]) -> Vec<Value> {
    let canned = gitlab(version, &page(rows, None)).await;
    set_agents(&canned, &[]);
    set_facts(&canned, &json!({}));
    let view = discover(&canned.gitlab(), project()).await.unwrap();
    view["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn rows_of_19_5_tell_what_can_be_started_and_why_not() {
    let of_group = json!({"project": null, "group": {"id": "gid://gitlab/Group/31"}});
    let forbidden = json!({"userPermissions": {"executeAiCatalogItem": false}});
    let draft =
        json!({"pinnedItemVersion": {"released": false}, "userPermissions": {"executeAiCatalogItem": false}});
    let wordy = json!({"item": {"name": "Plumber", "description": "d".repeat(121), "itemType": "FLOW", "foundational": false}});
    let rows = [
        foundational(31, "fix_pipeline/v1", &json!({})),
        foundational(30, "code_review/v1", &json!({})),
        foundational(29, "developer/v1", &json!({})),
        foundational(28, "secrets_fp_detection/v1", &forbidden),
        row(27, "", "FLOW", &wordy),
        row(26, "Draft", "FLOW", &draft),
        row(25, "Off", "FLOW", &json!({"enabled": false})),
        row(24, "Helper", "AGENT", &json!({})),
        row(23, "Outside", "THIRD_PARTY_FLOW", &json!({})),
        row(22, "Above", "FLOW", &of_group),
        row(21, "Elsewhere", "FLOW", &json!({"project": {"fullPath": "brass/tanks"}})),
    ];
    let above = "it is enabled in a group above, not in this very project";
    let expected = [
        shown_flow("31", "fix_pipeline/v1", &json!({"requires_url": "pipeline"})),
        shown_flow("30", "code_review/v1", &json!({"requires_url": "merge_request"})),
        shown_flow("29", "developer/v1", &json!({})),
        shown_flow("28", "secrets_fp_detection/v1", &refused(ROLE)),
        shown(
            "Plumber",
            "flow",
            &json!({"description": "d".repeat(120), "description_truncated": true, "description_chars": 121,
            "consumer_id": "27", "can_start_session": true}),
        ),
        shown("Draft", "flow", &refused("its pinned version is a draft")),
        shown("Helper", "agent", &refused("GitLab starts flows only by consumer; an agent is used in chat")),
        shown("Outside", "third_party_flow", &refused("external agents are not started as sessions")),
        shown("Above", "flow", &refused(above)),
        shown("Elsewhere", "flow", &refused("it is enabled in another project")),
    ];
    assert_eq!(items("19.5.0-ee", &rows).await, expected);
}

#[tokio::test]
async fn below_19_5_whether_a_flow_can_be_started_is_unknown_and_never_no() {
    let silent = json!({"userPermissions": {"readAiCatalogItemConsumer": true}});
    let draft = with(silent.clone(), &json!({"pinnedItemVersion": {"released": false}}));
    let rows = [
        foundational(29, "developer/v1", &silent),
        row(27, "Plumber", "FLOW", &silent),
        row(26, "Draft", "FLOW", &draft),
        row(24, "Helper", "AGENT", &silent),
    ];
    let unknown =
        json!({"can_start_session": null, "why_not": "this GitLab does not say whether you may run it"});
    let expected = [
        shown_flow("29", "developer/v1", &unknown),
        shown("Plumber", "flow", &with(unknown.clone(), &json!({"consumer_id": "27"}))),
        shown("Draft", "flow", &refused("its pinned version is a draft")),
        shown("Helper", "agent", &refused("GitLab starts flows only by consumer; an agent is used in chat")),
    ];
    assert_eq!(items("19.4.1-ee", &rows).await, expected);
}

#[tokio::test]
async fn odd_rows_are_shown_as_far_as_they_go_and_made_up_ones_never_twice() {
    let made_up = json!({"id": "gid://gitlab/Ai::FoundationalChatAgent/duo_planner-v1", "name": "Planner",
        "itemType": "FOUNDATIONAL_AGENT", "foundational": true});
    let rows = [
        row(55, "", "FLOW", &json!({"item": null, "pinnedItemVersion": null})),
        row(-3, "", "FOUNDATIONAL_AGENT", &json!({"item": made_up})),
        row(
            54,
            "Planner",
            "AGENT",
            &json!({"item": {"name": "Planner", "itemType": "AGENT", "foundational": true}}),
        ),
        Value::Null,
        row(-4, "Made up", "FLOW", &json!({})),
        with(
            row(53, "Other form", "FLOW", &json!({})),
            &json!({"id": "gid://gitlab/AiCatalogItemConsumer/53"}),
        ),
        row(52, "Robot", "HOLOGRAM", &json!({})),
        row(
            51,
            "Silent",
            "FLOW",
            &json!({"enabled": null, "userPermissions": null, "pinnedItemVersion": null}),
        ),
    ];
    let gone = json!({"name": null, "description": null, "type": null, "foundational": null});
    let unknown = |id: &str, why: &str| json!({"consumer_id": id, "can_start_session": null, "why_not": why});
    let expected = [
        with(shown("", "", &gone), &refused("its catalog item is gone or hidden")),
        shown("Made up", "flow", &refused("GitLab gave it no id")),
        shown("Other form", "flow", &json!({"consumer_id": "53", "can_start_session": true})),
        shown(
            "Robot",
            "hologram",
            &json!({"can_start_session": null, "why_not": "this type of item is not known here"}),
        ),
        shown("Silent", "flow", &unknown("51", "this GitLab does not say whether you may run it")),
    ];
    assert_eq!(items("19.5.0-ee", &rows).await, expected);
}

#[tokio::test]
async fn a_page_of_disabled_rows_is_empty_and_leads_on() {
    let off = |id, name| row(id, name, "FLOW", &json!({"enabled": false}));
    let canned = gitlab("19.5.0-ee", &page(&[off(60, "One"), off(59, "Two")], Some("eyJpZCI6IjU5In0"))).await;
    set_agents(&canned, &[]);
    set_facts(&canned, &json!({}));
    let view = discover(&canned.gitlab(), project()).await.unwrap();
    assert_eq!(view["items"], json!([]));
    assert_eq!(view["pageInfo"], json!({"hasNextPage": true, "endCursor": "eyJpZCI6IjU5In0"}));
    assert_eq!(
        view["hints"],
        json!(["nothing on this page is enabled, but more pages follow: use `endCursor`"])
    );
}

#[tokio::test]
async fn errors_beside_data_do_not_hide_the_rows() {
    let rows = [
        row(20, "Twentieth", "FLOW", &json!({})),
        row(19, "Next", "FLOW", &json!({"pinnedItemVersion": null})),
    ];
    let message =
        "\"pinnedItemVersion\" field can be requested only for 20 AiCatalogItemConsumer(s) at a time.";
    let partial = json!({"data": {"aiCatalogConfiguredItems": page(&rows, None)}, "errors": [{"message": message,
        "path": ["aiCatalogConfiguredItems", "nodes", 1, "pinnedItemVersion"]}]});
    let canned = Canned::of("19.5.0-ee").await;
    canned.graphql("catalog_page", json_answer(200, &partial));
    furnish(&canned, &page(&[], None));
    set_agents(&canned, &[]);
    set_facts(&canned, &json!({}));
    let view = discover(&canned.gitlab(), project()).await.unwrap();
    let startable =
        |name: &str, id: &str| shown(name, "flow", &json!({"consumer_id": id, "can_start_session": true}));
    assert_eq!(view["items"], json!([startable("Twentieth", "20"), startable("Next", "19")]));
}

pub(crate) fn agent(name: &str, reference: &str, version: &str) -> Value {
    let full = if version.is_empty() { reference.to_owned() } else { format!("{reference}/{version}") };
    json!({"name": name, "description": "It helps.", "reference": reference, "version": version, "referenceWithVersion": full,
        "selectableInChat": false})
}

fn shown_agent(name: &str, reference: &str, can_start: &Value, why: &str) -> Value {
    shown(
        name,
        "agent",
        &json!({"foundational": true, "agent": reference, "can_start_session": can_start, "why_not": why}),
    )
}

#[tokio::test]
async fn agents_come_first_and_those_of_the_chat_are_never_startable() {
    let agents = [
        agent("GitLab Duo", "chat", ""),
        agent("Planner", "duo_planner", "v1"),
        agent("GitLab Duo", "agentic_chat", "v1"),
        json!({"name": "Nameless", "reference": null, "referenceWithVersion": null}),
    ];
    let chat = "it only answers in interactive Duo Chat";
    let rows = [row(27, "Plumber", "FLOW", &json!({}))];
    for (version, can_start, why) in [
        ("19.5.0-ee", Value::Null, "GitLab decides when it is started"),
        (
            "19.3.2-ee",
            json!(false),
            "to start foundational agents GitLab 19.5 or newer is needed; this instance is 19.3.2-ee",
        ),
    ] {
        let canned = gitlab(version, &page(&rows, None)).await;
        set_agents(&canned, &agents);
        set_facts(&canned, &json!({}));
        let view = discover(&canned.gitlab(), project()).await.unwrap();
        let expected = [
            shown_agent("GitLab Duo", "chat", &json!(false), chat),
            shown_agent("Planner", "duo_planner/v1", &can_start, why),
            shown_agent("GitLab Duo", "agentic_chat/v1", &json!(false), chat),
        ];
        let items = view["items"].as_array().unwrap();
        assert_eq!(
            (&items[..3], &items[3]["name"], items.len()),
            (&expected[..], &json!("Plumber"), 4),
            "{version}"
        );
    }
}

async fn eligibility(facts: Value) -> (Value, Value) {
    let canned = gitlab("19.5.0-ee", &page(&[], None)).await;
    set_agents(&canned, &[]);
    canned.graphql("eligibility", json_answer(200, &facts));
    let view = discover(&canned.gitlab(), project()).await.unwrap();
    (view["eligibility"].clone(), view["hints"].clone())
}

fn facts_of(all: &Value) -> Value {
    [
        "duo_features_enabled",
        "agent_platform_enabled",
        "remote_flows_enabled",
        "foundational_flows_enabled",
        "minimum_access",
        "runner_available",
        "credits_available",
        "archived",
    ]
    .into_iter()
    .map(|name| (name.to_owned(), all.clone()))
    .collect()
}

#[tokio::test]
async fn a_project_where_all_is_well_says_so() {
    let status = json!({"enabled": true, "createDuoWorkflowForCiAllowed": true, "remoteFlowsEnabled": true,
        "foundationalFlowsEnabled": true, "enabledFoundationalFlows": ["developer/v1"],
        "checks": [{"name": "developer_access", "value": true, "message": null}]});
    let facts = json!({"data": {"project": {"archived": false, "duoFeaturesEnabled": true, "duoWorkflowStatusCheck": status,
        "duoWorkflowRunnerAvailable": true}, "gitlabCreditsAvailable": true, "gitlabCreditsUnavailableReason": null}});
    let expected = with(facts_of(&json!(true)), &json!({"archived": false}));
    assert_eq!(eligibility(facts).await, (expected, Value::Null));
}

#[tokio::test]
async fn a_blocked_project_says_what_blocks_it_in_gitlabs_words() {
    let status = json!({"enabled": false, "createDuoWorkflowForCiAllowed": false, "remoteFlowsEnabled": false,
        "foundationalFlowsEnabled": null, "enabledFoundationalFlows": null, "checks": [
            {"name": "duo_features_enabled", "value": true, "message": null},
            {"name": "developer_access", "value": false, "message": "A higher role is needed here."},
            {"name": "feature_available", "value": false, "message": null}]});
    let facts = json!({"data": {"project": {"archived": false, "duoFeaturesEnabled": true, "duoWorkflowStatusCheck": status,
        "duoWorkflowRunnerAvailable": false}, "gitlabCreditsAvailable": null,
        "gitlabCreditsUnavailableReason": "USAGE_BILLING_FORBIDDEN"}});
    let expected = json!({"archived": false, "duo_features_enabled": true, "foundational_flows_enabled": null,
        "failed_checks": ["A higher role is needed here.", "feature_available"]});
    assert_eq!(eligibility(facts).await, (with(facts_of(&json!(false)), &expected), Value::Null));
}

#[tokio::test]
async fn facts_that_gitlab_keeps_to_itself_are_unknown() {
    let hidden = json!({"data": {"project": null}});
    assert_eq!(eligibility(hidden).await, (facts_of(&Value::Null), Value::Null));
}
