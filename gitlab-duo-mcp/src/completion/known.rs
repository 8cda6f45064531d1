//! What completion reads of GitLab, with the policy of every read.

use std::fmt;

use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::limits::PAGE_ROWS_MAX;
use gitlab_duo_core::view::catalog::CatalogView;
use gitlab_duo_core::view::list::SessionListView;

/// Where values come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The caller's recent sessions.
    Sessions,
    /// What a project offers.
    Project(ProjectRef),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sessions => formatter.write_str("sessions"),
            Self::Project(project) => write!(formatter, "project {project}"),
        }
    }
}

/// Values that were read: one page, the newest or first rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) workflow_ids: Vec<String>,
    pub(crate) projects: Vec<String>,
    pub(crate) flows: Vec<String>,
    pub(crate) agents: Vec<String>,
    /// Whether GitLab has no more rows than were read.
    pub(crate) is_complete: bool,
}

/// Reads a source.
///
/// # Errors
/// Those of core's action.
pub(crate) async fn read(source: Source, reader: &dyn DuoReader, scope: &Scope) -> Result<Known, DuoError> {
    let first = PageSize::new(PAGE_ROWS_MAX).unwrap_or_default();
    match source {
        Source::Sessions => {
            let recent = ListSessions { first, ..ListSessions::default() };
            Ok(of_sessions(list_sessions(reader, scope, recent).await?))
        }
        Source::Project(project) => {
            let offer = AgentsAndFlows { project, item_type: None, first, after: None };
            Ok(of_offer(agents_and_flows(reader, scope, offer).await?))
        }
    }
}

fn of_sessions(view: SessionListView) -> Known {
    let is_complete = view.page_info.has_next_page == Some(false);
    let mut projects: Vec<_> = view.sessions.iter().filter_map(|row| row.project.clone()).collect();
    projects.sort();
    projects.dedup();
    let workflow_ids = view.sessions.into_iter().map(|row| row.workflow_id).collect();
    Known { workflow_ids, projects, is_complete, ..Known::default() }
}

/// What is known not to start is not offered.
fn of_offer(view: CatalogView) -> Known {
    let is_complete = view.page_info.has_next_page == Some(false);
    let (mut flows, mut agents) = (Vec::new(), Vec::new());
    for item in view.items.into_iter().filter(|item| item.can_start_session != Some(false)) {
        flows.extend(item.flow);
        agents.extend(item.agent);
    }
    Known { flows, agents, is_complete, ..Known::default() }
}
