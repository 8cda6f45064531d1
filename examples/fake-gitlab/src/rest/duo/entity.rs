//! The body that describes a session in REST.

use super::privileges::names;
use crate::rest::projects::overlay;
use crate::world::{Session, World};
use serde_json::{Value, json};

/// A session, with the workload of the start or answer that is being answered, or null.
pub(super) fn entity(world: &World, session: &Session, workload: &Value) -> Value {
    let mut body = json!({
        "id": session.id,
        "project_id": session.project,
        "namespace_id": session.namespace,
        "agent_privileges": session.privileges,
        "agent_privileges_names": names(&session.privileges),
        "pre_approved_agent_privileges": session.pre_approved,
        "pre_approved_agent_privileges_names": names(&session.pre_approved),
        "workflow_definition": session.definition,
        "status": session.status,
        "summary": session.summary,
        "title": session.title,
        "allow_agent_to_request_user": session.allow_agent_to_request_user,
        "image": session.image,
        "environment": session.environment,
        "ai_catalog_item_version_id": session.item_version,
        "workload": workload,
        "mcp_enabled": false,
        "incremental_checkpoints_enabled": true,
        "gitlab_url": world.base_url(),
    });
    overlay(&mut body, &session.rest);
    body
}

/// The `workload` of an answer to a write.
pub(super) fn workload(id: Option<i64>) -> Value {
    json!({ "id": id, "message": null })
}
