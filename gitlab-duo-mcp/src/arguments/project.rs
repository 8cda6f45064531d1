//! The project of a call, and the one that is meant when none is named.

use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::target::TargetUrl;

use crate::arguments::door::Door;
use crate::arguments::loose::Loose;
use crate::spec::surface::Surface;

/// The project named by `project_id` or `url`, or the only one that the operator allows.
pub(crate) fn project(loose: &Loose<'_>, door: &Door<'_>) -> Result<Option<ProjectRef>, DuoError> {
    let named = by_id(loose, door)?;
    let named = if named.is_some() { named } else { by_url(loose, door)? };
    Ok(named.or_else(|| default_project(door.scope)))
}

/// As [`project`], for a start. On the compact surface `url` is what the flow works on, and one that
/// cannot be such a page is left to the flow to refuse.
pub(crate) fn project_of_start(
    loose: &Loose<'_>,
    door: &Door<'_>,
    surface: Surface,
) -> Result<ProjectRef, DuoError> {
    let project = match (surface, by_id(loose, door)?) {
        (_, Some(project)) => Some(project),
        (Surface::GitLab, None) => project(loose, door)?,
        (Surface::Compact, None) => {
            let of_url = loose.word("url")?.and_then(|url| project_of_page(url, door.instance));
            of_url.or_else(|| default_project(door.scope))
        }
    };
    project.ok_or_else(missing)
}

/// The two names of a project that `project_id` and `url` give, when their text cannot show them to
/// be the same.
pub(crate) fn named_twice(
    loose: &Loose<'_>,
    door: &Door<'_>,
    surface: Surface,
) -> Result<Option<(ProjectRef, ProjectRef)>, DuoError> {
    if surface != Surface::GitLab {
        return Ok(None);
    }
    let both = by_id(loose, door)?.zip(by_url(loose, door)?);
    Ok(both.filter(|(by_id, by_url)| match (by_id, by_url) {
        (ProjectRef::Path(by_id), ProjectRef::Path(by_url)) => !by_id.is(by_url),
        _ => true,
    }))
}

/// The refusal of a call that needs a project.
pub(crate) fn missing() -> DuoError {
    DuoError::invalid("`project_id` is missing: this needs a project").with_next_step(
        "give the project's numeric id, its full path (`group/project`) or the URL of one of its pages",
    )
}

fn by_id(loose: &Loose<'_>, door: &Door<'_>) -> Result<Option<ProjectRef>, DuoError> {
    loose.id("project_id", |text| ProjectRef::parse(text, door.instance))
}

/// A number is no URL, although it would name a project.
fn by_url(loose: &Loose<'_>, door: &Door<'_>) -> Result<Option<ProjectRef>, DuoError> {
    let Some(url) = loose.word("url")? else { return Ok(None) };
    if url.trim().bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DuoError::invalid("`url` is a number: give the id of a project as `project_id`"));
    }
    let project = ProjectRef::parse(url, door.instance);
    project.map(Some).map_err(|error| DuoError::invalid(format!("`url`: {error}")))
}

fn project_of_page(url: &str, instance: &InstanceUrl) -> Option<ProjectRef> {
    TargetUrl::parse(url, instance).ok().map(|target| ProjectRef::Path(target.project))
}

fn default_project(scope: &Scope) -> Option<ProjectRef> {
    let allowed = scope.allowed_projects.as_ref().filter(|allowed| allowed.len() == 1)?;
    allowed.first().copied().map(ProjectRef::Id)
}
