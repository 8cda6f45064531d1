//! The goal of a start: text within its bounds, or the page that a flow works on.

use crate::model::error::DuoError;
use crate::model::instance::Instance;
use crate::model::project::Project;
use crate::model::selector::TargetKind;
use crate::model::target::{TargetPage, TargetUrl};
use crate::rules::gates::{Feature, Support};
use crate::rules::limits::{LONG_GOAL_BYTES, LONG_GOAL_CHARS, SHORT_GOAL_CHARS};

/// What was asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) goal: Option<&'a str>,
    pub(super) url: Option<&'a str>,
}

/// The goal as it is sent, and the page it names.
pub(super) struct Goal {
    pub(super) text: String,
    pub(super) page: Option<TargetPage>,
}

pub(super) fn goal(
    asked: Asked<'_>,
    kind: Option<TargetKind>,
    project: &Project,
    instance: &Instance,
) -> Result<Goal, DuoError> {
    let given = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    match (kind, given(asked.url), given(asked.goal)) {
        (None, Some(_), _) => Err(DuoError::invalid(
            "`url` is only for `fix_pipeline/v1` (a pipeline) and `code_review/v1` (a merge request): put it into `goal`",
        )),
        // The goal goes as it was written, blanks included: GitLab shows it to people.
        (None, None, Some(_)) => Ok(Goal { text: asked.goal.unwrap_or_default().to_owned(), page: None }),
        (None, None, None) => Err(DuoError::invalid("`goal` is missing: say what the session shall do")),
        (Some(kind), url, goal) => target_goal(kind, url, goal, project, instance),
    }
}

fn target_goal(
    kind: TargetKind,
    url: Option<String>,
    goal: Option<String>,
    project: &Project,
    instance: &Instance,
) -> Result<Goal, DuoError> {
    let needed = match kind {
        TargetKind::Pipeline => "this flow needs `url`: the URL of a pipeline of this project",
        TargetKind::MergeRequest => "this flow needs `url`: the URL of a merge request of this project",
    };
    let url = match (url, goal) {
        (Some(url), Some(goal)) if url != goal => {
            return Err(DuoError::invalid(
                "`goal` is refused: this flow reads nothing but `url`, leave `goal` out",
            ));
        }
        (Some(url), _) | (None, Some(url)) => url,
        (None, None) => return Err(DuoError::invalid(needed)),
    };
    let target = TargetUrl::parse(&url, &instance.url)
        .map_err(|error| DuoError::invalid(format!("{needed}; {error}")))?;
    if target.page.kind() != kind {
        return Err(DuoError::invalid(format!(
            "{needed}; the given one is of a {}",
            target.page.kind().name()
        )));
    }
    if !target.project.is(&project.path) {
        let message =
            format!("{needed}; the given one is of `{}`, not of `{}`", target.project, project.path);
        return Err(DuoError::invalid(message));
    }
    let text = match target.page {
        TargetPage::Pipeline(_) => target.canonical(&instance.url),
        TargetPage::MergeRequest(iid) => iid.to_string(),
    };
    Ok(Goal { text, page: Some(target.page) })
}

pub(super) fn check_goal_length(goal: Option<&str>, support: &Support) -> Result<(), DuoError> {
    let goal = goal.unwrap_or_default();
    let has_long_goals = support.has(Feature::LongGoal);
    let limit = if has_long_goals { LONG_GOAL_CHARS } else { SHORT_GOAL_CHARS };
    if goal.chars().count() > limit {
        return Err(DuoError::invalid(format!(
            "`goal` is too long: at most {limit} characters on this GitLab"
        )));
    }
    if has_long_goals && goal.len() > LONG_GOAL_BYTES {
        return Err(DuoError::invalid(format!(
            "`goal` is too long: at most {LONG_GOAL_BYTES} bytes on this GitLab"
        )));
    }
    Ok(())
}
