//! A small GitLab for the conversations, and servers over it.

use std::sync::Arc;

use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, FoundationalAgent, ItemType};
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectPath};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{AgentReference, FlowReference};
use gitlab_duo_core::model::session::{
    History, Message, MessageKind, Permissions, Session, SessionRow, ToolCall,
};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;

/// The newest GitLab that the tests speak of.
pub(crate) const NEWEST: &str = "19.5.0-ee";

pub(crate) fn instance() -> InstanceUrl {
    InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap()
}

pub(crate) fn settings(scope: Scope) -> ServerSettings {
    let now = "2026-10-20T12:00:00Z".parse().unwrap();
    ServerSettings {
        instance: instance(),
        scope,
        surface: Surface::Compact,
        confirm: Confirm::default(),
        clock: Arc::new(move || now),
    }
}

/// A server without restrictions over `gitlab`.
pub(crate) fn server(gitlab: &MemoryGitLab) -> Server {
    server_of(gitlab, Surface::Compact)
}

/// As [`server`], with the tools of a surface.
pub(crate) fn server_of(gitlab: &MemoryGitLab, surface: Surface) -> Server {
    let settings = ServerSettings { surface, ..settings(Scope::default()) };
    Server::new(Arc::new(gitlab.clone()), settings)
}

/// A GitLab with a project, two flows, an agent, and a session of each kind that matters.
pub(crate) fn gitlab(version: &str) -> MemoryGitLab {
    let gitlab = MemoryGitLab::new(instance(), version);
    {
        let mut world = gitlab.world();
        world.projects = vec![project()];
        world.consumers =
            vec![consumer(723, Some("developer/v1"), "Developer"), consumer(91, None, "Invoices")];
        world.agents = vec![agent("duo_planner/v1")];
        let question = [message(MessageKind::Request, "Which file?", "null")];
        let call = r#"{"name":"run_command","args":{"program":"ls"}}"#;
        let tool_call = [message(MessageKind::Request, "May I?", call)];
        let answer = [message(MessageKind::Agent, "All tests pass.", "null")];
        world.sessions = vec![
            session(75, Status::ToolCallApprovalRequired, &tool_call),
            session(74, Status::InputRequired, &question),
            session(73, Status::Finished, &answer),
            session(72, Status::Running, &[]),
        ];
        world.page_info.has_next_page = Some(false);
    }
    gitlab
}

fn project() -> Project {
    let path = ProjectPath::parse("acme/api").unwrap();
    let web_url = Some("https://git.example.test/acme/api".to_owned());
    Project { id: ProjectId::new(4021).unwrap(), path, web_url }
}

fn consumer(id: u64, reference: Option<&str>, name: &str) -> Consumer {
    let item = CatalogItem {
        // Never the number of its consumer.
        id: CatalogItemId::new(id + 1_000),
        name: Some(name.to_owned()),
        description: Some("Does one thing well.".to_owned()),
        item_type: Some(ItemType::Flow),
        foundational: Some(reference.is_some()),
        flow: reference.and_then(FlowReference::new),
    };
    Consumer {
        id: ConsumerId::new(id),
        enabled: Some(true),
        item: Some(item),
        project_path: Some(project().path),
        released: Some(true),
        may_execute: Some(true),
    }
}

fn agent(reference: &str) -> FoundationalAgent {
    let reference = AgentReference::new(reference).unwrap();
    FoundationalAgent { name: Some("Planner".to_owned()), description: None, reference }
}

/// A session of the project that its owner may answer.
pub(crate) fn session(id: u64, status: Status, messages: &[Message]) -> Session {
    let row = SessionRow {
        status: Some(status),
        goal: Some("Repair the unit tests".to_owned()),
        flow: Some("developer/v1".to_owned()),
        project: ProjectLink::from(project()),
        created_at: Some("2026-10-20T11:10:00Z".parse().unwrap()),
        ..SessionRow::unknown(WorkflowId::new(id).unwrap())
    };
    Session {
        has_item_version: Some(true),
        permissions: Permissions { resume: Some(true), update: Some(true) },
        history: Some(History { messages: Some(messages.to_vec()), errors: Vec::new() }),
        ..Session::bare(row)
    }
}

pub(crate) fn message(kind: MessageKind, content: &str, tool_info: &str) -> Message {
    Message {
        kind,
        role: None,
        content: content.to_owned(),
        status: None,
        tool: ToolCall::read(tool_info),
        timestamp: None,
    }
}
