//! Projects, groups and namespaces.

use super::{gid, reference};
use crate::world::{Project, World};
use serde_json::{Value, json};

pub(super) fn project(world: &World, id: i64, user: Option<i64>) -> Option<Value> {
    let project = world.projects.get(&id).filter(|project| project.readable_by(user))?;
    let member = user.is_some_and(|user| project.has_member(user));
    let group = project.group.and_then(|id| world.groups.get(&id));
    let above = group.map_or("Other User", |group| group.name.as_str());
    let mut object = json!({
        "id": gid("Project", id), "name": project.path(), "path": project.path(),
        "fullPath": project.full_path, "nameWithNamespace": format!("{above} / {}", project.path()),
        "description": null, "archived": project.archived, "visibility": project.visibility,
        "webUrl": world.project_url(id),
        "group": group.map(|group| reference("Group", group.id)),
        "namespace": group.map(|group| reference("Namespace", group.id)),
        "duoFeaturesEnabled": project.duo_features_enabled,
        "duoAgenticChatAvailable": project.duo_features_enabled,
        "userPermissions": permissions(project, user),
        "issue": null,
    });
    if let (Value::Object(object), true) = (&mut object, member) {
        object.insert("duoWorkflowStatusCheck".to_owned(), status_check(world, project, user));
        object.insert("duoWorkflowRunnerAvailable".to_owned(), json!(project.runner.is_some()));
        object.insert("duoWorkflowUsableRunnerType".to_owned(), json!(project.runner));
        object.extend(project.graphql.clone());
    }
    Some(object)
}

fn status_check(world: &World, project: &Project, user: Option<i64>) -> Value {
    let developer = user.is_some_and(|user| project.developer(user));
    let enabled = developer && project.duo_features_enabled;
    let no_role = "The user needs at least the Developer role in the project.";
    json!({
        "enabled": enabled,
        "createDuoWorkflowForCiAllowed": user.is_some_and(|user| world.may_start_in(project, user)),
        "remoteFlowsEnabled": project.remote_flows_enabled,
        "foundationalFlowsEnabled": enabled.then_some(true),
        "enabledFoundationalFlows": enabled.then_some(&project.foundational_flows),
        "checks": [
            { "name": "duo_features_enabled", "value": project.duo_features_enabled, "message": null },
            { "name": "developer_access", "value": developer, "message": (!developer).then_some(no_role) },
            { "name": "feature_available", "value": true, "message": null },
        ],
    })
}

fn permissions(project: &Project, user: Option<i64>) -> Value {
    let developer = user.is_some_and(|user| project.developer(user));
    json!({
        "adminAiCatalogItem": false, "adminAiCatalogItemConsumer": false,
        "createAiCatalogItemConsumer": false, "createMergeRequestIn": developer,
        "createPipeline": developer, "manageAiFlowTriggers": false, "pushCode": developer,
        "readAiCatalogItem": true, "readAiCatalogItemConsumer": true, "readMergeRequest": true,
        "readProject": true,
    })
}

pub(super) fn group(world: &World, id: i64) -> Option<Value> {
    let group = world.groups.get(&id)?;
    Some(json!({
        "id": gid("Group", id), "name": group.name, "fullName": group.name, "path": group.path(),
        "fullPath": group.full_path, "visibility": "private", "duoFeaturesEnabled": true,
        "lockDuoFeaturesEnabled": false, "webUrl": format!("{}/groups/{}", world.base_url(), group.full_path),
        "userPermissions": { "adminAiCatalogItemConsumer": false, "readGroup": true },
        "aiSettings": ai_settings(), "duoWorkflowSessionArtifacts": [],
    }))
}

pub(super) fn namespace(world: &World, id: i64) -> Option<Value> {
    let group = world.groups.get(&id)?;
    Some(json!({
        "id": gid("Group", id), "name": group.name, "fullName": group.name, "path": group.path(),
        "fullPath": group.full_path, "visibility": "private", "aiSettings": ai_settings(),
        "webUrl": format!("{}/groups/{}", world.base_url(), group.full_path),
    }))
}

fn ai_settings() -> Value {
    json!({
        "aiCatalogRestrictedToGroupHierarchy": false, "duoWorkflowMcpEnabled": false,
        "promptInjectionProtectionLevel": "NO_CHECKS",
    })
}
