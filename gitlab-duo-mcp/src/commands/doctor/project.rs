//! A project: whether sessions run there.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::catalog::Eligibility;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::project::{Project, ProjectRef};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::clean::clean;
use gitlab_duo_core::rules::clip::clip;

use crate::commands::doctor::check::Check;
use crate::limits::INLINE_CHARS;

/// The facts of a project, its policy first: nothing more is read of one that is not allowed.
pub(super) async fn project(reader: &dyn DuoReader, scope: &Scope, project: &ProjectRef) -> Vec<Check> {
    let project = match reader.project(project).await {
        Ok(Some(project)) => project,
        Ok(None) => {
            return vec![
                Check::no("project", "it is not there, or not visible with this token")
                    .but("check its path or id, and who the token belongs to"),
            ];
        }
        Err(error) => return vec![failed("project", &error)],
    };
    let found = Check::yes("project", format!("{} ({})", project.path, project.id));
    if let Err(refusal) = scope.admit(&project) {
        let policy = Check::no("project_allowed", refusal.to_string());
        return vec![found, policy.but(DuoError::from(refusal).kind.next_step())];
    }
    let facts = eligibility(reader, &project).await;
    [found, Check::yes("project_allowed", "the settings allow it")].into_iter().chain(facts).collect()
}

async fn eligibility(reader: &dyn DuoReader, project: &Project) -> Vec<Check> {
    match reader.eligibility(project).await {
        Ok(answer) => of_facts(&answer.value),
        Err(error) => vec![failed("project_can_run_sessions", &error)],
    }
}

fn failed(name: &str, error: &ReadError) -> Check {
    Check::unknown(name, error.to_string()).but(error.kind.next_step())
}

fn of_facts(facts: &Eligibility) -> Vec<Check> {
    let rows = [
        (
            "duo_features_enabled",
            facts.duo_features_enabled,
            "Duo features are on",
            "switch GitLab Duo on in the project's settings",
        ),
        (
            "agent_platform_enabled",
            facts.agent_platform_enabled,
            "the Duo Agent Platform is usable",
            "switch the Duo Agent Platform on for the project and its group",
        ),
        (
            "remote_flows_enabled",
            facts.remote_flows_enabled,
            "flows may run in CI",
            "allow flow execution in the project's settings",
        ),
        (
            "foundational_flows_enabled",
            facts.foundational_flows_enabled,
            "GitLab's own flows are on",
            "allow foundational flows in the settings of project and group",
        ),
        (
            "minimum_access",
            facts.minimum_access,
            "the role is high enough to run sessions in CI",
            "ask for the role Developer or higher in the project",
        ),
        (
            "runner_available",
            facts.runner_available,
            "a fitting runner is online",
            "connect an instance or group runner that runs Docker and has the tag `gitlab--duo`",
        ),
        (
            "credits_available",
            facts.credits_available,
            "GitLab Credits are left",
            "ask the owner of the group or instance about GitLab Credits",
        ),
        (
            "not_archived",
            facts.archived.map(|archived| !archived),
            "the project is not archived",
            "unarchive the project",
        ),
    ];
    let checks = rows.into_iter().map(|(name, state, detail, next_step)| {
        let check = Check::new(&format!("project_{name}"), state, detail);
        if state == Some(false) { check.but(next_step) } else { check }
    });
    let failed = facts.failed_checks.iter().map(|words| {
        // GitLab's words: data, so nothing is derived from them.
        let words = clip(&clean(words).text, INLINE_CHARS).text.replace('\n', " ");
        Check::no("project_check", format!("GitLab says: {words}"))
    });
    checks.chain(failed).collect()
}
