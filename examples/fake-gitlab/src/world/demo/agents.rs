//! Foundational agents of the demo world.

use crate::world::catalog::Agent;
use crate::world::state::World;

/// Reference, version, name, description, selectable in chat.
const AGENTS: [(&str, &str, &str, &str, bool); 10] = [
    ("chat", "", "GitLab Duo", "General help with code and planning.", true),
    ("orbit_agent", "v1", "Orbit", "Looks across connected project data.", true),
    ("duo_planner", "v1", "Planner", "Helps to plan and track work.", true),
    ("security_analyst_agent", "v1", "Security Analyst", "Triages vulnerabilities.", true),
    ("analytics_agent", "v1", "Data Analyst", "Answers questions about project data.", true),
    ("ci_expert_agent", "v1", "CI Expert", "Writes and debugs pipelines.", true),
    ("duo_permissions_assistant", "v1", "Permissions Assistant", "Chooses token permissions.", false),
    ("support_assistant", "v1", "Support Assistant", "Helps to diagnose product issues.", true),
    ("agentic_chat", "v1", "GitLab Duo", "General help with code and planning.", false),
    ("flow_creator", "v1", "Flow Creator", "Drafts custom flows.", true),
];

pub(super) fn add(world: &mut World) {
    world.agents = AGENTS.into_iter().map(agent).collect();
}

fn agent((reference, version, name, description, selectable): (&str, &str, &str, &str, bool)) -> Agent {
    Agent {
        reference: reference.to_owned(),
        version: version.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        selectable,
    }
}
