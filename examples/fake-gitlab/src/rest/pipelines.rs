//! Pipelines of a project.

use super::paging::{self, Query};
use super::refuse::{self, Outcome};
use super::{people, projects};
use crate::wire::{Answer, Request};
use crate::world::{Pipeline, World};
use serde_json::{Value, json};

pub(super) fn list(world: &World, request: &Request, project: &str) -> Outcome {
    let project = projects::find(world, request, project)?.id;
    let query = Query::of(request);
    let rows: Vec<_> = world
        .pipelines
        .values()
        .rev()
        .filter(|pipeline| pipeline.project == project)
        .filter(|pipeline| query.admits("ref", &pipeline.git_ref) && query.admits("sha", &pipeline.sha))
        .filter(|pipeline| {
            query.admits("status", &pipeline.status) && query.admits("source", &pipeline.source)
        })
        .map(|pipeline| brief(world, pipeline))
        .collect();
    paging::page(request, &rows)
}

pub(super) fn show(world: &World, request: &Request, project: &str, pipeline: &str) -> Outcome {
    let project = projects::find(world, request, project)?.id;
    let Ok(id) = pipeline.parse::<i64>() else { return Err(refuse::invalid("pipeline_id is invalid")) };
    let found = world.pipelines.get(&id).filter(|pipeline| pipeline.project == project);
    let pipeline = found.ok_or_else(refuse::not_found)?;
    Ok(Answer::json(200, &full(world, pipeline)))
}

/// A pipeline as a row of a list.
pub(super) fn brief(world: &World, pipeline: &Pipeline) -> Value {
    let mut body = json!({
        "id": pipeline.id, "iid": pipeline.iid, "project_id": pipeline.project, "sha": pipeline.sha,
        "ref": pipeline.git_ref, "status": pipeline.status, "source": pipeline.source,
        "created_at": "2026-10-20T08:50:00.000Z", "updated_at": "2026-10-20T09:02:11.000Z",
        "web_url": format!("{}/-/pipelines/{}", world.project_url(pipeline.project), pipeline.id),
        "name": null,
    });
    projects::overlay(&mut body, &pipeline.rest);
    body
}

fn full(world: &World, pipeline: &Pipeline) -> Value {
    let mut body = brief(world, pipeline);
    let finished = if pipeline.complete() { json!("2026-10-20T09:02:11.000Z") } else { Value::Null };
    let more = json!({
        "before_sha": "0".repeat(40), "tag": pipeline.tag, "yaml_errors": null,
        "user": people::brief(world, pipeline.user), "started_at": "2026-10-20T08:50:12.000Z",
        "finished_at": finished, "committed_at": null, "duration": 690, "queued_duration": 12,
        "coverage": null, "detailed_status": {
            "icon": format!("status_{}", pipeline.status), "text": pipeline.status,
            "label": pipeline.status, "group": pipeline.status, "tooltip": pipeline.status,
            "has_details": true, "illustration": null,
        },
    });
    if let Value::Object(more) = more {
        projects::overlay(&mut body, &more);
    }
    projects::overlay(&mut body, &pipeline.rest);
    body
}
