//! A session with its details.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::Lookup;
use gitlab_duo_core::model::ids::{MergeRequestIid, ProjectId, WorkflowId};
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, CreatedWorkItem, History, Links, Message, MessageKind,
    Permissions, Session, SessionRow, ToolCall,
};
use gitlab_duo_core::model::status::StatusGroup;

use super::parts::rows::{another_session, lower_case, session_row};
use super::parts::walk::{Walked, unavailable, walk};
use crate::generated::get_session::get_session::{
    GetSessionDuoWorkflowWorkflowsNodes as Node,
    GetSessionDuoWorkflowWorkflowsNodesLatestCheckpoint as Checkpoint,
    GetSessionDuoWorkflowWorkflowsNodesLatestCheckpointDuoMessages as DuoMessage, ResponseData, Variables,
};
use crate::generated::get_session::{GetSession, OPERATION};
use crate::scalars::{IdText, Text};
use crate::wire::connection::Wire;
use crate::wire::graphql::Reply;

/// Reads a session; where GitLab has no look-up by id, what its row in the list tells.
pub(crate) async fn get_session(wire: &Wire, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
    let support = wire.instance().await?.support;
    if OPERATION.index_for(support.release()).is_none() {
        return find_in_list(wire, id).await;
    }
    let global = IdText::global("Ai::DuoWorkflows::Workflow", id.number());
    let reply = wire.query::<GetSession>(&OPERATION, |_| Variables { workflow_id: global.clone() }).await?;
    Ok(Answer { value: lookup(&reply, id)?, unavailable: reply.unavailable() })
}

/// Reads the answer about the session `id`.
pub(crate) fn lookup(reply: &Reply<ResponseData>, id: WorkflowId) -> Result<Lookup, ReadError> {
    match reply.data.as_ref().and_then(node) {
        Some(Some(node)) => {
            let mut session =
                session(node).filter(|session| session.row.id == id).ok_or_else(another_session)?;
            if reply.has_failed_at("aiCatalogItemVersionId") {
                session.has_item_version = None;
            }
            Ok(Lookup::Found(Box::new(session)))
        }
        Some(None) => Ok(Lookup::Absent),
        None if reply.has_code("WORKFLOW_NOT_FOUND") => Ok(Lookup::Absent),
        None => Err(reply.error()),
    }
}

async fn find_in_list(wire: &Wire, id: WorkflowId) -> Result<Answer<Lookup>, ReadError> {
    Ok(match walk(wire, id).await? {
        Walked::Found(row, document) => Answer {
            value: Lookup::Found(Box::new(Session::bare(*row))),
            unavailable: unavailable(&OPERATION, document),
        },
        Walked::Absent => Answer::complete(Lookup::Absent),
        Walked::GaveUp { rows } => Answer::complete(Lookup::GaveUp { rows }),
    })
}

/// The one row; `Some(None)` for an empty list, none when there is no list.
fn node(data: &ResponseData) -> Option<Option<&Node>> {
    Some(data.duo_workflow_workflows.as_ref()?.nodes.as_ref()?.iter().flatten().next())
}

fn session(node: &Node) -> Option<Session> {
    let may = node.user_permissions.as_ref();
    Some(Session {
        row: session_row!(node)?,
        summary: node.summary.clone(),
        environment: lower_case(node.environment.as_ref()),
        // Every instance with this query knows the field: null means that there is none.
        has_item_version: Some(node.ai_catalog_item_version_id.is_some()),
        permissions: Permissions {
            resume: may.and_then(|may| may.resume_duo_workflow),
            update: may.and_then(|may| may.update_duo_workflow),
        },
        stalled: node.stalled,
        history: node.latest_checkpoint.as_ref().map(history),
        created: created(node),
        job_logs: job_logs(node),
    })
}

/// All legs, newest first; older versions know only the last one.
fn job_logs(node: &Node) -> Vec<String> {
    let all: Vec<String> = node.all_executor_logs_urls.iter().flatten().flatten().cloned().collect();
    if all.is_empty() { node.last_executor_logs_url.clone().into_iter().collect() } else { all }
}

fn history(checkpoint: &Checkpoint) -> History {
    let messages = checkpoint.duo_messages.as_ref();
    History {
        messages: messages.map(|messages| messages.iter().flatten().map(message).collect()),
        errors: checkpoint.errors.iter().flatten().flatten().cloned().collect(),
    }
}

fn message(message: &DuoMessage) -> Message {
    Message {
        kind: MessageKind::read(message.message_type.as_deref().unwrap_or_default()),
        role: message.role.clone(),
        content: message.content.clone().unwrap_or_default(),
        status: message.status.clone(),
        tool: message.tool_info.as_deref().and_then(ToolCall::read),
        timestamp: message.timestamp.clone(),
    }
}

/// Collects one kind of link. GitLab gives null where the caller may not see the object. Links to what the
/// session started from are asked away, and left out should they come all the same.
macro_rules! links {
    ($connection:expr, $object:ident, $of:expr) => {
        $connection.as_ref().and_then(|connection| {
            let nodes = connection.nodes.as_ref()?;
            let is_created = |kind: &Text| kind.as_str() == "CREATED";
            let links = nodes.iter().map(Option::as_ref);
            let created: Vec<_> = links
                .filter(|link| link.is_none_or(|link| link.link_type.as_ref().is_none_or(is_created)))
                .collect();
            let objects = created.iter().map(|link| link.and_then(|link| link.$object.as_ref()));
            let items: Vec<_> = objects.flatten().map($of).collect();
            let has_more = connection.page_info.as_ref().and_then(|info| info.has_next_page);
            Some(Links { hidden: created.len() - items.len(), items, has_more })
        })
    };
}

fn created(node: &Node) -> Created {
    Created {
        merge_requests: links!(node.merge_request_links, merge_request, |object| CreatedMergeRequest {
            iid: object.iid.as_deref().and_then(|iid| MergeRequestIid::parse(iid).ok()),
            title: object.title.clone(),
            state: lower_case(object.state.as_ref()),
            web_url: object.web_url.clone(),
        }),
        work_items: links!(node.work_item_links, work_item, |object| CreatedWorkItem {
            iid: object.iid.as_deref().and_then(|iid| iid.parse().ok()),
            title: object.title.clone(),
            state: object.state.as_ref().map(Text::as_str).map(str::to_ascii_lowercase),
            web_url: object.web_url.clone(),
        }),
        notes: links!(node.note_links, note, |object| CreatedNote {
            body: object.body.clone(),
            url: object.url.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &str) -> Session {
        let json = format!(r#"{{"duoWorkflowWorkflows":{{"nodes":[{{"id":73{fields}}}]}}}}"#);
        session(node(&serde_json::from_str(&json).unwrap()).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn every_missing_field_stays_unknown() {
        let bare = Session::bare(SessionRow::unknown(WorkflowId::new(73).unwrap()));
        assert_eq!(read(""), Session { has_item_version: Some(false), ..bare });
    }

    #[test]
    fn unknown_members_are_kept() {
        let session = read(
            r#","environment":"MOON","statusName":"idle","latestCheckpoint":{"errors":null,"duoMessages":
            [null,{"messageType":"dream","content":null,"toolInfo":"null"}]}"#,
        );
        assert_eq!(session.environment.as_deref(), Some("moon"));
        assert_eq!(session.row.status.unwrap().name(), "idle");
        let messages = session.history.unwrap().messages.unwrap();
        assert_eq!((messages.len(), messages[0].kind.name(), messages[0].content.as_str()), (1, "dream", ""));
        assert_eq!(messages[0].tool, None);
    }

    #[test]
    fn a_missing_history_is_not_an_empty_one() {
        assert_eq!(read(r#","latestCheckpoint":null"#).history, None);
        assert_eq!(read(r#","latestCheckpoint":{}"#).history.unwrap().messages, None);
        assert_eq!(
            read(r#","latestCheckpoint":{"duoMessages":[]}"#).history.unwrap().messages,
            Some(Vec::new())
        );
    }

    #[test]
    fn hidden_objects_are_counted_and_a_null_connection_is_unknown() {
        let session = read(
            r#","mergeRequestLinks":{"nodes":[{"mergeRequest":{"iid":"317","state":"opened"}},
            {"mergeRequest":null},null],"pageInfo":{"hasNextPage":true}},"workItemLinks":{"nodes":[{"workItem":{"iid":"5",
            "state":"OPEN"}}]},"noteLinks":null"#,
        );
        let requests = session.created.merge_requests.unwrap();
        assert_eq!((requests.items.len(), requests.hidden, requests.has_more), (1, 2, Some(true)));
        assert_eq!(requests.items[0].iid.unwrap().number(), 317);
        let items = session.created.work_items.unwrap();
        assert_eq!(
            (items.items[0].iid, items.items[0].state.as_deref(), items.has_more),
            (Some(5), Some("open"), None)
        );
        assert_eq!(session.created.notes, None);
    }

    #[test]
    fn what_the_session_started_from_is_not_what_it_created() {
        let session = read(
            r#","workItemLinks":{"nodes":[{"linkType":"SOURCE","workItem":{"iid":"1"}},
            {"linkType":"CREATED","workItem":{"iid":"2"}},{"linkType":"CREATED","workItem":null}]}"#,
        );
        let items = session.created.work_items.unwrap();
        assert_eq!((items.items.len(), items.items[0].iid, items.hidden), (1, Some(2), 1));
    }

    #[test]
    fn the_last_log_stands_in_for_the_list() {
        assert_eq!(read(r#","lastExecutorLogsUrl":"a""#).job_logs, ["a"]);
        assert_eq!(
            read(r#","lastExecutorLogsUrl":"a","allExecutorLogsUrls":["b","a"]"#).job_logs,
            ["b", "a"]
        );
    }
}
