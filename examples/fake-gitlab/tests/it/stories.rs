//! Sessions from their start to their end.

use crate::client::{answer, seconds, send, session, start, stop};
use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};

async fn gitlab() -> FakeGitLab {
    FakeGitLab::start().await.unwrap()
}

#[tokio::test]
async fn a_question_is_asked_answered_and_the_work_finished() {
    let gitlab = gitlab().await;
    let id = start(&gitlab, 723).await;
    assert_eq!(session(&gitlab, id).await["latestCheckpoint"], Value::Null);

    gitlab.advance(seconds(29));
    assert_eq!(session(&gitlab, id).await["status"], "CREATED");
    gitlab.advance(seconds(1));
    let row = session(&gitlab, id).await;
    assert_eq!(row["status"], "RUNNING");
    assert_eq!(row["latestCheckpoint"]["lastDuoMessage"]["content"], "Repair it");

    gitlab.advance(seconds(90));
    let row = session(&gitlab, id).await;
    assert_eq!(row["statusName"], "input_required");
    assert_eq!(row["humanStatus"], "input required");
    assert_eq!(row["statusGroup"], "AWAITING_INPUT");
    assert_eq!(row["latestCheckpoint"]["lastDuoMessage"]["messageType"], "request");
    assert_eq!(row["latestCheckpoint"]["lastDuoMessage"]["toolInfo"], "null");
    // The job is still winding down.
    assert_eq!(row["userPermissions"]["resumeDuoWorkflow"], false);
    assert_eq!(
        answer(&gitlab, id, json!({ "human_approval": false })).await.json(),
        json!({ "message": "403 Forbidden" })
    );

    gitlab.advance(seconds(6));
    assert_eq!(session(&gitlab, id).await["userPermissions"]["resumeDuoWorkflow"], true);
    let reply =
        answer(&gitlab, id, json!({ "human_approval": false, "human_message": "Only invoices" })).await;
    assert_eq!(reply.status, 201);
    assert_eq!(reply.json()["status"], "input_required", "the job has not begun yet");
    assert!(reply.json()["workload"]["id"].is_i64());
    assert_eq!(answer(&gitlab, id, json!({ "human_approval": true })).await.status, 403, "a second answer");

    gitlab.advance(seconds(20));
    let row = session(&gitlab, id).await;
    assert_eq!(row["status"], "RUNNING");
    assert_eq!(row["latestCheckpoint"]["lastDuoMessage"]["content"], "Understood: Only invoices");

    gitlab.advance(seconds(100));
    let row = session(&gitlab, id).await;
    assert_eq!(row["status"], "FINISHED");
    assert_eq!(row["summary"], "Fixed rounding of invoice totals and added regression tests.");
    assert_eq!(
        row["mergeRequestLinks"]["nodes"][0]["mergeRequest"]["title"],
        "Fix rounding in invoice totals"
    );
    assert_eq!(row["workItemLinks"]["nodes"][0]["linkType"], "CREATED");
    assert!(row["noteLinks"]["nodes"][0]["note"]["body"].is_string());
    assert_eq!(gitlab.state(|world| world.sessions[&id].decisions.len()), 1);
}

#[tokio::test]
async fn two_tool_calls_wait_for_one_decision() {
    let gitlab = gitlab().await;
    let id = start(&gitlab, 79).await;
    gitlab.advance(seconds(130));
    let row = session(&gitlab, id).await;
    assert_eq!(row["status"], "TOOL_CALL_APPROVAL_REQUIRED");
    assert_eq!(row["userPermissions"]["resumeDuoWorkflow"], true);
    let calls = gitlab.state(|world| world.sessions[&id].pending_tool_calls());
    let names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["create_merge_request", "create_work_item_note"]);
    let info = row["latestCheckpoint"]["lastDuoMessage"]["toolInfo"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(info).unwrap()["name"], "create_work_item_note");
}

#[tokio::test]
async fn a_plan_waits_and_a_reject_is_not_a_stop() {
    let gitlab = gitlab().await;
    let id = start(&gitlab, 91).await;
    gitlab.advance(seconds(130));
    assert_eq!(session(&gitlab, id).await["status"], "PLAN_APPROVAL_REQUIRED");
    assert_eq!(answer(&gitlab, id, json!({ "human_approval": false })).await.status, 201);
    gitlab.advance(seconds(200));
    assert_eq!(session(&gitlab, id).await["status"], "FINISHED");
}

#[tokio::test]
async fn some_finish_without_asking_and_some_fail_halfway() {
    let gitlab = gitlab().await;
    let (fixing, failing) = (start(&gitlab, 725).await, start(&gitlab, 78).await);
    gitlab.advance(seconds(300));
    assert_eq!(session(&gitlab, fixing).await["status"], "FINISHED");
    let row = session(&gitlab, failing).await;
    assert_eq!(row["status"], "FAILED");
    assert_eq!(row["mergeRequestLinks"]["nodes"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn without_a_runner_a_session_is_swept_after_half_an_hour() {
    let gitlab = gitlab().await;
    let body = json!({ "project_id": "4030", "ai_catalog_item_consumer_id": 740, "goal": "x", "start_workflow": true });
    let id = send(&gitlab, "POST", crate::client::WORKFLOWS, &body).await.json()["id"].as_i64().unwrap();
    gitlab.advance(seconds(1_799));
    assert_eq!(session(&gitlab, id).await["status"], "CREATED");
    gitlab.advance(seconds(1));
    let row = session(&gitlab, id).await;
    assert_eq!(row["status"], "FAILED");
    assert_eq!(row["latestCheckpoint"], Value::Null);
}

#[tokio::test]
async fn a_stop_ends_session_and_pipeline() {
    let gitlab = gitlab().await;
    let id = start(&gitlab, 723).await;
    gitlab.advance(seconds(40));
    assert_eq!(stop(&gitlab, id).await.json()["status"], "stopped");
    assert_eq!(stop(&gitlab, id).await.status, 200, "already there");
    let pipelines = gitlab.state(|world| {
        let ids = &world.sessions[&id].pipelines;
        ids.iter().map(|id| world.pipelines[id].status.clone()).collect::<Vec<_>>()
    });
    assert_eq!(pipelines, ["canceled"]);
    gitlab.advance(seconds(4_000));
    assert_eq!(session(&gitlab, id).await["status"], "STOPPED");
}

#[tokio::test]
async fn an_agent_can_be_answered_from_19_5_on() {
    for (version, status) in [("19.4.0", 403), ("19.5.0", 201)] {
        let gitlab = FakeGitLab::builder().version(version).start().await.unwrap();
        let body = json!({
            "project_id": "4021", "workflow_definition": "duo_planner/v1", "goal": "Plan it",
            "start_workflow": true, "environment": "ambient",
        });
        let created = send(&gitlab, "POST", crate::client::WORKFLOWS, &body).await.json();
        assert_eq!(created["ai_catalog_item_version_id"], Value::Null);
        gitlab.advance(seconds(130));
        let row = session(&gitlab, 750).await;
        assert_eq!(row["status"], "INPUT_REQUIRED");
        let reply = answer(&gitlab, 750, json!({ "human_approval": false, "human_message": "More" })).await;
        assert_eq!(reply.status, status, "{version}");
    }
}

#[tokio::test]
async fn a_plan_is_in_the_state_as_well() {
    let gitlab = gitlab().await;
    let id = start(&gitlab, 91).await;
    gitlab.advance(seconds(130));
    let path = format!("{}/{id}/checkpoints", crate::client::WORKFLOWS);
    let checkpoints = crate::client::get(&gitlab, &path).await.json();
    let steps = &checkpoints[0]["checkpoint"]["channel_values"]["plan"]["steps"];
    assert_eq!(
        steps[1],
        json!({ "id": "2", "description": "Correct the rounding helper", "status": "Not Started" })
    );
}
