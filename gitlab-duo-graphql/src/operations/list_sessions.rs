//! A page of the caller's own sessions.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::{SessionFilter, SessionPage, SessionQuery};
use gitlab_duo_core::model::ids::{ProjectId, WorkflowId};
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::model::session::SessionRow;
use gitlab_duo_core::model::status::StatusGroup;

use super::parts::rows::{page_info, session_row};
use crate::generated::list_sessions::list_sessions::{ResponseData, Variables};
use crate::generated::list_sessions::{ListSessions, OPERATION};
use crate::scalars::Text;
use crate::wire::connection::Wire;
use crate::wire::document::Document;
use crate::wire::graphql::Reply;

/// Lists. A filter that the instance does not know is reported in the page, where its rows are still unfiltered.
pub(crate) async fn list_sessions(
    wire: &Wire,
    query: &SessionQuery,
) -> Result<Answer<SessionPage>, ReadError> {
    let reply = wire.query::<ListSessions>(&OPERATION, |document| variables(query, document)).await?;
    Ok(Answer { value: read(&reply, query)?, unavailable: reply.unavailable() })
}

/// Reads the answer to `query`.
pub(crate) fn read(reply: &Reply<ResponseData>, query: &SessionQuery) -> Result<SessionPage, ReadError> {
    let not_filtered = not_filtered(query, reply.document);
    let page = reply.data.as_ref().and_then(|data| page(data, not_filtered));
    page.ok_or_else(|| reply.error())
}

fn variable(filter: SessionFilter) -> &'static str {
    match filter {
        SessionFilter::Project => "projectPath",
        SessionFilter::StatusGroup => "statusGroup",
        SessionFilter::Statuses => "statuses",
    }
}

fn not_filtered(query: &SessionQuery, document: &Document) -> Vec<SessionFilter> {
    query.filters().into_iter().filter(|filter| !document.takes(variable(*filter))).collect()
}

fn variables(query: &SessionQuery, document: &Document) -> Variables {
    let given = |filter: SessionFilter| query.filters().contains(&filter) && document.takes(variable(filter));
    let upper = |text: &str| Text::from(text.to_ascii_uppercase());
    let statuses = || query.statuses.iter().map(|status| upper(status.name())).collect();
    Variables {
        first: Some(i64::from(query.first.rows())),
        after: query.after.as_ref().map(|cursor| cursor.as_str().to_owned()),
        project_path: query
            .project
            .as_ref()
            .filter(|_| given(SessionFilter::Project))
            .map(ToString::to_string),
        status_group: query
            .status_group
            .as_ref()
            .filter(|_| given(SessionFilter::StatusGroup))
            .map(|group| upper(group.name())),
        statuses: given(SessionFilter::Statuses).then(statuses),
    }
}

/// None when the answer has no rows at all, which is not the same as no row.
fn page(data: &ResponseData, not_filtered: Vec<SessionFilter>) -> Option<SessionPage> {
    let list = data.duo_workflow_workflows.as_ref()?;
    let rows = list.nodes.as_ref()?.iter().flatten().filter_map(|node| session_row!(node)).collect();
    let info = list.page_info.as_ref();
    let page_info =
        page_info(info.and_then(|info| info.has_next_page), info.and_then(|info| info.end_cursor.clone()));
    Some(SessionPage { rows, page_info, not_filtered })
}

#[cfg(test)]
mod tests {
    use gitlab_duo_core::model::project::ProjectPath;
    use gitlab_duo_core::model::status::Status;
    use gitlab_duo_core::rules::version::Release;

    use super::*;

    fn document(release: Release) -> &'static Document {
        &OPERATION.documents[OPERATION.index_for(release).unwrap()]
    }

    #[test]
    fn a_filter_is_sent_where_it_is_known_and_reported_where_it_is_not() {
        let query = SessionQuery {
            project: ProjectPath::parse("acme/api").ok(),
            statuses: vec![Status::InputRequired],
            ..SessionQuery::default()
        };
        let sent = serde_json::to_value(variables(&query, document(Release::new(19, 5)))).unwrap();
        let expected = serde_json::json!({"first":20,"projectPath":"acme/api","statuses":["INPUT_REQUIRED"]});
        assert_eq!(sent, expected);
        assert_eq!(not_filtered(&query, document(Release::new(19, 5))), []);

        let old = document(Release::new(17, 3));
        assert_eq!(serde_json::to_value(variables(&query, old)).unwrap(), serde_json::json!({"first":20}));
        assert_eq!(not_filtered(&query, old), [SessionFilter::Project, SessionFilter::Statuses]);
    }

    #[test]
    fn null_rows_are_left_out_and_a_missing_list_is_no_empty_list() {
        let read = |json: &str| page(&serde_json::from_str(json).unwrap(), Vec::new());
        let rows = r#"{"duoWorkflowWorkflows":{"nodes":[null,{"id":null},{"id":"gid://gitlab/Ai::DuoWorkflows::Workflow/73",
            "statusName":"compacting","statusGroup":"NEW","createdAt":"not a time","projectId":4021}]}}"#;
        let page = read(rows).unwrap();
        let [row] = page.rows.as_slice() else { panic!("{page:?}") };
        assert_eq!((row.id.number(), row.project.id.unwrap().number()), (73, 4021));
        assert_eq!(row.status.as_ref().unwrap().name(), "compacting");
        assert_eq!(row.status_group.as_ref().unwrap().name(), "new");
        assert_eq!((row.created_at, row.goal.as_deref(), page.page_info.has_next_page), (None, None, None));
        assert_eq!(read(r#"{"duoWorkflowWorkflows":null}"#), None);
        assert_eq!(read(r#"{"duoWorkflowWorkflows":{"nodes":null}}"#), None);
        assert_eq!(read(r#"{"duoWorkflowWorkflows":{"nodes":[]}}"#).unwrap().rows, []);
    }
}
