//! Whether sessions can run in a project.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::catalog::Eligibility;
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::project::Project;

use crate::generated::eligibility::eligibility::{ResponseData, Variables};
use crate::generated::eligibility::{Eligibility as EligibilityQuery, OPERATION};
use crate::wire::connection::Wire;

/// Fields of which an error nulls the whole answer.
const CREDITS: [&str; 2] = ["gitlabCreditsAvailable", "gitlabCreditsUnavailableReason"];

/// Reads the facts. When GitLab cannot tell about credits, its answer is empty as a whole: nothing is known then.
pub(crate) async fn eligibility(wire: &Wire, project: &Project) -> Result<Answer<Eligibility>, ReadError> {
    let variables = |_: &_| Variables { full_path: project.path.to_string() };
    let reply = wire.query::<EligibilityQuery>(&OPERATION, variables).await?;
    let value = match &reply.data {
        // A project that is null for an error is not known; one that is null without is hidden.
        Some(data) if data.project.is_some() || !reply.has_failed_at("project") => of_data(data),
        _ if reply.has_failed_only_at(&CREDITS) => Eligibility::default(),
        _ => return Err(reply.error()),
    };
    Ok(Answer { value, unavailable: reply.unavailable() })
}

fn of_data(data: &ResponseData) -> Eligibility {
    let project = data.project.as_ref();
    let status = project.and_then(|project| project.duo_workflow_status_check.as_ref());
    let denial = data.gitlab_credits_unavailable_reason.as_ref();
    let checks = status.and_then(|status| status.checks.as_ref()).into_iter().flatten().flatten();
    let failed = checks.filter(|check| check.value == Some(false));
    Eligibility {
        duo_features_enabled: project.and_then(|project| project.duo_features_enabled),
        agent_platform_enabled: status.and_then(|status| status.enabled),
        remote_flows_enabled: status.and_then(|status| status.remote_flows_enabled),
        foundational_flows_enabled: status.and_then(|status| status.foundational_flows_enabled),
        minimum_access: status.and_then(|status| status.create_duo_workflow_for_ci_allowed),
        runner_available: project.and_then(|project| project.duo_workflow_runner_available),
        credits_available: data.gitlab_credits_available.or(denial.is_some().then_some(false)),
        archived: project.and_then(|project| project.archived),
        failed_checks: failed
            .filter_map(|check| check.message.clone().or_else(|| check.name.clone()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Eligibility {
        of_data(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn nothing_said_is_nothing_known() {
        assert_eq!(read("{}"), Eligibility::default());
        assert_eq!(read(r#"{"project":null}"#), Eligibility::default());
        assert_eq!(read(r#"{"project":{"duoWorkflowStatusCheck":null}}"#), Eligibility::default());
    }

    #[test]
    fn failed_checks_keep_gitlabs_words() {
        let facts = read(
            r#"{"project":{"archived":false,"duoWorkflowRunnerAvailable":false,"duoWorkflowStatusCheck":{"enabled":false,
            "createDuoWorkflowForCiAllowed":true,"enabledFoundationalFlows":["developer/v1",null],"checks":[
            {"name":"developer_access","value":true,"message":"fine"},{"name":"feature_available","value":false,"message":null},
            {"name":"x","value":false,"message":"not licensed"},{"name":"y","value":null,"message":"?"}]}},
            "gitlabCreditsAvailable":null,"gitlabCreditsUnavailableReason":"USAGE_BILLING_FORBIDDEN"}"#,
        );
        assert_eq!(facts.failed_checks, ["feature_available", "not licensed"]);
        assert_eq!((facts.agent_platform_enabled, facts.minimum_access), (Some(false), Some(true)));
        assert_eq!((facts.runner_available, facts.credits_available), (Some(false), Some(false)));
        assert_eq!(facts.duo_features_enabled, None);
    }
}
