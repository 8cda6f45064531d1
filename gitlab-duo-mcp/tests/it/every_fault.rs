//! Every fault against every action on every release, by the names of both surfaces: whatever GitLab does, at most one
//! write is sent, no detail is fetched before its project is admitted, the caller gets an answer of a known kind, and
//! no token is in it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use fake_gitlab::{FakeGitLab, Fault};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::client::Client;

const VERSIONS: [&str; 7] =
    ["17.3.7-ee", "18.5.0-ee", "18.7.2-ee", "18.9.0-ee", "19.3.1-ee", "19.4.0-ee", "19.5.0-ee"];

/// The releases that the names of GitLab's own server are tried on: behind them stand the same actions.
const BY_GITLABS_NAMES: [&str; 3] = ["17.3.7-ee", "18.9.0-ee", "19.5.0-ee"];

/// Long enough for an answer on a busy machine, short enough for a GitLab that never answers.
const PATIENCE: Duration = Duration::from_secs(1);
/// GitLabs that are tried at once.
const AT_ONCE: usize = 64;

/// Where a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// From the nth request of a call on, the version being known.
    From(usize),
    /// At the write alone.
    Write,
}

fn faults() -> Vec<(&'static str, Fault)> {
    let html = [("content-type", "text/html")];
    let null_data = |json: &mut Value| json["data"] = Value::Null;
    let no_nodes = |json: &mut Value| {
        for connection in json["data"].as_object_mut().into_iter().flat_map(|data| data.values_mut()) {
            connection["nodes"] = json!([null, {}, {"id": "gid://gitlab/X/9007199254740993"}]);
        }
    };
    vec![
        ("hang", Fault::hang()),
        ("close before reading", Fault::close_before_reading()),
        ("close", Fault::close()),
        ("reset", Fault::reset()),
        ("executed, then close", Fault::executed_then_close()),
        ("executed, then hang", Fault::executed_then_hang()),
        ("executed, then 502", Fault::executed_then_502()),
        ("cut body", Fault::cut_body(20)),
        ("stalled body", Fault::stalled_body(20)),
        ("empty 201", Fault::empty_201()),
        ("empty 200", Fault::answer(200, &[], "")),
        ("web page", Fault::html_success(200)),
        ("broken JSON", Fault::broken_json(200)),
        ("other JSON", Fault::answer(200, &[], "[1, \"two\", null]")),
        ("data null", Fault::edit(null_data)),
        ("odd nodes", Fault::edit(no_nodes)),
        ("redirect to another host", Fault::redirect(302, "https://other.example.test/")),
        ("permanent redirect to itself", Fault::redirect(308, "/api/v4/elsewhere")),
        ("redirect to a sign-in page", Fault::redirect_to_sign_in()),
        ("proxy sign-in", Fault::proxy_407()),
        ("5 MiB", Fault::huge(5)),
        ("5 MiB unannounced", Fault::huge_chunked(5)),
        ("packed 32 MiB", Fault::gzip_bomb(32)),
        ("429 as text", Fault::rate_limited_text(37)),
        ("429 as JSON", Fault::rate_limited_json(Some("60"))),
        ("429 with nonsense", Fault::rate_limited_json(Some("soon"))),
        ("429 in GraphQL", Fault::rate_limited_graphql()),
        ("401", Fault::unauthorized()),
        ("401 expired", Fault::unauthorized_expired()),
        ("401 revoked", Fault::unauthorized_revoked()),
        ("401 of GraphQL", Fault::graphql_unauthorized()),
        ("GraphQL error", Fault::graphql_errors(200, "Query has complexity of 312")),
        ("503 of GraphQL", Fault::graphql_timeout()),
        ("403", Fault::forbidden()),
        ("403 with a reason", Fault::forbidden_because("usage quota exceeded")),
        ("403 credits", Fault::credits()),
        ("403 identity", Fault::identity_verification()),
        ("403 scope", Fault::insufficient_scope("api")),
        ("400 of the model", Fault::model_errors()),
        ("400 of the validation", Fault::validation("source does not have a valid value")),
        ("404", Fault::not_found()),
        ("404 no route", Fault::no_route()),
        ("405", Fault::moved_project()),
        ("409", Fault::conflict()),
        ("413", Fault::json(413, &json!({"message": "too large"}))),
        ("422", Fault::unprocessable("Error in git branch creation")),
        ("500", Fault::internal_error()),
        ("502", Fault::html_502()),
        ("503", Fault::unavailable(60)),
        ("504", Fault::answer(504, &html, "<html></html>")),
        ("418", Fault::answer(418, &[], "teapot")),
    ]
}

/// A call: the tool, its arguments, and whether it writes.
type Call = (&'static str, Value, bool);

/// Every action of a surface.
fn actions(surface: Surface, url: &str) -> Vec<Call> {
    let pipeline = format!("{url}/example-group/backend/-/pipelines/50512");
    match surface {
        Surface::Compact => compact_actions(&pipeline),
        _ => gitlab_actions(&pipeline),
    }
}

fn compact_actions(pipeline: &str) -> Vec<Call> {
    let browse = "browse_duo_sessions";
    let manage = "manage_duo_session";
    let by_consumer = json!({
        "action": "start", "project_id": "4021", "consumer_id": "91", "goal": "Tidy up", "allow_duplicate": true,
    });
    let on_url = json!({
        "action": "start", "project_id": "4021", "consumer_id": "725", "url": pipeline, "allow_duplicate": true,
    });
    let planned = json!({
        "action": "start", "project_id": "4021", "flow": "developer/v1", "goal": "Tidy up", "dry_run": true,
    });
    let answer =
        json!({"action": "send_input", "workflow_id": "736", "human_approval": false, "human_message": "no"});
    vec![
        (browse, json!({"action": "agents_and_flows", "project_id": "4021"}), false),
        (browse, json!({"action": "list"}), false),
        (browse, json!({"action": "get", "workflow_id": "733"}), false),
        (browse, json!({"action": "transcript", "workflow_id": "733"}), false),
        (manage, planned, false),
        (manage, by_consumer, true),
        (manage, on_url, true),
        (manage, answer, true),
        (manage, json!({"action": "stop", "workflow_id": "731"}), true),
    ]
}

/// The tools of GitLab's own server, and a reading and a writing alias.
fn gitlab_actions(pipeline: &str) -> Vec<Call> {
    let start = "start_duo_session";
    let by_consumer = json!({
        "project_id": 4021, "ai_catalog_item_consumer_id": 91, "goal": "Tidy up", "allow_duplicate": true,
    });
    let on_url = json!({"ai_catalog_item_consumer_id": 725, "url": pipeline, "allow_duplicate": true});
    let by_item = json!({"project_id": 4021, "flow_item_id": 390, "goal": "Tidy up", "dry_run": true});
    let answer = json!({"workflow_id": 736, "human_approval": false, "human_message": "no"});
    let developer = json!({"project_id": 4021, "goal": "Tidy up", "allow_duplicate": true});
    vec![
        ("list_duo_agents_and_flows", json!({"project_id": 4021}), false),
        ("list_duo_sessions", json!({}), false),
        ("get_duo_session", json!({"workflow_id": 733}), false),
        ("get_duo_workflow_status", json!({"workflow_id": 733}), false),
        (start, by_item, false),
        (start, by_consumer, true),
        (start, on_url, true),
        ("trigger_duo_developer", developer, true),
        ("send_duo_session_input", answer, true),
        ("stop_duo_session", json!({"workflow_id": 731}), true),
    ]
}

async fn server(fake: &FakeGitLab, scope: Scope, surface: Surface) -> Client {
    let instance = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly).unwrap();
    let gitlab = GitLab::builder(instance.clone()).token(StaticToken::new(fake.token())).timeout(PATIENCE);
    let clock = fake.clone();
    let clock = Arc::new(move || clock.now());
    let settings = ServerSettings { instance, scope, surface, confirm: Confirm::default(), clock };
    Client::new(Server::new(Arc::new(gitlab.build().unwrap()), settings)).await
}

async fn fake(version: &str) -> FakeGitLab {
    FakeGitLab::builder().version(version).with_example_sessions().start().await.unwrap()
}

/// What no answer may ever show or do.
fn check(case: &str, fake: &FakeGitLab, result: &Value, writes: bool) {
    let text = result.to_string();
    let secret = fake.token();
    assert!(
        !text.contains(secret) && !text.contains(&secret[secret.len() - 8..]),
        "{case}: a token in {text}"
    );
    assert!(!text.contains("failed inside"), "{case}: {text}");
    let sent = fake.writes().len();
    assert!(sent <= usize::from(writes), "{case}: {sent} writes");
    let structured = &result["structuredContent"];
    match structured.get("error") {
        Some(error) => {
            let kinds: BTreeSet<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
            let kind = error["kind"].as_str().unwrap();
            assert!(
                kinds.contains(kind) && !error["next_step"].as_str().unwrap().is_empty(),
                "{case}: {error}"
            );
            // Whoever is told that nothing was decided can rely on it.
            let is_before_writing = matches!(kind, "version" | "policy" | "duplicate" | "not_waiting");
            assert!(!is_before_writing || sent == 0, "{case}: {sent} writes beside {error}");
            assert!(writes || kind != "outcome_unknown", "{case}: a read without an outcome");
        }
        None => assert!(
            !writes || sent == 1 || structured["sent"] == false,
            "{case}: {sent} writes for {structured}"
        ),
    }
}

/// One fault at one place, against every action of a surface on one release.
async fn strike(
    surface: Surface,
    version: &'static str,
    (name, fault): (&'static str, Fault),
    place: Place,
) -> usize {
    let fake = fake(version).await;
    let client = server(&fake, Scope::default(), surface).await;
    // An alias, so that it is there on both surfaces: from here on the version is known.
    client.call("list_sessions", json!({"first": 1})).await;
    let actions = actions(surface, fake.url());
    for (tool, arguments, writes) in &actions {
        fake.clear_log();
        fake.inject(match place {
            Place::From(nth) => fault.clone().after(nth).always(),
            Place::Write => fault.clone().on_path("/ai/duo_workflows").always(),
        });
        let result = client.call(tool, arguments.clone()).await;
        check(&format!("{version}, {name} at {place:?}, {tool} {arguments}"), &fake, &result, *writes);
        fake.clear_faults();
    }
    actions.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_gitlab_does_a_call_writes_once_at_most_and_answers() {
    let places = |version: &str| match version {
        // The release whose start asks most: it looks for branch and context as well.
        "19.4.0-ee" => vec![Place::From(0), Place::From(1), Place::From(2), Place::Write],
        _ => vec![Place::From(0), Place::Write],
    };
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut cases = JoinSet::new();
    let compact = VERSIONS.map(|version| (Surface::Compact, version));
    let gitlab = BY_GITLABS_NAMES.map(|version| (Surface::GitLab, version));
    for (surface, version) in compact.into_iter().chain(gitlab) {
        for place in places(version) {
            for fault in faults() {
                let permits = Arc::clone(&permits);
                cases.spawn(async move {
                    let _permit = permits.acquire().await.unwrap();
                    (surface, strike(surface, version, fault, place).await)
                });
            }
        }
    }
    let calls = cases.join_all().await;
    let of = |surface| calls.iter().filter(|(of, _)| *of == surface).map(|(_, calls)| calls).sum::<usize>();
    let (compact, gitlab) = (of(Surface::Compact), of(Surface::GitLab));
    // Past the harness, which keeps what tests print: the size of the table is worth a line.
    let mut out = std::io::stderr();
    writeln!(
        out,
        "every fault: {} faults; {compact} calls of the compact tools on {} releases, {gitlab} calls by GitLab's names on {}",
        faults().len(),
        VERSIONS.len(),
        BY_GITLABS_NAMES.len(),
    )
    .unwrap();
    assert_eq!(compact, 9 * faults().len() * (6 * 2 + 4));
    assert_eq!(gitlab, 10 * faults().len() * 3 * 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_detail_is_fetched_and_nothing_is_sent_before_the_project_is_admitted() {
    let elsewhere =
        Scope { allowed_projects: Some([ProjectId::new(9999).unwrap()].into()), ..Scope::default() };
    let cases =
        VERSIONS.iter().flat_map(|version| [(Surface::Compact, *version), (Surface::GitLab, *version)]);
    for (surface, version) in cases {
        let fake = fake(version).await;
        let client = server(&fake, elsewhere.clone(), surface).await;
        for (tool, arguments, _) in actions(surface, fake.url()) {
            fake.clear_log();
            let result = client.call(tool, arguments.clone()).await;
            check(&format!("{version}, {tool} {arguments}"), &fake, &result, false);
            let kind = &result["structuredContent"]["error"]["kind"];
            let is_list = arguments["action"] == "list" || tool == "list_duo_sessions";
            assert!(
                is_list || kind == "policy" || kind == "version",
                "{version}, {tool} {arguments}: {result}"
            );
            let has_details = |body: &str| {
                ["latestCheckpoint", "aiCatalogConfiguredItems", "duoWorkflowStatusCheck"]
                    .iter()
                    .any(|field| body.contains(field))
            };
            assert!(
                fake.requests().iter().all(|request| !has_details(&request.body)),
                "{version}, {arguments}"
            );
        }
    }
}
