//! The project of a call, and the one that is meant when none is named.

use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::target::TargetUrl;

use crate::arguments::door::Door;
use crate::arguments::loose::Loose;

/// The project named by `project_id`, or the only one that the operator allows.
pub(crate) fn project(loose: &Loose<'_>, door: &Door<'_>) -> Result<Option<ProjectRef>, DuoError> {
    Ok(named(loose, door)?.or_else(|| default_project(door.scope)))
}

/// As [`project`]; before the default comes the project of the page that `url` names.
pub(crate) fn project_of_start(loose: &Loose<'_>, door: &Door<'_>) -> Result<ProjectRef, DuoError> {
    if let Some(project) = named(loose, door)? {
        return Ok(project);
    }
    let of_url = loose.word("url")?.and_then(|url| project_of_page(url, door.instance));
    of_url.or_else(|| default_project(door.scope)).ok_or_else(|| missing("start"))
}

/// The refusal of an action that needs a project.
pub(crate) fn missing(action: &str) -> DuoError {
    DuoError::invalid(format!("`project_id` is missing: `{action}` needs it")).with_next_step(
        "give the project's numeric id, its full path (`group/project`) or the URL of one of its pages",
    )
}

fn named(loose: &Loose<'_>, door: &Door<'_>) -> Result<Option<ProjectRef>, DuoError> {
    loose.id("project_id", |text| ProjectRef::parse(text, door.instance))
}

fn project_of_page(url: &str, instance: &InstanceUrl) -> Option<ProjectRef> {
    TargetUrl::parse(url, instance).ok().map(|target| ProjectRef::Path(target.project))
}

fn default_project(scope: &Scope) -> Option<ProjectRef> {
    let allowed = scope.allowed_projects.as_ref().filter(|allowed| allowed.len() == 1)?;
    allowed.first().copied().map(ProjectRef::Id)
}
