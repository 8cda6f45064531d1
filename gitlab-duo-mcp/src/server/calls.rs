//! One call of a tool: admitted, decided about by a person where that is due, and run within its bound.

use std::sync::Arc;
use std::time::Duration;

use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::wait_session::{WaitSession, is_settled};
use gitlab_duo_core::model::error::DuoError;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CreateTaskResult, InputRequiredResult};
use rmcp::service::{Peer, RequestContext};

use crate::arguments::call::{Call, Parsed};
use crate::arguments::door::Door;
use crate::arguments::parse::parse;
use crate::caller::Caller;
use crate::detached::DetachedWrites;
use crate::limits::QUESTIONS;
use crate::server::guard::{Halt, bounded};
use crate::server::patience::ClientPatience;
use crate::server::person::{Means, Round, ask, declined};
use crate::server::state::{Server, no_token};
use crate::server::tasks::{takes_tasks, task_of, task_of_start};
use crate::settings::confirm::ConfirmMode;
use crate::tools::decide::{AfterYes, Question};
use crate::tools::listing::Called;
use crate::tools::run::{Answer, check_same, run, session_answer};
use crate::tools::write::Write;

/// A call that is being answered.
pub(super) struct Calling<'a> {
    server: &'a Server,
    called: Called,
    request: &'a CallToolRequestParams,
    context: &'a RequestContext<RoleServer>,
    caller: Option<&'a Caller>,
    gateway: Option<DetachedWrites>,
}

/// How a call ends when nothing stands in its way.
pub(super) enum Ended {
    /// With its result.
    Answer(Answer),
    /// With a question to the client's user; the client calls again with the answer.
    Ask(InputRequiredResult),
    /// With a task that follows a session.
    Task(CreateTaskResult),
}

impl<'a> Calling<'a> {
    pub(super) fn new(
        server: &'a Server,
        called: Called,
        request: &'a CallToolRequestParams,
        context: &'a RequestContext<RoleServer>,
        caller: Option<&'a Caller>,
    ) -> Self {
        let gateway = caller.map(|caller| DetachedWrites::new(Arc::clone(&caller.gateway)));
        Self { server, called, request, context, caller, gateway }
    }

    /// Whether a write has begun: then it may have happened, whatever ended the call.
    pub(super) fn has_written(&self) -> bool {
        self.gateway.as_ref().is_some_and(DetachedWrites::has_begun)
    }

    /// Runs the call.
    ///
    /// # Errors
    /// [`Halt`].
    pub(super) async fn ended(&self) -> Result<Ended, Halt> {
        let (parsed, gateway, caller) = self.admitted()?;
        let write = Write::of(&parsed.call).filter(|write| self.wants_a_person(write));
        match (write, Means::of(self.context)) {
            (Some(_), Means::None) if self.server.settings.confirm.mode == ConfirmMode::Always => {
                Err(unasked().into())
            }
            (None, _) | (_, Means::None) => self.plain(parsed, gateway).await,
            (Some(write), means) => {
                self.bounded(Duration::ZERO, check_same(&parsed, gateway)).await?;
                match means {
                    Means::CallAgain => self.by_calling_again(write, gateway, caller).await,
                    Means::Request(peer) => self.by_request(write, gateway, &peer).await.map(Ended::Answer),
                    Means::None => Err(unasked().into()),
                }
            }
        }
    }

    fn admitted(&self) -> Result<(Parsed, &DetachedWrites, &Caller), DuoError> {
        let settings = &*self.server.settings;
        let scope = &settings.scope;
        if self.called.spec.hints.read_only {
            scope.admit_browsing()?
        } else {
            scope.admit_writing()?
        }
        let (gateway, caller) = self.gateway.as_ref().zip(self.caller).ok_or_else(no_token)?;
        let door = Door { instance: &settings.instance, scope, now: (settings.clock)() };
        let none = rmcp::model::JsonObject::new();
        let arguments = self.request.arguments.as_ref().unwrap_or(&none);
        let parsed = parse(self.called.spec, arguments, self.called.fixed, &door)?;
        if let Call::WaitSession(wait) = &parsed.call {
            gateway.share_looks(self.server.looks.waiter(
                caller.key,
                wait.workflow_id,
                Arc::clone(&self.server.elapsed),
            ));
        }
        gateway.hold(self.server.in_flight.begin(caller.key, &parsed.call)?);
        Ok((parsed, gateway, caller))
    }

    /// Whether a person has to say yes first, where one can be asked.
    fn wants_a_person(&self, write: &Write) -> bool {
        match self.server.settings.confirm.mode {
            ConfirmMode::Never => false,
            ConfirmMode::Always => true,
            ConfirmMode::Approvals => write.is_approval_or_stop(),
        }
    }

    async fn plain(&self, parsed: Parsed, gateway: &DetachedWrites) -> Result<Ended, Halt> {
        let settings = &self.server.settings;
        if let (Call::WaitSession(wait), true) = (&parsed.call, takes_tasks(self.context)) {
            return self.wait_as_task(wait, gateway).await;
        }
        let patience =
            ClientPatience::of(self.context, Arc::clone(&settings.clock), Arc::clone(&self.server.pause));
        let (wait, surface) = (parsed.call.wait(), self.called.spec.surface);
        let answer = self.bounded(wait, run(parsed, surface, gateway, &settings.scope, &patience)).await?;
        Ok(self.answered(answer))
    }

    /// A start is followed as a task by a client that can.
    fn answered(&self, answer: Answer) -> Ended {
        match &answer.started {
            Some(started) if takes_tasks(self.context) => {
                let settings = &*self.server.settings;
                Ended::Task(CreateTaskResult::new(task_of_start(
                    &settings.instance,
                    started,
                    (settings.clock)(),
                )))
            }
            _ => Ended::Answer(answer),
        }
    }

    /// A wait that a client follows as a task, unless there is nothing to wait for.
    async fn wait_as_task(&self, wait: &WaitSession, gateway: &DetachedWrites) -> Result<Ended, Halt> {
        let settings = &*self.server.settings;
        let now = (settings.clock)();
        let request = GetSession { workflow_id: wait.workflow_id, now };
        let session = self.bounded(Duration::ZERO, get_session(gateway, &settings.scope, request)).await?;
        if is_settled(&session) {
            return Ok(Ended::Answer(session_answer(&session, self.called.spec.surface)?));
        }
        Ok(Ended::Task(CreateTaskResult::new(task_of(&settings.instance, &session, now))))
    }

    async fn by_request(
        &self,
        write: Write,
        gateway: &DetachedWrites,
        peer: &Peer<RoleServer>,
    ) -> Result<Answer, Halt> {
        let Some(mut question) = self.question(&write, gateway).await? else {
            return self.nothing_to_decide(write, gateway).await;
        };
        for _ in 0..QUESTIONS {
            // The person's time is no part of the call's bound.
            ask(peer, &question, self.server.settings.confirm.patience).await?;
            match self.after_yes(write.clone(), question.seen.as_ref(), gateway).await? {
                AfterYes::Done(answer) => return Ok(answer),
                AfterYes::Changed(now) => question = now,
            }
        }
        Err(declined("what is pending changed each time it was shown").into())
    }

    async fn by_calling_again(
        &self,
        write: Write,
        gateway: &DetachedWrites,
        caller: &Caller,
    ) -> Result<Ended, Halt> {
        let settings = &*self.server.settings;
        let name = write.name();
        let round = Round {
            seal: &caller.seal,
            write: &name,
            now: (settings.clock)(),
            patience: settings.confirm.patience,
        };
        if let Some(yes) = round.answer(self.request)? {
            return match self.after_yes(write, yes.seen.as_ref(), gateway).await? {
                AfterYes::Done(answer) => Ok(self.answered(answer)),
                AfterYes::Changed(question) => Ok(Ended::Ask(round.ask(&question)?)),
            };
        }
        match self.question(&write, gateway).await? {
            Some(question) => Ok(Ended::Ask(round.ask(&question)?)),
            None => self.nothing_to_decide(write, gateway).await.map(Ended::Answer),
        }
    }

    async fn question(&self, write: &Write, gateway: &DetachedWrites) -> Result<Option<Question>, Halt> {
        self.bounded(Duration::ZERO, write.question(gateway, &self.server.settings.scope)).await
    }

    async fn after_yes(
        &self,
        write: Write,
        seen: Option<&gitlab_duo_core::model::seen::Seen>,
        gateway: &DetachedWrites,
    ) -> Result<AfterYes, Halt> {
        let (surface, scope) = (self.called.spec.surface, &self.server.settings.scope);
        self.bounded(Duration::ZERO, write.after_yes(seen, surface, gateway, scope)).await
    }

    /// A stop of a session that has ended: nothing will be sent, so nobody has to be asked.
    async fn nothing_to_decide(&self, write: Write, gateway: &DetachedWrites) -> Result<Answer, Halt> {
        match self.after_yes(write, None, gateway).await? {
            AfterYes::Done(answer) => Ok(answer),
            AfterYes::Changed(_) => Err(declined("nobody has decided about it").into()),
        }
    }

    async fn bounded<T>(
        &self,
        wait: Duration,
        work: impl Future<Output = Result<T, DuoError>>,
    ) -> Result<T, Halt> {
        bounded(self.server.call_bound.saturating_add(wait), work).await
    }
}

fn unasked() -> DuoError {
    declined("a person has to decide about every write here, and this client cannot ask one").with_next_step(
        "use a client that can ask its user (elicitation), or decide on the session's page in GitLab",
    )
}
