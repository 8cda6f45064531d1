//! Sessions as MCP tasks: the task is the session. Nothing is kept here: the id is made of the
//! instance and the session, and every look is a read of GitLab, so that a task outlives this process.

use std::collections::BTreeMap;
use std::sync::Arc;

use gitlab_duo_core::actions::get_session::{GetSession, Look, look_at_session};
use gitlab_duo_core::actions::send_input::{SendInput, send_reviewed_input};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::limits::{HUMAN_MESSAGE_CHARS, POLL_RUNNING_SECONDS};
use gitlab_duo_core::view::checkpoint::PendingInputView;
use gitlab_duo_core::view::outcome::Decided;
use gitlab_duo_core::view::session::SessionView;
use jiff::Timestamp;
use rmcp::RoleServer;
use rmcp::model::{
    BooleanSchema, DetailedTask, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, ErrorData, GetTaskMethod, GetTaskResult, InputRequest, InputResponses,
    PrimitiveSchemaDefinition, StringSchema, Task, TaskPayload, TaskStatus,
};
use rmcp::service::RequestContext;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::arguments::call::Call;
use crate::detached::DetachedWrites;
use crate::reply::reply;
use crate::server::guard::{Halt, bounded, guarded};
use crate::server::person::can_show_forms;
use crate::server::refusals::refused_task;
use crate::server::state::{Server, no_token};
use crate::text;
use crate::tools::revision::Revision;
use crate::tools::run::{Started, session_answer};

/// Bytes of an instance's mark in a task id.
const INSTANCE_BYTES: usize = 6;
/// The fields of an answer to a checkpoint, named as the tools name them.
const APPROVAL: &str = "human_approval";
const MESSAGE: &str = "human_message";
/// What cancelling means.
const DETACHES: &str = "cancelling this task only detaches, the session goes on";

/// Whether the client of a request can be given a task: both sides have to speak of tasks, in the
/// generation that has them. Some older clients declare the extension and cannot read one.
pub(super) fn takes_tasks(context: &RequestContext<RoleServer>) -> bool {
    let is_modern = context.protocol_version().is_some_and(|version| !version.has_initialize());
    is_modern && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks())
}

/// The task of a session that was started just now.
pub(super) fn task_of_start(instance: &InstanceUrl, started: &Started, now: Timestamp) -> Task {
    let id = task_id(instance, &started.workflow_id);
    let (now, what) =
        (now.to_string(), format!("session {} has been started; {DETACHES}", started.workflow_id));
    let task = Task::new(id, TaskStatus::Working, now.clone(), now).with_status_message(what);
    polled(task, started.poll_after_seconds)
}

/// The task of a session, still at work.
pub(super) fn task_of(instance: &InstanceUrl, session: &SessionView, now: Timestamp) -> Task {
    let created_at = session.created_at.clone().unwrap_or_else(|| now.to_string());
    let updated_at = session.updated_at.clone().unwrap_or_else(|| created_at.clone());
    let status = session.status.value().filter(|name| Status::known().iter().any(|(known, _)| known == name));
    let what =
        format!("session {} is {}; {DETACHES}", session.workflow_id, status.unwrap_or("of unknown status"));
    let id = task_id(instance, &session.workflow_id);
    let task = Task::new(id, TaskStatus::Working, created_at, updated_at).with_status_message(what);
    polled(task, session.poll_after_seconds)
}

/// A session that waits for somebody has no poll hint of its own; a client polls all the same.
fn polled(task: Task, seconds: Option<u32>) -> Task {
    task.with_poll_interval_ms(u64::from(seconds.unwrap_or(POLL_RUNNING_SECONDS)) * 1_000)
}

fn task_id(instance: &InstanceUrl, workflow_id: &str) -> String {
    format!("duo-{}-{workflow_id}", instance_mark(instance))
}

fn instance_mark(instance: &InstanceUrl) -> String {
    let digest = Sha256::digest(instance.as_str().as_bytes());
    digest.iter().take(INSTANCE_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn workflow_id(instance: &InstanceUrl, task_id: &str) -> Result<WorkflowId, DuoError> {
    let unknown = || DuoError::new(ErrorKind::NotFound, "this is no task of this server and its GitLab");
    let rest = task_id.strip_prefix("duo-").ok_or_else(unknown)?;
    let (mark, id) = rest.split_once('-').ok_or_else(unknown)?;
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    if mark != instance_mark(instance) || !is_number {
        return Err(unknown());
    }
    WorkflowId::parse(id).map_err(|_| unknown())
}

/// The task requests of one client.
pub(super) struct Tasks<'a> {
    server: &'a Server,
    context: &'a RequestContext<RoleServer>,
}

impl<'a> Tasks<'a> {
    /// # Errors
    /// An unknown method in the generation that has no tasks.
    pub(super) fn of(server: &'a Server, context: &'a RequestContext<RoleServer>) -> Result<Self, ErrorData> {
        if takes_tasks(context) {
            return Ok(Self { server, context });
        }
        Err(ErrorData::method_not_found::<GetTaskMethod>())
    }

    pub(super) async fn get(&self, task_id: &str) -> Result<GetTaskResult, ErrorData> {
        let looked = guarded(self.context, self.look(task_id)).await;
        let look = looked.map_err(|halt| refused_task(&halt.refusal(false)))?;
        Ok(GetTaskResult::new(self.detailed(&look)))
    }

    /// Sends what a person answered. The acknowledgement says only that it was taken.
    pub(super) async fn update(&self, task_id: &str, answers: &InputResponses) -> Result<(), ErrorData> {
        let gateway = self.gateway().map_err(|refusal| refused_task(&refusal))?;
        let sent = guarded(self.context, self.send(task_id, answers, &gateway)).await;
        sent.map_err(|halt| refused_task(&halt.refusal(gateway.has_begun())))
    }

    /// Detaches: the client no longer follows the session, which goes on. Only whether there is such
    /// a session is looked up.
    pub(super) async fn cancel(&self, task_id: &str) -> Result<(), ErrorData> {
        self.get(task_id).await.map(drop)
    }

    fn gateway(&self) -> Result<DetachedWrites, DuoError> {
        let caller = self.server.callers.of(self.context).ok_or_else(no_token)?;
        Ok(DetachedWrites::new(Arc::clone(&caller.gateway)))
    }

    async fn look(&self, task_id: &str) -> Result<Look, Halt> {
        let settings = &*self.server.settings;
        settings.scope.admit_browsing().map_err(DuoError::from)?;
        let workflow_id = workflow_id(&settings.instance, task_id)?;
        let gateway = self.gateway()?;
        let request = GetSession { workflow_id, now: (settings.clock)() };
        bounded(self.server.call_bound, look_at_session(&gateway, &settings.scope, request)).await
    }

    fn detailed(&self, look: &Look) -> DetailedTask {
        let settings = &*self.server.settings;
        let task = task_of(&settings.instance, &look.session, (settings.clock)());
        DetailedTask::new(task, self.payload(look))
    }

    fn payload(&self, look: &Look) -> TaskPayload {
        let settings = &*self.server.settings;
        if look.session.terminal == Some(true) {
            let answer = session_answer(&look.session, settings.surface);
            let result = reply(answer, Revision::Structured);
            return match serde_json::to_value(result) {
                Ok(Value::Object(result)) => TaskPayload::Completed { result },
                _ => TaskPayload::Working,
            };
        }
        match self.open_question(look) {
            Some((key, pending)) => {
                let params = ElicitRequestParams::FormElicitationParams {
                    meta: None,
                    message: text::question::checkpoint(&look.session),
                    requested_schema: form(pending),
                };
                let request = InputRequest::Elicitation(ElicitRequest::new(params));
                TaskPayload::InputRequired { input_requests: BTreeMap::from([(key, request)]) }
            }
            None => TaskPayload::Working,
        }
    }

    /// The question that this client can answer now. Its name holds the mark of what is pending, so
    /// that no two questions of a task share one, and an answer fits the question it was given to.
    fn open_question<'b>(&self, look: &'b Look) -> Option<(String, &'b PendingInputView)> {
        let is_allowed = self.server.settings.scope.admit_writing().is_ok();
        let can_ask = can_show_forms(self.context.client_capabilities().as_ref());
        let pending =
            look.session.pending_input.as_ref().filter(|pending| pending.can_send != Some(false))?;
        let seen = look.seen.as_ref().filter(|_| is_allowed && can_ask)?;
        Some((format!("{}-{seen}", pending.kind), pending))
    }

    async fn send(
        &self,
        task_id: &str,
        answers: &InputResponses,
        gateway: &DetachedWrites,
    ) -> Result<(), Halt> {
        let settings = &*self.server.settings;
        settings.scope.admit_writing().map_err(DuoError::from)?;
        let look = self.look(task_id).await?;
        let open = self.open_question(&look);
        if let Some(unknown) = answers.keys().find(|key| open.as_ref().is_none_or(|(open, _)| open != *key)) {
            return Err(no_longer_open(unknown).into());
        }
        let answer = open.as_ref().and_then(|(key, pending)| Some((answers.get(key)?, *pending)));
        let (Some((answer, pending)), Some(seen)) = (answer, &look.seen) else { return Ok(()) };
        let Some(input) = decision(answer, pending)? else { return Ok(()) };
        let workflow_id = workflow_id(&settings.instance, task_id)?;
        let request = SendInput { workflow_id, input, now: (settings.clock)() };
        let caller = self.server.callers.of(self.context).ok_or_else(no_token)?;
        gateway.hold(self.server.in_flight.begin(caller.key, &Call::SendInput(request.clone()))?);
        let sent = send_reviewed_input(gateway, &settings.scope, request, seen);
        match bounded(self.server.call_bound, sent).await? {
            Decided::Sent(_) => Ok(()),
            Decided::Changed(_) => Err(no_longer_open(pending.kind).into()),
        }
    }
}

fn no_longer_open(key: &str) -> DuoError {
    let key = crate::arguments::loose::echo(key);
    DuoError::new(
        ErrorKind::NotWaiting,
        format!("{key} is not what waits for an answer now, so nothing was sent"),
    )
    .with_next_step("look with tasks/get at what is pending now")
}

/// The fields of an answer. GitLab takes no message with a yes.
fn form(pending: &PendingInputView) -> ElicitationSchema {
    let approval = BooleanSchema::new()
        .title("Approve")
        .description("Yes: it goes on as planned. No: it goes on without this; your message tells it how.");
    let longest = u32::try_from(HUMAN_MESSAGE_CHARS).unwrap_or(u32::MAX);
    let message = StringSchema::new().title("Message").max_length(longest);
    if pending.kind == "input" {
        let message = message.description("Your answer.");
        let fields = BTreeMap::from([(MESSAGE.to_owned(), PrimitiveSchemaDefinition::String(message))]);
        return ElicitationSchema::new(fields).with_required(vec![MESSAGE.to_owned()]);
    }
    let message = message.description("Only with a no: what it shall do instead.");
    let fields = BTreeMap::from([
        (APPROVAL.to_owned(), PrimitiveSchemaDefinition::Boolean(approval)),
        (MESSAGE.to_owned(), PrimitiveSchemaDefinition::String(message)),
    ]);
    ElicitationSchema::new(fields).with_required(vec![APPROVAL.to_owned()])
}

/// What a person decided; none when they left the question open.
fn decision(answer: &Value, pending: &PendingInputView) -> Result<Option<HumanInput>, DuoError> {
    let answer: ElicitResult = serde_json::from_value(answer.clone())
        .map_err(|_| DuoError::invalid("the answer is no result of an elicitation, so nothing was sent"))?;
    if !matches!(answer.action, ElicitationAction::Accept) {
        return Ok(None);
    }
    let field = |name: &str| answer.content.as_ref().and_then(|content| content.get(name));
    let approval = field(APPROVAL).and_then(Value::as_bool);
    let message = field(MESSAGE).and_then(Value::as_str).filter(|message| !message.trim().is_empty());
    if message.is_some_and(|message| message.chars().count() > HUMAN_MESSAGE_CHARS) {
        return Err(DuoError::invalid(format!(
            "`{MESSAGE}` is too long: GitLab takes at most {HUMAN_MESSAGE_CHARS} characters; nothing was sent"
        )));
    }
    match (approval, message) {
        (Some(true), Some(_)) => Err(DuoError::invalid(format!(
            "`{MESSAGE}` cannot go with a yes: GitLab takes none; nothing was sent"
        ))),
        (Some(true), None) => Ok(Some(HumanInput::Approve)),
        (Some(false), message) => Ok(Some(HumanInput::Reply(message.map(str::to_owned)))),
        (None, Some(message)) if pending.kind == "input" => {
            Ok(Some(HumanInput::Reply(Some(message.to_owned()))))
        }
        (None, _) => Err(DuoError::invalid("the answer says neither yes nor no, so nothing was sent")),
    }
}
