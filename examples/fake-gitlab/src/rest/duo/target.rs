//! What a URL-targeted flow works on: GitLab reads it from the goal, from some version on.

use super::params::Params;
use crate::rest::refuse;
use crate::wire::Answer;
use crate::world::World;

/// From 19.4 the goal of a code review is checked: a number, or an address in this project.
pub(super) fn code_review_goal(world: &World, project: i64, goal: &str) -> Result<String, Answer> {
    if !world.version().at_least(19, 4) {
        return Ok(goal.to_owned());
    }
    let iid = goal.trim().parse::<i64>().ok().or_else(|| merge_request_in(world, project, goal));
    let iid = iid.filter(|iid| *iid > 0).ok_or_else(|| {
        refuse::bad_request(
            "The goal for code reviews must be a merge request IID or a full merge request URL",
        )
    })?;
    Ok(iid.to_string())
}

fn merge_request_in(world: &World, project: i64, goal: &str) -> Option<i64> {
    let rest = goal.trim().strip_prefix(&format!("{}/-/merge_requests/", world.project_url(project)))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The branch to start from: from 19.5 GitLab finds it itself when the client names none.
pub(super) fn branch(world: &World, project: i64, reference: &str, params: &Params) -> Option<String> {
    if params.source_branch.is_some() || !world.version().at_least(19, 5) {
        return params.source_branch.clone();
    }
    match reference {
        "fix_pipeline/v1" => pipeline_branch(world, project, &params.goal),
        "code_review/v1" => {
            let goal = code_review_goal(world, project, &params.goal).ok()?;
            let found = world.merge_request_of(project, goal.parse().ok()?)?;
            Some(found.source_branch.clone())
        }
        _ => None,
    }
}

fn pipeline_branch(world: &World, project: i64, goal: &str) -> Option<String> {
    let (_, rest) = goal.split_once("/-/pipelines/")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let pipeline = world.pipelines.get(&digits.parse().ok()?).filter(|row| row.project == project)?;
    let merge_request = pipeline.merge_request.and_then(|iid| world.merge_request_of(project, iid));
    Some(merge_request.map_or_else(|| pipeline.git_ref.clone(), |row| row.source_branch.clone()))
}
