//! Pipelines and merge requests.

use super::{gid, reference};
use crate::world::World;
use serde_json::{Value, json};

pub(super) fn pipeline(world: &World, id: i64, user: Option<i64>) -> Option<Value> {
    let pipeline = world.pipelines.get(&id)?;
    world.projects.get(&pipeline.project).filter(|project| project.readable_by(user))?;
    let merge_request = pipeline.merge_request.and_then(|iid| world.merge_request_of(pipeline.project, iid));
    let path =
        world.projects.get(&pipeline.project).map(|project| project.full_path.as_str()).unwrap_or_default();
    Some(json!({
        "id": gid("Ci::Pipeline", id), "iid": pipeline.iid.to_string(), "ref": pipeline.git_ref,
        "sha": pipeline.sha, "source": pipeline.source, "status": pipeline.status.to_uppercase(),
        "active": !pipeline.complete(), "complete": pipeline.complete(), "failureReason": null,
        "createdAt": "2026-10-20T08:50:00Z", "updatedAt": "2026-10-20T09:02:11Z",
        "startedAt": "2026-10-20T08:50:12Z",
        "finishedAt": pipeline.complete().then_some("2026-10-20T09:02:11Z"),
        "path": format!("/{path}/-/pipelines/{id}"),
        "project": reference("Project", pipeline.project), "user": reference("User", pipeline.user),
        "mergeRequest": merge_request.map(|row| reference("MergeRequest", row.id)),
    }))
}

pub(super) fn merge_request(world: &World, id: i64, user: Option<i64>) -> Option<Value> {
    let row = world.merge_requests.get(&id)?;
    let project = world.projects.get(&row.project).filter(|project| project.readable_by(user))?;
    let mut author = reference("User", row.author);
    if let Value::Object(author) = &mut author {
        author.insert("__as".to_owned(), json!("MergeRequestAuthor"));
    }
    Some(json!({
        "id": gid("MergeRequest", id), "iid": row.iid.to_string(), "title": row.title, "state": row.state,
        "draft": false, "sourceBranch": row.source_branch, "targetBranch": row.target_branch,
        "diffHeadSha": "9f1c2d3e4a5b6c7d8e9f0a1b2c3d4e5f60718293", "author": author,
        "createdAt": "2026-10-19T15:00:00Z", "updatedAt": "2026-10-20T08:49:00Z", "mergedAt": null,
        "project": reference("Project", row.project), "projectId": row.project,
        "sourceProject": reference("Project", row.source_project), "sourceProjectId": row.source_project,
        "targetProject": reference("Project", row.project), "targetProjectId": row.project,
        "headPipeline": row.pipelines.first().map(|id| reference("Pipeline", *id)),
        "reference": format!("{}!{}", project.full_path, row.iid),
        "webUrl": format!("{}/-/merge_requests/{}", world.project_url(row.project), row.iid),
    }))
}
