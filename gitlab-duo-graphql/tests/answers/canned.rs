//! A GitLab of canned answers, a client of it, and the calls of core's actions.

use fake_gitlab::{FakeGitLab, Fault, LoggedRequest};
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, start_session};
use gitlab_duo_core::actions::stop_session::{StopSession, stop_session};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::{ConsumerId, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{AgentReference, FlowReference, Selector};
use gitlab_duo_core::view::error::ErrorView;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

/// The project of all canned answers.
pub(crate) const PROJECT: u64 = 602;
/// The session of all canned answers.
pub(crate) const SESSION: u64 = 51;
/// Where sessions are started; the other writes lie below.
pub(crate) const WORKFLOWS: &str = "/api/v4/ai/duo_workflows/workflows";
/// The request id in every refusal.
pub(crate) const REQUEST_ID: &str = "req-brass-7";

/// Answers by method and path, or by GraphQL operation; the one that was set first counts. What nothing was set for is
/// answered by the fake itself.
pub(crate) struct Canned {
    pub(crate) fake: FakeGitLab,
}

/// What a call came to: the view, or the error as callers see it.
pub(crate) type Outcome = Result<Value, Value>;

/// An answer with that status and the headers that GitLab adds.
pub(crate) fn json_answer(status: u16, body: &Value) -> Fault {
    let headers = [("content-type", "application/json"), ("x-request-id", REQUEST_ID)];
    Fault::answer(status, &headers, body.to_string())
}

/// An answer of GraphQL without errors.
pub(crate) fn data(field: &str, value: &Value) -> Fault {
    json_answer(200, &json!({"data": {field: value}}))
}

/// `base` with the fields of `more` laid over it.
pub(crate) fn with(mut base: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        base[name] = value.clone();
    }
    base
}

pub(crate) fn now() -> Timestamp {
    "2026-11-03T10:06:00Z".parse().unwrap()
}

pub(crate) fn workflow() -> WorkflowId {
    WorkflowId::new(SESSION).unwrap()
}

pub(crate) fn project() -> ProjectRef {
    ProjectRef::Id(ProjectId::new(PROJECT).unwrap())
}

pub(crate) fn flow(reference: &str) -> Selector {
    Selector::Flow(FlowReference::new(reference).unwrap())
}

pub(crate) fn agent(reference: &str) -> Selector {
    Selector::Agent(AgentReference::new(reference).unwrap())
}

pub(crate) fn consumer(id: u64) -> Selector {
    Selector::Consumer(ConsumerId::new(id).unwrap())
}

pub(crate) fn start_of(selector: Selector) -> StartSession {
    StartSession {
        project: project(),
        selector,
        goal: Some("Seal the leaking valve".to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: now(),
    }
}

pub(crate) fn client_of(url: &str, token: &str) -> GitLab {
    let url = InstanceUrl::parse(url, PlainHttp::LoopbackOnly).unwrap();
    GitLab::builder(url).token(StaticToken::new(token)).build().unwrap()
}

pub(crate) fn outcome<T: Serialize>(result: Result<T, DuoError>) -> Outcome {
    match result {
        Ok(view) => Ok(serde_json::to_value(view).unwrap()),
        Err(error) => Err(serde_json::to_value(ErrorView::of(&error)).unwrap()),
    }
}

pub(crate) async fn get(gitlab: &GitLab) -> Outcome {
    let request = GetSession { workflow_id: workflow(), now: now() };
    outcome(get_session(gitlab, &Scope::default(), request).await)
}

pub(crate) async fn list(gitlab: &GitLab, request: ListSessions) -> Outcome {
    outcome(list_sessions(gitlab, &Scope::default(), request).await)
}

pub(crate) async fn discover(gitlab: &GitLab, project: ProjectRef) -> Outcome {
    let request = AgentsAndFlows { project, item_type: None, first: PageSize::default(), after: None };
    outcome(agents_and_flows(gitlab, &Scope::default(), request).await)
}

pub(crate) async fn start(gitlab: &GitLab, request: StartSession) -> Outcome {
    outcome(start_session(gitlab, &Scope::default(), request).await)
}

pub(crate) async fn answer(gitlab: &GitLab, input: HumanInput) -> Outcome {
    let request = SendInput { workflow_id: workflow(), input, now: now() };
    outcome(send_input(gitlab, &Scope::default(), request).await)
}

pub(crate) async fn stop(gitlab: &GitLab) -> Outcome {
    let request = StopSession { workflow_id: workflow(), now: now() };
    outcome(stop_session(gitlab, &Scope::default(), request).await)
}

impl Canned {
    /// A GitLab that prints this version.
    pub(crate) async fn of(version: &str) -> Self {
        Self { fake: FakeGitLab::builder().version(version).start().await.unwrap() }
    }

    pub(crate) fn rest(&self, method: &str, path: &str, answer: Fault) {
        self.fake.inject(answer.on_method(method).on_path(path).always());
    }

    /// The answer to every write.
    pub(crate) fn write(&self, answer: Fault) {
        self.fake.inject(answer.on_path(WORKFLOWS).always());
    }

    pub(crate) fn graphql(&self, operation: &str, answer: Fault) {
        self.fake.inject(of_operation(operation, answer).always());
    }

    /// The same for the next request only.
    pub(crate) fn graphql_once(&self, operation: &str, answer: Fault) {
        self.fake.inject(of_operation(operation, answer));
    }

    /// The session, as `get` and both writes read it.
    pub(crate) fn session(&self, node: &Value) {
        self.graphql("get_session", data("duoWorkflowWorkflows", &json!({"nodes": [node]})));
    }

    pub(crate) fn gitlab(&self) -> GitLab {
        client_of(self.fake.url(), self.fake.token())
    }

    /// Bodies of the requests that may have changed something.
    pub(crate) fn writes(&self) -> Vec<Value> {
        self.fake.writes().iter().map(LoggedRequest::json).collect()
    }

    /// Variables of the requests for this operation.
    pub(crate) fn variables(&self, operation: &str) -> Vec<Value> {
        let all = self.fake.requests().into_iter();
        let those = all.filter(|request| request.operation_name.as_deref() == Some(operation));
        those.map(|request| request.json()["variables"].clone()).collect()
    }

    /// Paths of the requests, as they were sent, without the one for the version.
    pub(crate) fn paths(&self) -> Vec<String> {
        let all = self.fake.requests().into_iter().map(|request| request.path);
        all.filter(|path| path != "/api/v4/metadata").collect()
    }
}

fn of_operation(operation: &str, answer: Fault) -> Fault {
    answer.on_path("/api/graphql").on_body(&format!("\"operationName\":\"{operation}\""))
}
