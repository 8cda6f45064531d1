//! Names that are never listed: callable on every surface, under the same policy.

use std::sync::Arc;

use gitlab_duo_core::gateway::request::Run;
use gitlab_duo_core::model::ids::ConsumerId;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::policy::Access;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::client::Client;
use crate::world::{NEWEST, gitlab, server_of, settings};

const SURFACES: [Surface; 2] = [Surface::Compact, Surface::GitLab];

/// Every alias, a call of it, a field of its answer, and whether it writes.
fn rows() -> Vec<(&'static str, Value, &'static str, bool)> {
    let start = json!({"project_id": "acme/api", "goal": "tidy up"});
    vec![
        ("get_duo_workflow_status", json!({"workflow_id": 73}), "turn_complete", false),
        ("get_session", json!({"workflow_id": "73"}), "turn_complete", false),
        ("list_sessions", json!({"first": 5}), "sessions", false),
        ("trigger_duo_flow", start.clone(), "workload_id", true),
        ("trigger_duo_developer", start.clone(), "workload_id", true),
        ("start_duo_flow", start, "workload_id", true),
    ]
}

#[tokio::test]
async fn each_alias_answers_on_every_surface_and_is_listed_on_none() {
    for surface in SURFACES {
        for (name, arguments, field, writes) in rows() {
            let gitlab = gitlab(NEWEST);
            let client = Client::new(server_of(&gitlab, surface)).await;
            assert!(client.tools().iter().all(|tool| tool.name != name), "{name}");
            let structured = client.structured(name, arguments).await;
            assert!(structured.get(field).is_some(), "{surface:?} {name}: {structured}");
            assert_eq!(gitlab.world().writes(), usize::from(writes), "{name}");
        }
    }
}

#[tokio::test]
async fn a_hidden_tool_stays_hidden_behind_every_name() {
    for surface in SURFACES {
        for (access, allows_reading) in [(Access::ReadOnly, true), (Access::Off, false)] {
            let gitlab = gitlab(NEWEST);
            let settings = ServerSettings { surface, ..settings(Scope { access, ..Scope::default() }) };
            let client = Client::new(Server::new(Arc::new(gitlab.clone()), settings)).await;
            for (name, arguments, _, writes) in rows() {
                let result = client.structured(name, arguments).await;
                let is_refused = result["error"]["kind"] == "policy";
                assert_eq!(is_refused, writes || !allows_reading, "{surface:?} {access:?} {name}: {result}");
            }
            assert_eq!(gitlab.world().writes(), 0);
        }
    }
}

#[tokio::test]
async fn a_name_that_stands_for_a_flow_takes_no_other() {
    let gitlab = gitlab(NEWEST);
    let client = Client::new(server_of(&gitlab, Surface::Compact)).await;
    let start = |flow: Value| json!({"project_id": 4021, "goal": "tidy up", "flow": flow});
    let refused = client.structured("trigger_duo_developer", start(json!("fix_pipeline/v1"))).await;
    assert_eq!(refused["error"]["kind"], "invalid_arguments");
    let by_consumer = json!({"project_id": 4021, "goal": "tidy up", "ai_catalog_item_consumer_id": 91});
    let refused = client.structured("trigger_duo_developer", by_consumer).await;
    assert_eq!(refused["error"]["kind"], "invalid_arguments");
    assert_eq!(gitlab.world().writes(), 0);
    client.structured("trigger_duo_developer", start(json!("developer/v1"))).await;
    assert_eq!(gitlab.world().started[0].run, Run::Consumer(ConsumerId::new(723).unwrap()));
}

#[tokio::test]
async fn the_names_of_one_surface_are_unknown_on_the_other() {
    for (surface, foreign) in
        [(Surface::Compact, "get_duo_session"), (Surface::GitLab, "browse_duo_sessions")]
    {
        let mut wire = crate::wire::Wire::begun(server_of(&gitlab(NEWEST), surface)).await;
        let answer = wire.ask(crate::wire::call(7, foreign, json!({}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
