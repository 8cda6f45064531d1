//! List the caller's own sessions.

use std::collections::BTreeMap;

use crate::actions::projects::admitted_project;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{SessionFilter, SessionPage, SessionQuery};
use crate::model::error::DuoError;
use crate::model::ids::ProjectId;
use crate::model::instance::Instance;
use crate::model::page::{Cursor, PageSize};
use crate::model::project::{Project, ProjectLink, ProjectRef};
use crate::model::scope::Scope;
use crate::model::session::SessionRow;
use crate::model::status::{Status, StatusGroup};
use crate::rules::gates::Feature;
use crate::view::list::{SessionListView, SessionRowView};
use crate::view::page::unavailable;
use crate::view::session::version_hint;
use crate::view::text::Pen;

/// Which of the caller's own sessions to list.
#[derive(Clone, Debug, Default)]
pub struct ListSessions {
    /// Only those of this project.
    pub project: Option<ProjectRef>,
    /// Only those of this group.
    pub status_group: Option<StatusGroup>,
    /// Only those with one of these statuses; empty for all.
    pub statuses: Vec<Status>,
    /// How many rows.
    pub first: PageSize,
    /// Where to begin, as an earlier page said.
    pub after: Option<Cursor>,
}

/// Lists the caller's own sessions, newest first.
///
/// # Errors
/// `invalid_arguments` for a group beside statuses, `version` below 17.3, `policy`, `not_found` for
/// the project, and whatever a read fails with, also the look-up of a row's project.
pub async fn list_sessions(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: ListSessions,
) -> Result<SessionListView, DuoError> {
    scope.admit_browsing()?;
    if request.status_group.is_some() && !request.statuses.is_empty() {
        return Err(DuoError::invalid(
            "give `status_group` or `statuses`, not both: GitLab refuses them together",
        ));
    }
    let instance = reader.instance().await?;
    instance.support.require(Feature::ReadSessions)?;
    let project = match &request.project {
        Some(project) => Some(admitted_project(reader, scope, project).await?),
        None => None,
    };
    let query = SessionQuery {
        project: project.as_ref().map(|project| project.path.clone()),
        status_group: request.status_group,
        statuses: request.statuses,
        first: request.first,
        after: request.after,
    };
    let answer = reader.sessions(&query).await?;
    let (page, missing) = (answer.value, answer.unavailable);
    let mut sieve = Sieve { reader, scope, looked_up: BTreeMap::new(), unverifiable: 0, excluded: 0 };
    let rows = sieve.sift(&query, project.as_ref(), &page).await?;
    let mut pen = Pen::default();
    Ok(SessionListView {
        sessions: rows.iter().map(|row| SessionRowView::of(row, &instance, &mut pen)).collect(),
        hints: hints(&instance, &rows, &page),
        page_info: page.page_info.into(),
        skipped_unverifiable_sessions: sieve.unverifiable,
        excluded_by_policy: sieve.excluded,
        filtered_here: page.not_filtered.iter().map(|filter| filter.name()).collect(),
        unavailable: unavailable(missing),
        removed_characters: pen.removed(),
    })
}

fn hints(instance: &Instance, rows: &[SessionRow], page: &SessionPage) -> Vec<String> {
    let goes_on = rows.is_empty() && page.page_info.has_next_page == Some(true);
    let empty =
        goes_on.then(|| "no row of this page is shown, but more pages follow: use `endCursor`".to_owned());
    empty.into_iter().chain(version_hint(instance)).collect()
}

/// Decides row by row what is shown, and counts what is not.
struct Sieve<'a> {
    reader: &'a dyn DuoReader,
    scope: &'a Scope,
    /// Each distinct project of the page is looked up at most once; none means gone or hidden.
    looked_up: BTreeMap<ProjectId, Option<Project>>,
    unverifiable: usize,
    excluded: usize,
}

impl Sieve<'_> {
    async fn sift(
        &mut self,
        query: &SessionQuery,
        project: Option<&Project>,
        page: &SessionPage,
    ) -> Result<Vec<SessionRow>, DuoError> {
        let mut kept = Vec::new();
        for row in &page.rows {
            if !page.not_filtered.iter().all(|filter| matches(*filter, query, row)) {
                continue;
            }
            if self.scope.admit_allowed(row.project.id).is_err() || project.is_some_and(|p| !is_of(row, p)) {
                self.excluded += 1;
                continue;
            }
            let link = self.completed(&row.project).await?;
            match (self.scope.admit_link(&link), &link.path) {
                (Ok(()), _) => kept.push(SessionRow { project: link, ..row.clone() }),
                (Err(_), None) => self.unverifiable += 1,
                (Err(_), Some(_)) => self.excluded += 1,
            }
        }
        Ok(kept)
    }

    async fn completed(&mut self, link: &ProjectLink) -> Result<ProjectLink, DuoError> {
        let (Some(id), None) = (link.id, &link.path) else { return Ok(link.clone()) };
        let found = match self.looked_up.get(&id) {
            Some(found) => found.clone(),
            None => {
                let found = self.reader.project(&ProjectRef::Id(id)).await?;
                self.looked_up.entry(id).or_insert(found).clone()
            }
        };
        Ok(found.map_or_else(|| link.clone(), ProjectLink::from))
    }
}

/// Whether a row belongs to the project asked for; a row that does not tell was filtered by GitLab.
fn is_of(row: &SessionRow, project: &Project) -> bool {
    match (row.project.id, &row.project.path) {
        (Some(id), _) => id == project.id,
        (None, Some(path)) => path.is(&project.path),
        (None, None) => true,
    }
}

/// Applies a filter that the instance does not know. A row that does not tell is left out.
fn matches(filter: SessionFilter, query: &SessionQuery, row: &SessionRow) -> bool {
    match filter {
        // Compared with the resolved project, by `is_of`; here only rows without any project go.
        SessionFilter::Project => row.project.id.is_some() || row.project.path.is_some(),
        SessionFilter::StatusGroup => row.group() == query.status_group,
        SessionFilter::Statuses => row.status.as_ref().is_some_and(|status| query.statuses.contains(status)),
    }
}
