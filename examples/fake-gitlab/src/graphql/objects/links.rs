//! Links of a session to what it came from or made.

use super::{gid, reference};
use crate::clock;
use crate::world::{Link, LinkTarget, Session, World};
use serde_json::{Value, json};

/// The rows of one connection of links.
pub(super) fn rows(world: &World, session: &Session, connection: &str) -> Value {
    let links = session.links.iter().filter(|link| link.target.connection() == connection);
    links.map(|link| row(world, session, link)).collect()
}

fn row(world: &World, session: &Session, link: &Link) -> Value {
    let (field, object) = target(world, session, &link.target);
    let object = if link.hidden { Value::Null } else { object };
    json!({
        "__key": { "id": link.id.to_string() }, "linkType": link.kind,
        "createdAt": clock::graphql(link.created_at), field: object,
        "workflow": reference("DuoWorkflow", session.id),
    })
}

fn target(world: &World, session: &Session, target: &LinkTarget) -> (&'static str, Value) {
    let times = json!("2026-10-19T15:00:00Z");
    match target {
        LinkTarget::MergeRequest(id) => ("mergeRequest", reference("MergeRequest", *id)),
        LinkTarget::Pipeline(id) => ("pipeline", reference("Pipeline", *id)),
        LinkTarget::WorkItem { id, iid, project, title } => {
            let url = format!("{}/-/work_items/{iid}", world.project_url(*project));
            let path = world.projects.get(project).map(|row| row.full_path.as_str()).unwrap_or_default();
            let item = json!({
                "id": gid("WorkItem", id), "iid": iid.to_string(), "title": title, "state": "OPEN",
                "webUrl": url, "createdAt": times, "updatedAt": times, "namespace": null,
                "project": reference("Project", *project), "reference": format!("{path}#{iid}"),
            });
            ("workItem", item)
        }
        LinkTarget::Note { id, body, url } => {
            let note = json!({
                "id": gid("Note", id), "body": body, "url": url, "createdAt": times, "updatedAt": times,
                "system": false, "author": reference("User", session.user),
                "project": session.project.map(|id| reference("Project", id)),
            });
            ("note", note)
        }
    }
}
