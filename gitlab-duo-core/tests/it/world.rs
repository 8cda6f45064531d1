//! A small GitLab for the tests of the actions.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use gitlab_duo_core::gateway::request::{MergeRequest, Pipeline};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, FoundationalAgent, ItemType};
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::{
    CatalogItemId, ConsumerId, MergeRequestIid, PipelineId, ProjectId, WorkflowId,
};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectPath, ProjectRef};
use gitlab_duo_core::model::selector::{AgentReference, FlowReference};
use gitlab_duo_core::model::session::{
    History, Message, MessageKind, Permissions, Session, SessionRow, ToolCall,
};
use gitlab_duo_core::model::status::Status;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// Runs a future of the double, which never waits.
pub(crate) fn now_or_never<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the double never waits"),
    }
}

pub(crate) fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap()
}

pub(crate) fn kind<T: std::fmt::Debug>(result: Result<T, DuoError>) -> &'static str {
    result.unwrap_err().kind.name()
}

pub(crate) fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

pub(crate) fn noon() -> Timestamp {
    at("2026-10-20T12:00:00Z")
}

pub(crate) fn backend() -> ProjectRef {
    ProjectRef::Path(ProjectPath::parse("example-group/backend").unwrap())
}

pub(crate) fn project(id: u64, path: &str) -> Project {
    let web_url = Some(format!("https://gitlab.example.com/{path}"));
    Project { id: ProjectId::new(id).unwrap(), path: ProjectPath::parse(path).unwrap(), web_url }
}

pub(crate) fn workflow(id: u64) -> WorkflowId {
    WorkflowId::new(id).unwrap()
}

pub(crate) fn flow(reference: &str) -> FlowReference {
    FlowReference::new(reference).unwrap()
}

/// A GitLab of `version` with two projects, three flows, an agent, two pipelines and two merge requests.
pub(crate) fn gitlab(version: &str) -> MemoryGitLab {
    let url = InstanceUrl::parse("https://gitlab.example.com", PlainHttp::LoopbackOnly).unwrap();
    let gitlab = MemoryGitLab::new(url, version);
    {
        let mut world = gitlab.world();
        world.projects = vec![project(4021, "example-group/backend"), project(4711, "acme/platform/api")];
        world.consumers = vec![
            consumer(723, Some("developer/v1"), "Developer"),
            consumer(725, Some("fix_pipeline/v1"), "Fix CI/CD Pipeline"),
            consumer(718, Some("code_review/v1"), "Code Review"),
            consumer(91, None, "Invoice keeper"),
        ];
        world.agents = ["chat", "agentic_chat/v1", "duo_planner/v1"].into_iter().map(agent).collect();
        world.pipelines = [(50511, "feature/rounding"), (50512, "refs/merge-requests/317/head")]
            .into_iter()
            .map(|(id, git_ref)| (PipelineId::new(id).unwrap(), pipeline(git_ref)))
            .collect();
        world.merge_requests = vec![merge_request(317, 4021), merge_request(319, 5200)];
    }
    gitlab
}

pub(crate) fn consumer(id: u64, reference: Option<&str>, name: &str) -> Consumer {
    let item = CatalogItem {
        // Never the number of its consumer.
        id: CatalogItemId::new(id + 1_000),
        name: Some(name.to_owned()),
        description: Some("Does one thing well.".to_owned()),
        item_type: Some(ItemType::Flow),
        foundational: Some(reference.is_some()),
        flow: reference.map(flow),
    };
    Consumer {
        id: ConsumerId::new(id),
        enabled: Some(true),
        item: Some(item),
        project_path: Some(ProjectPath::parse("example-group/backend").unwrap()),
        released: Some(true),
        may_execute: Some(true),
    }
}

fn agent(reference: &str) -> FoundationalAgent {
    let reference = AgentReference::new(reference).unwrap();
    FoundationalAgent { name: Some("GitLab Duo".to_owned()), description: None, reference }
}

pub(crate) fn pipeline(git_ref: &str) -> Pipeline {
    Pipeline {
        project: ProjectId::new(4021),
        git_ref: Some(git_ref.to_owned()),
        tag: Some(false),
        source: Some("push".to_owned()),
    }
}

pub(crate) fn merge_request(iid: u64, source_project: u64) -> MergeRequest {
    MergeRequest {
        iid: MergeRequestIid::new(iid).unwrap(),
        state: Some("opened".to_owned()),
        source_branch: Some("feature/rounding".to_owned()),
        source_project: ProjectId::new(source_project),
        web_url: Some(format!("https://gitlab.example.com/example-group/backend/-/merge_requests/{iid}")),
        author: gitlab_duo_core::model::ids::UserId::new(88),
    }
}

/// A session of the backend project, created at ten past eleven.
pub(crate) fn session(id: u64, status: Status) -> Session {
    let row = SessionRow {
        status: Some(status),
        goal: Some("Investigate and repair the failing unit tests".to_owned()),
        flow: Some("developer/v1".to_owned()),
        project: ProjectLink::from(project(4021, "example-group/backend")),
        created_at: Some(at("2026-10-20T11:10:00Z")),
        ..SessionRow::unknown(workflow(id))
    };
    Session { has_item_version: Some(true), ..Session::bare(row) }
}

/// A session at a checkpoint that GitLab would let the caller answer.
pub(crate) fn waiting(id: u64, status: Status, messages: Vec<Message>) -> Session {
    Session {
        permissions: Permissions { resume: Some(true), update: Some(true) },
        history: Some(History { messages: Some(messages), errors: Vec::new() }),
        ..session(id, status)
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
