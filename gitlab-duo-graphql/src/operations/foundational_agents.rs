//! The agents that GitLab itself provides.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::catalog::FoundationalAgent;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::{Answer, Unavailable};
use gitlab_duo_core::model::selector::AgentReference;

use crate::generated::foundational_agents::foundational_agents::{ResponseData, Variables};
use crate::generated::foundational_agents::{FoundationalAgents, OPERATION};
use crate::scalars::IdText;
use crate::wire::connection::Wire;

/// Lists the agents that a project sees; none where GitLab cannot list them yet.
pub(crate) async fn foundational_agents(
    wire: &Wire,
    project: ProjectId,
) -> Result<Answer<Option<Vec<FoundationalAgent>>>, ReadError> {
    let release = wire.instance().await?.support.release();
    if let (None, Some(since)) = (OPERATION.index_for(release), OPERATION.since()) {
        let unavailable = vec![Unavailable { detail: OPERATION.name.to_owned(), since }];
        return Ok(Answer { value: None, unavailable });
    }
    let project_id = IdText::global("Project", project.number());
    let variables = |_: &_| Variables { project_id: project_id.clone() };
    let reply = wire.query::<FoundationalAgents>(&OPERATION, variables).await?;
    let agents = reply.data.as_ref().and_then(agents).ok_or_else(|| reply.error())?;
    Ok(Answer { value: Some(agents), unavailable: reply.unavailable() })
}

/// An agent without a reference cannot be named and is left out.
fn agents(data: &ResponseData) -> Option<Vec<FoundationalAgent>> {
    let nodes = data.ai_foundational_chat_agents.as_ref()?.nodes.as_ref()?;
    let agent = |node: &crate::generated::foundational_agents::foundational_agents::FoundationalAgentsAiFoundationalChatAgentsNodes| {
        let references = [node.reference_with_version.as_deref(), node.reference.as_deref()];
        let reference = references.into_iter().flatten().find_map(AgentReference::new)?;
        Some(FoundationalAgent { name: node.name.clone(), description: node.description.clone(), reference })
    };
    Some(nodes.iter().flatten().filter_map(agent).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_with_its_version_is_preferred() {
        let json = r#"{"aiFoundationalChatAgents":{"nodes":[{"name":"GitLab Duo","reference":"chat","referenceWithVersion":"chat"},
            {"name":"Planner","reference":"duo_planner","referenceWithVersion":"duo_planner/v1"},
            {"reference":"bare","referenceWithVersion":null},{"name":"nameless"},null]}}"#;
        let agents = agents(&serde_json::from_str(json).unwrap()).unwrap();
        let references: Vec<_> = agents.iter().map(|agent| agent.reference.as_str()).collect();
        assert_eq!(references, ["chat", "duo_planner/v1", "bare"]);
        assert_eq!(agents[2].name, None);
    }
}
