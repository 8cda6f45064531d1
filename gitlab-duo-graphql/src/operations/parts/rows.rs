//! Values and rows that several answers carry. The macros stand for functions over types that are generated once per
//! operation.

use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::page::{Cursor, PageInfo};
use gitlab_duo_core::model::project::ProjectPath;
use gitlab_duo_core::model::status::Status;
use jiff::Timestamp;

use crate::scalars::Text;

/// A time; none when it is not readable as one.
pub(crate) fn timestamp(text: Option<&Text>) -> Option<Timestamp> {
    text?.as_str().trim().parse().ok()
}

/// A path; none when it is not one.
pub(crate) fn path(text: Option<&str>) -> Option<ProjectPath> {
    ProjectPath::parse(text?).ok()
}

/// The status by its name, or by the words for people on versions that have no name for it.
pub(crate) fn status(name: Option<&str>, human: Option<&str>) -> Option<Status> {
    [name, human].into_iter().flatten().find(|text| !text.trim().is_empty()).map(Status::read)
}

/// The text of an enum member in lower case.
pub(crate) fn lower_case(text: Option<&Text>) -> Option<String> {
    text.map(|text| text.as_str().to_ascii_lowercase()).filter(|text| !text.is_empty())
}

/// Where a list goes on; the cursor exactly as it came.
pub(crate) fn page_info(has_next_page: Option<bool>, end_cursor: Option<String>) -> PageInfo {
    let end_cursor = end_cursor.filter(|cursor| !cursor.is_empty()).map(Cursor::received);
    PageInfo { has_next_page, end_cursor }
}

/// The answer holds something else than what was asked for.
pub(crate) fn another_session() -> ReadError {
    GatewayError::new(ErrorKind::Unreadable, "GitLab answered with another session than the one asked for")
}

/// What a row says of its project.
macro_rules! project_link {
    ($node:expr) => {{
        let node = $node;
        let project = node.project.as_ref();
        let ids = [node.project_id.as_ref(), project.and_then(|project| project.id.as_ref())];
        let id = ids.into_iter().flatten().find_map(|id| ProjectId::parse(id.as_str()).ok());
        let path = project.and_then(|project| project.full_path.as_ref());
        ProjectLink {
            id,
            path: $crate::operations::parts::rows::path(path.map(|path| path.as_str())),
            web_url: project.and_then(|project| project.web_url.clone()),
        }
    }};
}

/// A row of the caller's sessions; none when it carries no readable id.
macro_rules! session_row {
    ($node:expr) => {{
        use $crate::operations::parts::rows::{status, timestamp};
        let node = $node;
        let id = node.id.as_ref().and_then(|id| WorkflowId::parse(id.as_str()).ok());
        id.map(|id| SessionRow {
            id,
            status: status(node.status_name.as_deref(), node.human_status.as_deref()),
            status_group: node.status_group.as_ref().map(|group| StatusGroup::read(group.as_str())),
            goal: node.goal.clone(),
            title: node.title.clone(),
            flow: node.workflow_definition.clone(),
            agent_name: node.agent_name.clone(),
            project: $crate::operations::parts::rows::project_link!(node),
            web_url: node.web_url.clone(),
            created_at: timestamp(node.created_at.as_ref()),
            updated_at: timestamp(node.updated_at.as_ref()),
        })
    }};
}

/// A row of a catalog. Made-up rows have negative ids, which are none.
macro_rules! consumer {
    ($node:expr) => {{
        let node = $node;
        let project_path = node.project.as_ref().and_then(|project| project.full_path.as_ref());
        let item = node.item.as_ref().map(|item| {
            let flow = item.foundational_flow_reference.as_deref().and_then(FlowReference::new);
            CatalogItem {
                id: item.id.as_ref().and_then(|id| CatalogItemId::parse(id.as_str()).ok()),
                name: item.name.clone(),
                description: item.description.clone(),
                item_type: item.item_type.as_ref().map(|kind| ItemType::read(kind.as_str())),
                // Before 19.3 only the reference tells; only GitLab's own flows carry one.
                foundational: item.foundational.or(flow.is_some().then_some(true)),
                flow,
            }
        });
        Consumer {
            id: node.id.as_ref().and_then(|id| ConsumerId::parse(id.as_str()).ok()),
            enabled: node.enabled,
            item,
            project_path: $crate::operations::parts::rows::path(project_path.map(|path| path.as_str())),
            released: node.pinned_item_version.as_ref().and_then(|version| version.released),
            may_execute: node.user_permissions.as_ref().and_then(|may| may.execute_ai_catalog_item),
        }
    }};
}

pub(crate) use {consumer, project_link, session_row};
