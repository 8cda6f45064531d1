//! Who may do what: GitLab's policies around sessions and consumers, by played version.

use super::catalog::{Consumer, ItemKind};
use super::project::Project;
use super::session::{Session, status};
use super::state::World;

/// Privileges of an agent: number, name, description, on by default.
pub(crate) const PRIVILEGES: [(i64, &str, &str, bool); 8] = [
    (1, "read_write_files", "Allow local filesystem read/write access", true),
    (2, "read_only_gitlab", "Allow read only access to GitLab APIs", true),
    (3, "read_write_gitlab", "Allow write access to GitLab APIs", true),
    (4, "run_commands", "Allow running any commands", true),
    (5, "use_git", "Allow git commits, push and other git commands", true),
    (6, "run_mcp_tools", "Allow running MCP tools", true),
    (7, "start_flows", "Allow starting foundational flows from chat", false),
    (8, "read_only_files", "Allow local filesystem read access", false),
];

/// Environments that a client may name.
pub(crate) struct Environment;

impl Environment {
    pub(crate) const KNOWN: [&'static str; 6] = ["ide", "web", "chat_partial", "chat", "ambient", "external"];
}

/// Whether a definition is a chat agent rather than a flow.
pub(crate) fn is_chat(world: &World, definition: &str) -> bool {
    world.agents.iter().any(|agent| agent.definition() == definition)
}

impl World {
    /// Whether that user may read the session: the owner, or a member of the project for CI flows.
    pub fn may_read(&self, session: &Session, user: i64) -> bool {
        if session.user == user {
            return true;
        }
        self.is_pipeline_session(session)
            && session
                .project
                .and_then(|id| self.projects.get(&id))
                .is_some_and(|project| project.has_member(user) && project.duo_features_enabled)
    }

    /// Whether it runs in CI and is not a chat: such sessions are shown to the whole project.
    pub fn is_pipeline_session(&self, session: &Session) -> bool {
        matches!(session.environment.as_deref(), Some("web" | "ambient"))
            && !is_chat(self, &session.definition)
    }

    /// `userPermissions.resumeDuoWorkflow`, which the resume route asks as well.
    pub fn may_resume(&self, session: &Session, user: i64) -> bool {
        let version = &self.version;
        // Seen in 19.3; the release before it that first had it is not known.
        if session.user != user || !version.at_least(19, 3) {
            return false;
        }
        let status_fits = match session.status.as_str() {
            status::INPUT_REQUIRED => true,
            status::PLAN_APPROVAL_REQUIRED | status::TOOL_CALL_APPROVAL_REQUIRED => version.at_least(19, 5),
            _ => false,
        };
        let kind_fits = version.at_least(19, 5) || !is_chat(self, &session.definition);
        let job_done = self.last_pipeline(session).is_some_and(|pipeline| pipeline.complete());
        status_fits && kind_fits && job_done
    }

    /// `userPermissions.executeAiCatalogItem`. It does not itself refuse agents.
    pub fn may_execute(&self, consumer: &Consumer, user: i64) -> bool {
        if let Some(overruled) = consumer.executable {
            return overruled;
        }
        let Some(item) = consumer.item.and_then(|id| self.items.get(&id)) else { return false };
        let released = self.pinned_version(consumer).is_some_and(|version| version.released);
        let licensed = self.settings.ultimate || !item.ultimate;
        let kind_runs = item.kind != ItemKind::ThirdPartyFlow;
        released && licensed && kind_runs && self.container_allows(consumer, user)
    }

    fn container_allows(&self, consumer: &Consumer, user: i64) -> bool {
        let Some(project) = consumer.project else { return true };
        let Some(project) = self.projects.get(&project) else { return false };
        let item = consumer.item.and_then(|id| self.items.get(&id));
        let switched_on = match item.and_then(|item| item.reference.as_ref()) {
            Some(reference) => project.foundational_flows.contains(reference),
            None => self.settings.custom_flows,
        };
        switched_on && self.may_start_in(project, user)
    }

    /// `createDuoWorkflowForCiAllowed`: role, Duo, and flow execution of the project.
    pub fn may_start_in(&self, project: &Project, user: i64) -> bool {
        project.developer(user) && project.duo_features_enabled && project.remote_flows_enabled
    }

    /// Name and description by which GitLab knows the thing behind a definition.
    pub(crate) fn agent_name_of(&self, definition: &str) -> Option<String> {
        let agent = self.agents.iter().find(|agent| agent.definition() == definition);
        let item = || self.items.values().find(|item| item.reference.as_deref() == Some(definition));
        agent.map(|agent| agent.name.clone()).or_else(|| item().map(|item| item.name.clone()))
    }
}
