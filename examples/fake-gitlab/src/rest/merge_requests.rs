//! Merge requests of a project.

use super::paging::{self, Query};
use super::refuse::{self, Outcome};
use super::{people, pipelines as ci, projects};
use crate::wire::{Answer, Request};
use crate::world::{MergeRequest, World};
use serde_json::{Value, json};

pub(super) fn list(world: &World, request: &Request, project: &str) -> Outcome {
    let project = projects::find(world, request, project)?.id;
    let query = Query::of(request);
    let state = query.get("state").unwrap_or("all");
    let rows: Vec<_> = world
        .merge_requests
        .values()
        .rev()
        .filter(|row| row.project == project && (state == "all" || row.state == state))
        .filter(|row| query.admits("source_branch", &row.source_branch))
        .filter(|row| query.admits("target_branch", &row.target_branch))
        .filter(|row| query.admits("source_project_id", &row.source_project.to_string()))
        .filter(|row| query.get("iids[]").is_none_or(|iid| iid == row.iid.to_string()))
        .map(|row| entity(world, row))
        .collect();
    let ascending = query.get("sort") == Some("asc");
    let rows = if ascending { rows.into_iter().rev().collect() } else { rows };
    paging::page(request, &rows)
}

pub(super) fn show(world: &World, request: &Request, project: &str, iid: &str) -> Outcome {
    let row = find(world, request, project, iid)?;
    Ok(Answer::json(200, &entity(world, row)))
}

pub(super) fn pipelines(world: &World, request: &Request, project: &str, iid: &str) -> Outcome {
    let row = find(world, request, project, iid)?;
    let rows: Vec<_> = row
        .pipelines
        .iter()
        .filter_map(|id| world.pipelines.get(id))
        .map(|pipeline| ci::brief(world, pipeline))
        .collect();
    paging::page(request, &rows)
}

fn find<'w>(
    world: &'w World,
    request: &Request,
    project: &str,
    iid: &str,
) -> Result<&'w MergeRequest, Answer> {
    let project = projects::find(world, request, project)?.id;
    let Ok(iid) = iid.parse::<i64>() else { return Err(refuse::invalid("merge_request_iid is invalid")) };
    let found = world.merge_requests.values().find(|row| row.project == project && row.iid == iid);
    found.ok_or_else(refuse::not_found)
}

fn entity(world: &World, row: &MergeRequest) -> Value {
    let path = world.projects.get(&row.project).map(|project| project.full_path.as_str()).unwrap_or_default();
    let mut body = json!({
        "id": row.id, "iid": row.iid, "project_id": row.project, "title": row.title, "state": row.state,
        "created_at": "2026-10-19T15:00:00.000Z", "updated_at": "2026-10-20T08:49:00.000Z",
        "target_branch": row.target_branch, "source_branch": row.source_branch,
        "author": people::brief(world, row.author), "source_project_id": row.source_project,
        "target_project_id": row.project, "draft": false,
        "sha": "9f1c2d3e4a5b6c7d8e9f0a1b2c3d4e5f60718293", "merge_status": "can_be_merged",
        "detailed_merge_status": "mergeable",
        "web_url": format!("{}/-/merge_requests/{}", world.project_url(row.project), row.iid),
        "references": {
            "short": format!("!{}", row.iid), "relative": format!("!{}", row.iid),
            "full": format!("{path}!{}", row.iid),
        },
    });
    projects::overlay(&mut body, &row.rest);
    body
}
