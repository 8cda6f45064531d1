//! The client: one method per ability.

use std::fmt;
use std::sync::Arc;

use crate::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use crate::actions::get_session::{GetSession, get_session};
use crate::actions::list_sessions::{ListSessions, list_sessions};
use crate::actions::read_transcript::whole_transcript;
use crate::actions::send_input::{SendInput, review_input, send_input, send_reviewed_input};
use crate::actions::stop_session::{StopSession, stop_session};
use crate::actions::wait_session::{Patience, WaitSeconds, WaitSession, wait_session};
use crate::client::context::CallContext;
use crate::client::following::changes;
use crate::client::paging::{pages, rows};
use crate::client::project_name::ProjectName;
use crate::client::start::StartIn;
use crate::client::stream::DuoStream;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::HumanInput;
use crate::gateway::writer::DuoWriter;
use crate::model::catalog::ItemFilter;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::page::PageSize;
use crate::model::scope::Scope;
use crate::rules::limits::HUMAN_MESSAGE_CHARS;
use crate::view::catalog::{CatalogItemView, CatalogView};
use crate::view::list::{SessionListView, SessionRowView};
use crate::view::outcome::{Decided, OutcomeView};
use crate::view::session::SessionView;
use crate::view::transcript::TranscriptView;

/// A client of one GitLab with one credential. Cheap to clone.
///
/// `G` is the way to GitLab: with a [`DuoReader`] it browses, with a [`DuoWriter`] it also starts,
/// answers and stops. `gitlab-duo-graphql` makes one for a real GitLab (`GitLab::connect`); the one
/// in memory is for tests:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
/// use gitlab_duo_core::client::testing::duo_in_memory;
///
/// let (duo, gitlab) = duo_in_memory();
/// let started = duo.start("example-group/backend").flow("developer/v1").goal("Fix the tests").send().await?;
/// assert_eq!(gitlab.world().started.len(), 1);
///
/// let session = duo.session(started.id()).await?;
/// assert_eq!(session.goal.value(), Some("Fix the tests"));
/// # Ok(()) }
/// ```
pub struct Duo<G> {
    context: CallContext<G>,
}

impl<G> Duo<G> {
    /// A client over `gateway`, with the clock and the pauses of `time`. It may do whatever GitLab allows.
    #[must_use]
    pub fn over(gateway: G, time: impl Patience + 'static) -> Self {
        let context = CallContext { gateway: Arc::new(gateway), scope: Arc::default(), time: Arc::new(time) };
        Self { context }
    }

    /// The same client, which also keeps to `scope`: projects, groups, browsing only. It can only
    /// become narrower.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
    /// use gitlab_duo_core::client::testing::duo_in_memory;
    /// use gitlab_duo_core::model::error::ErrorKind;
    /// use gitlab_duo_core::model::scope::Scope;
    /// use gitlab_duo_core::rules::policy::Access;
    ///
    /// let (duo, gitlab) = duo_in_memory();
    /// let looking = duo.within(Scope { access: Access::ReadOnly, ..Scope::default() });
    /// let start = looking.start("example-group/backend").flow("developer/v1").goal("Fix the tests");
    /// assert_eq!(start.send().await.unwrap_err().kind, ErrorKind::Policy);
    /// assert!(gitlab.world().calls.is_empty());
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn within(self, scope: Scope) -> Self {
        let scope = Scope::clone(&self.context.scope).narrowed_by(scope);
        Self { context: CallContext { scope: Arc::new(scope), ..self.context } }
    }

    /// The way to GitLab, for the functions of [`actions`](crate::actions).
    #[must_use]
    pub fn gateway(&self) -> &G {
        &self.context.gateway
    }

    /// What this client keeps to.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.context.scope
    }
}

impl<G> Clone for Duo<G> {
    fn clone(&self) -> Self {
        Self { context: self.context.clone() }
    }
}

impl<G> fmt::Debug for Duo<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Duo").field("scope", &self.context.scope).finish_non_exhaustive()
    }
}

impl<G: DuoReader + 'static> Duo<G> {
    /// The caller's own sessions, newest first (GitLab 17.3): `first` rows a page, from `after` on.
    /// Pages without a row are passed over.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
    /// use gitlab_duo_core::actions::list_sessions::ListSessions;
    /// use gitlab_duo_core::client::testing::duo_in_memory;
    /// use gitlab_duo_core::model::status::StatusGroup;
    ///
    /// let (duo, _) = duo_in_memory();
    /// let waiting = ListSessions { status_group: Some(StatusGroup::AwaitingInput), ..Default::default() };
    /// let mut sessions = duo.sessions(waiting);
    /// while let Some(session) = sessions.try_next().await? {
    ///     println!("{} waits: {}", session.id(), session.web_url.value().unwrap_or_default());
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`list_sessions`], `too_large` beyond 100 pages, and `unreadable` when the list leads
    /// nowhere. An error is the last item.
    pub fn sessions(&self, request: ListSessions) -> DuoStream<SessionRowView> {
        rows(self.session_pages(request))
    }

    /// As [`sessions`](Self::sessions), page by page: with what was left out, filtered here, or is
    /// not known on this GitLab.
    pub fn session_pages(&self, request: ListSessions) -> DuoStream<SessionListView> {
        let context = self.context.clone();
        pages(request.after.clone(), move |after| {
            let (context, request) = (context.clone(), ListSessions { after, ..request.clone() });
            async move { list_sessions(&*context.gateway, &context.scope, request).await }
        })
    }

    /// What a project offers (GitLab 18.5): foundational agents first, then the flows and agents that
    /// are enabled, only those of `item_type` if there is one.
    ///
    /// # Errors
    /// Those of [`agents_and_flows`], and of long lists as [`sessions`](Self::sessions).
    pub fn catalog(
        &self,
        project: impl Into<ProjectName>,
        item_type: impl Into<Option<ItemFilter>>,
    ) -> DuoStream<CatalogItemView> {
        rows(self.catalog_pages(project, item_type))
    }

    /// As [`catalog`](Self::catalog), page by page: with whether sessions can run in the project.
    pub fn catalog_pages(
        &self,
        project: impl Into<ProjectName>,
        item_type: impl Into<Option<ItemFilter>>,
    ) -> DuoStream<CatalogView> {
        let (context, project, item_type) = (self.context.clone(), project.into(), item_type.into());
        pages(None, move |after| {
            let (context, project) = (context.clone(), project.clone());
            async move {
                let project = context.project(&project).await?;
                let request = AgentsAndFlows { project, item_type, first: PageSize::default(), after };
                agents_and_flows(&*context.gateway, &context.scope, request).await
            }
        })
    }

    /// A session with its details (GitLab 17.3).
    ///
    /// # Errors
    /// Those of [`get_session`].
    pub async fn session(&self, id: WorkflowId) -> Result<SessionView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        get_session(&**gateway, scope, GetSession { workflow_id: id, now: time.now() }).await
    }

    /// A session as soon as something has changed that matters, or at the limit: one wait of
    /// [`watch`](Self::watch), bounded.
    ///
    /// # Errors
    /// Those of [`get_session`].
    pub async fn wait(&self, id: WorkflowId, limit: WaitSeconds) -> Result<SessionView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        wait_session(&**gateway, scope, WaitSession { workflow_id: id, limit }, &**time).await
    }

    /// A session and what becomes of it: its present state at once, then each change that matters
    /// (status, what waits for a person, the end). It ends after a state that is terminal; a session
    /// that waits for a person is watched on, since somebody else may answer it.
    ///
    /// GitLab is asked 5 seconds after a change and then less and less often, down to its own hint
    /// (every 30 seconds while running, every 120 otherwise). Up to five failures in a row that may
    /// pass (busy, slow, not reached) are waited out.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
    /// use std::time::Duration;
    /// use gitlab_duo_core::client::testing::{EXAMPLE_SESSION, FastTime, example_gitlab};
    /// use gitlab_duo_core::client::duo::Duo;
    /// use gitlab_duo_core::model::status::Status;
    ///
    /// let gitlab = example_gitlab();
    /// let time = FastTime::of(&gitlab)
    ///     .then(Duration::from_secs(60), |world| world.sessions[0].row.status = Some(Status::Finished));
    /// let mut states = Duo::over(gitlab, time).watch(EXAMPLE_SESSION);
    /// assert_eq!(states.try_next().await?.and_then(|session| session.typed_status()), Some(Status::Running));
    /// assert_eq!(states.try_next().await?.and_then(|session| session.typed_status()), Some(Status::Finished));
    /// assert!(states.try_next().await?.is_none());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`get_session`]. An error is the last item.
    pub fn watch(&self, id: WorkflowId) -> DuoStream<SessionView> {
        changes(self.context.clone(), id)
    }

    /// Every message of a session, oldest first, by one request; null messages when the history is
    /// missing. Each text has at most 100,000 characters.
    ///
    /// # Errors
    /// Those of [`whole_transcript`].
    pub async fn transcript(&self, id: WorkflowId) -> Result<TranscriptView, DuoError> {
        whole_transcript(&*self.context.gateway, &self.context.scope, id).await
    }

    /// Begins a start in a project; nothing is sent before [`send`](crate::client::start::ReadyStart::send).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
    /// # let (duo, gitlab) = gitlab_duo_core::client::testing::duo_in_memory();
    /// let pipeline = "https://gitlab.example.com/example-group/backend/-/pipelines/50511";
    /// let plan = duo.start("example-group/backend").fix_pipeline(pipeline).plan().await?;
    /// assert_eq!(plan.would_start.goal.value(), Some(pipeline));
    /// assert_eq!(gitlab.world().writes(), 0);
    /// # Ok(()) }
    /// ```
    ///
    /// What is not complete cannot be sent:
    ///
    /// ```compile_fail,E0599
    /// # async fn not_complete() {
    /// # let (duo, _) = gitlab_duo_core::client::testing::duo_in_memory();
    /// duo.start("example-group/backend").flow("developer/v1").send().await;
    /// # }
    /// ```
    pub fn start(&self, project: impl Into<ProjectName>) -> StartIn<G> {
        StartIn::new(self.context.clone(), project.into())
    }
}

impl<G: DuoWriter + 'static> Duo<G> {
    /// Says yes: to the plan, to every pending tool call, or to just going on. What is pending is read
    /// again immediately before. To approve what a person was shown and nothing else, use
    /// [`approve_shown`](Self::approve_shown).
    ///
    /// # Errors
    /// Those of [`send_input`].
    pub async fn approve(&self, id: WorkflowId) -> Result<OutcomeView, DuoError> {
        self.input(id, HumanInput::Approve).await
    }

    /// Says yes to what `shown` asks: it is read again, compared with what was shown, and sent only while it still
    /// stands. To show a text in full before, page by page, is the caller's part.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), gitlab_duo_core::model::error::DuoError> {
    /// use gitlab_duo_core::client::testing::{EXAMPLE_SESSION, duo_in_memory};
    /// use gitlab_duo_core::model::error::ErrorKind;
    ///
    /// let (duo, gitlab) = duo_in_memory();
    /// let shown = duo.session(EXAMPLE_SESSION).await?;
    /// // It runs, and asks nothing.
    /// assert_eq!(duo.approve_shown(&shown).await.unwrap_err().kind, ErrorKind::NotWaiting);
    /// assert_eq!(gitlab.world().writes(), 0);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `not_waiting` when what waits is not what was shown, and those of [`send_input`].
    pub async fn approve_shown(&self, shown: &SessionView) -> Result<OutcomeView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        let (gateway, workflow_id) = (&**gateway, shown.id());
        let present = review_input(gateway, scope, GetSession { workflow_id, now: time.now() }).await?;
        let asks_the_same = match (&present.session.pending_input, &shown.pending_input) {
            (Some(present), Some(shown)) => present.asks_the_same(shown),
            _ => false,
        };
        if !asks_the_same {
            return Err(no_longer(workflow_id));
        }
        let request = SendInput { workflow_id, input: HumanInput::Approve, now: time.now() };
        match send_reviewed_input(gateway, scope, request, &present.seen).await? {
            Decided::Sent(outcome) => Ok(*outcome),
            Decided::Changed(_) => Err(no_longer(workflow_id)),
        }
    }

    /// Answers a question: 1 to 2,000 characters.
    ///
    /// # Errors
    /// `invalid_arguments` for an empty or longer message, and those of [`send_input`].
    pub async fn answer(&self, id: WorkflowId, message: &str) -> Result<OutcomeView, DuoError> {
        if message.trim().is_empty() {
            return Err(DuoError::invalid("the answer is empty: say something, or reject"));
        }
        self.input(id, HumanInput::Reply(Some(bounded(message)?))).await
    }

    /// Says no to a plan or to tool calls, with or without a reason of at most 2,000 characters. This is
    /// no stop: the session goes on without what was refused.
    ///
    /// # Errors
    /// `invalid_arguments` for a longer reason, and those of [`send_input`].
    pub async fn reject(&self, id: WorkflowId, reason: Option<&str>) -> Result<OutcomeView, DuoError> {
        let reason = reason.filter(|reason| !reason.trim().is_empty()).map(bounded).transpose()?;
        self.input(id, HumanInput::Reply(reason)).await
    }

    /// Stops a session and its pipelines (GitLab 18.9). One that has ended already is a plain result with
    /// `sent: false`, and nothing is sent.
    ///
    /// # Errors
    /// Those of [`stop_session`].
    pub async fn stop(&self, id: WorkflowId) -> Result<OutcomeView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        stop_session(&**gateway, scope, StopSession { workflow_id: id, now: time.now() }).await
    }

    async fn input(&self, id: WorkflowId, input: HumanInput) -> Result<OutcomeView, DuoError> {
        let CallContext { gateway, scope, time } = &self.context;
        send_input(&**gateway, scope, SendInput { workflow_id: id, input, now: time.now() }).await
    }
}

fn no_longer(id: WorkflowId) -> DuoError {
    DuoError::new(ErrorKind::NotWaiting, format!("session {id} does not ask any more what was shown"))
        .with_next_step("look at what it asks now, and decide again")
}

fn bounded(message: &str) -> Result<String, DuoError> {
    let chars = message.chars().count();
    if chars > HUMAN_MESSAGE_CHARS {
        let message =
            format!("the message has {chars} characters: GitLab takes at most {HUMAN_MESSAGE_CHARS}");
        return Err(DuoError::invalid(message));
    }
    Ok(message.to_owned())
}
