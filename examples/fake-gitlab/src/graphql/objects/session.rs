//! Sessions.

use super::{gid, links, message, reference};
use crate::clock;
use crate::world::{PRIVILEGES, Session, World, is_chat};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub(super) fn session(world: &World, id: i64, user: Option<i64>) -> Option<Value> {
    let session = world.sessions.get(&id)?;
    let user = user.filter(|user| world.may_read(session, *user))?;
    let mut object = Map::new();
    for part in [row(world, session), about(session), state(world, session, user), origin(world, session)] {
        if let Value::Object(part) = part {
            object.extend(part);
        }
    }
    for connection in ["mergeRequestLinks", "workItemLinks", "noteLinks", "pipelineLinks"] {
        object.insert(connection.to_owned(), links::rows(world, session, connection));
    }
    object.extend(session.graphql.clone());
    Some(Value::Object(object))
}

fn row(world: &World, session: &Session) -> Value {
    let created_at = clock::graphql(session.created_at);
    let archived = clock::later(session.created_at, Duration::from_secs(30 * 86_400)) <= world.now();
    let logs: Vec<_> = session.jobs.iter().rev().filter_map(|job| log_url(world, session, *job)).collect();
    json!({
        "id": gid("Ai::DuoWorkflows::Workflow", session.id), "userId": gid("User", session.user),
        "user": reference("User", session.user),
        "projectId": session.project.map(|id| gid("Project", id)),
        "project": session.project.map(|id| reference("Project", id)),
        "namespaceId": session.namespace.map(|id| gid("Group", id)),
        "namespace": session.namespace.map(|id| reference("Namespace", id)),
        "createdAt": created_at, "updatedAt": clock::graphql(session.updated_at), "archived": archived,
        "webUrl": web_url(world, session), "lastExecutorLogsUrl": logs.first(), "allExecutorLogsUrls": logs,
    })
}

fn about(session: &Session) -> Value {
    json!({
        "goal": session.goal, "title": session.title, "name": session.title, "summary": session.summary,
        "workflowDefinition": session.definition, "agentName": session.agent_name,
        "agentPrivilegesNames": names(&session.privileges),
        "preApprovedAgentPrivilegesNames": names(&session.pre_approved),
        "allowAgentToRequestUser": session.allow_agent_to_request_user,
        "allowClientInjectedMcpTools": false, "externalMcpBlocked": false, "mcpEnabled": false, "webSearchEnabled": false,
        "incrementalCheckpointsEnabled": true, "toolCallApprovals": {}, "auditEvents": [],
        "flowMetadataId": null, "flowMetadataVersion": null, "flowMetadataSchemaVersion": null,
        "modelMetadataName": null, "modelMetadataIdentifier": null, "sourceType": null, "sourceLink": null,
    })
}

fn state(world: &World, session: &Session, user: i64) -> Value {
    let owner = session.user == user;
    let deletable = owner && (!world.version().at_least(19, 3) || is_chat(world, &session.definition));
    let over = matches!(session.status.as_str(), "failed" | "stopped");
    let first = session
        .messages
        .as_ref()
        .map(|_| json!({ "__ref": "DuoWorkflowEvent", "id": session.id, "step": 1 }));
    json!({
        "status": session.status.to_uppercase(), "statusName": session.status,
        "humanStatus": session.status.replace('_', " "), "statusGroup": session.status_group(),
        "stalled": session.status != "created" && session.messages.is_none(),
        "environment": environment(world, session),
        "latestCheckpoint": message::latest(session), "firstCheckpoint": first,
        "userPermissions": {
            "readDuoWorkflow": true, "updateDuoWorkflow": owner, "deleteDuoWorkflow": deletable,
            "resumeDuoWorkflow": world.may_resume(session, user),
            "restartDuoWorkflow": owner && over && session.project.is_some(),
        },
    })
}

fn origin(world: &World, session: &Session) -> Value {
    let version = session.item_version.and_then(|id| world.item_version(id));
    let merge_request = session.merge_request.and_then(|id| world.merge_requests.get(&id));
    let url =
        merge_request.map(|row| format!("{}/-/merge_requests/{}", world.project_url(row.project), row.iid));
    json!({
        "aiCatalogItemVersionId": session.item_version.map(|id| gid("Ai::Catalog::ItemVersion", id)),
        "aiCatalogItem": version.map(|(item, _)| reference("AiCatalogItem", item.id)),
        "mergeRequest": session.merge_request.map(|id| reference("MergeRequest", id)), "workItem": null,
        "resourceIid": merge_request.map(|row| row.iid).or(session.issue), "resourceWebUrl": url,
    })
}

/// Group sessions have no page.
fn web_url(world: &World, session: &Session) -> Option<String> {
    session.project.map(|id| format!("{}/-/automate/agent-sessions/{}", world.project_url(id), session.id))
}

fn log_url(world: &World, session: &Session, job: i64) -> Option<String> {
    session.project.map(|id| format!("{}/-/jobs/{job}", world.project_url(id)))
}

/// The environment by its name in the played enum.
pub(in crate::graphql) fn environment(world: &World, session: &Session) -> Value {
    let Some(name) = session.environment.as_deref() else { return Value::Null };
    // The newer names came with 18.6.
    json!(match name {
        "ambient" if !world.version().at_least(18, 7) => "WEB".to_owned(),
        "chat" if !world.version().at_least(18, 7) => "IDE".to_owned(),
        other => other.to_uppercase(),
    })
}

fn names(ids: &[i64]) -> Vec<&'static str> {
    let name = |id: &i64| PRIVILEGES.iter().find(|(known, ..)| known == id).map(|(_, name, ..)| *name);
    ids.iter().filter_map(name).collect()
}
