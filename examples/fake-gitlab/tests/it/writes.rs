//! Answering and stopping: who, when, and in which words it is refused.

use crate::client::{WORKFLOWS, answer, get, send, send_as, session, stop};
use fake_gitlab::{FakeGitLab, TokenSpec};
use serde_json::{Value, json};

async fn gitlab(version: &str) -> FakeGitLab {
    let gitlab = FakeGitLab::builder().version(version).with_example_sessions().start().await.unwrap();
    gitlab.add_token(TokenSpec::new("colleague", 91, &["api"]));
    gitlab
}

#[tokio::test]
async fn only_waiting_sessions_can_be_answered_and_by_version() {
    let rows = [
        ("19.3.0", 736, 201),
        ("19.3.0", 741, 403),
        ("19.4.2", 742, 403),
        ("19.5.0", 736, 201),
        ("19.5.0", 741, 201),
        ("19.5.0", 742, 201),
        ("19.5.0", 731, 403),
        ("19.5.0", 732, 403),
        ("19.5.0", 733, 403),
        ("19.5.0", 744, 403),
    ];
    for (version, id, status) in rows {
        let gitlab = gitlab(version).await;
        let allowed = session(&gitlab, id).await["userPermissions"]["resumeDuoWorkflow"] == true;
        assert_eq!(allowed, status == 201, "{version} {id}");
        let reply = answer(&gitlab, id, json!({ "human_approval": true })).await;
        assert_eq!(reply.status, status, "{version} {id} {}", reply.text);
    }
}

#[tokio::test]
async fn an_answer_needs_a_catalog_item_that_is_still_enabled() {
    let gitlab = gitlab("19.5.0").await;
    assert_eq!(session(&gitlab, 743).await["userPermissions"]["resumeDuoWorkflow"], true);
    let reply = answer(&gitlab, 743, json!({ "human_approval": true })).await;
    assert_eq!(
        (reply.status, reply.json()),
        (404, json!({ "message": "404 AI Catalog item not found for this workflow Not Found" }))
    );
    gitlab.state(|world| world.consumers.get_mut(&723).unwrap().enabled = false);
    let reply = answer(&gitlab, 736, json!({ "human_approval": true })).await;
    assert_eq!(
        reply.json(),
        json!({ "message": "404 AI Catalog consumer not found for this workflow Not Found" })
    );
}

#[tokio::test]
async fn the_parameters_of_an_answer_are_checked() {
    let gitlab = gitlab("19.5.0").await;
    let rows = [
        (json!({}), json!({ "error": "human_approval is missing" })),
        (json!({ "human_approval": null }), json!({ "error": "human_approval is missing" })),
        (json!({ "human_approval": "perhaps" }), json!({ "error": "human_approval is invalid" })),
        (
            json!({ "human_approval": false, "human_message": "ä".repeat(2_001) }),
            json!({ "error": "human_message must be less than 2000 characters" }),
        ),
    ];
    for (body, expected) in rows {
        let reply = answer(&gitlab, 736, body).await;
        assert_eq!((reply.status, reply.json()), (400, expected));
    }
    let longest = json!({ "human_approval": false, "human_message": "ä".repeat(2_000) });
    assert_eq!(answer(&gitlab, 736, longest).await.status, 201);
}

#[tokio::test]
async fn sessions_of_others_are_not_there() {
    let gitlab = gitlab("19.5.0").await;
    for id in [747, 999_999] {
        let reply = answer(&gitlab, id, json!({ "human_approval": true })).await;
        assert_eq!((reply.status, reply.json()), (404, json!({ "message": "404 Not found" })));
        assert_eq!(stop(&gitlab, id).await.status, 404);
        assert_eq!(get(&gitlab, &format!("{WORKFLOWS}/{id}")).await.status, 404);
    }
    assert_eq!(session(&gitlab, 747).await["status"], "FINISHED", "GraphQL shows it to the project");
    let reply =
        send_as(&gitlab, "GET", &format!("{WORKFLOWS}/736"), &Value::Null, "colleague").await.unwrap();
    assert_eq!(reply.status, 404);
}

#[tokio::test]
async fn a_stop_is_possible_until_the_end() {
    let gitlab = gitlab("19.5.0").await;
    for id in [730, 731, 732, 736, 741, 742] {
        assert_eq!(stop(&gitlab, id).await.json()["status"], "stopped", "{id}");
    }
    let reply = stop(&gitlab, 733).await;
    let expected = json!({ "message": "400 Bad request - Can not stop workflow that has status finished" });
    assert_eq!((reply.status, reply.json()), (400, expected));
    assert_eq!(stop(&gitlab, 735).await.status, 200, "stopped already");
    let body = json!({ "status_event": "explode" });
    assert_eq!(send(&gitlab, "PATCH", &format!("{WORKFLOWS}/731"), &body).await.status, 400);
    let reply = send(&gitlab, "PATCH", &format!("{WORKFLOWS}/abc"), &body).await;
    assert_eq!(reply.json(), json!({ "error": "id is invalid" }));
}

#[tokio::test]
async fn verbs_and_routes_that_are_not_there() {
    let gitlab = gitlab("19.5.0").await;
    assert_eq!(
        get(&gitlab, WORKFLOWS).await.json(),
        json!({ "error": "405 Not Allowed" }),
        "there is no REST list"
    );
    assert_eq!(get(&gitlab, "/api/v4/nonsense").await.json(), json!({ "error": "404 Not Found" }));
    assert_eq!(get(&gitlab, "/api/v4/api/v4/metadata").await.status, 404);
}

#[tokio::test]
async fn the_executors_routes_are_open_to_the_owner() {
    let gitlab = gitlab("19.5.0").await;
    let row = get(&gitlab, &format!("{WORKFLOWS}/736")).await.json();
    assert_eq!((row["status"].clone(), row["workload"].clone()), (json!("input_required"), Value::Null));
    let checkpoints = get(&gitlab, &format!("{WORKFLOWS}/736/checkpoints?per_page=1")).await;
    assert_eq!(checkpoints.header("x-next-page"), Some("2"));
    let log = checkpoints.json()[0]["checkpoint"]["channel_values"]["ui_chat_log"].clone();
    assert_eq!(log.as_array().unwrap().len(), 4);
    let privileges = get(&gitlab, &format!("{WORKFLOWS}/agent_privileges")).await.json();
    assert_eq!(privileges["all_privileges"].as_array().unwrap().len(), 8);
    let trace = get(&gitlab, &format!("{WORKFLOWS}/736/trace.jsonl")).await;
    assert_eq!(trace.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(trace.text.lines().count(), 6);
}
