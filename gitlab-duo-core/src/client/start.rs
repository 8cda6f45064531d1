//! Starting a session, step by step: each step offers only what still makes sense, and only the last
//! one can be sent.

use crate::actions::start_session::{Duplicates, StartSession, plan_start, start_session};
use crate::client::context::CallContext;
use crate::client::project_name::ProjectName;
use crate::gateway::reader::DuoReader;
use crate::gateway::writer::DuoWriter;
use crate::model::error::DuoError;
use crate::model::ids::ConsumerId;
use crate::model::selector::{AgentReference, CODE_REVIEW, FIX_PIPELINE, FlowReference, Selector};
use crate::view::outcome::{DryRunView, OutcomeView};

/// A start in a project. It lacks what to run.
#[must_use = "nothing is started before `send`"]
pub struct StartIn<G> {
    context: CallContext<G>,
    project: ProjectName,
}

/// A start of a flow or agent. It lacks what to do: a goal, or a page to work on.
#[must_use = "nothing is started before `send`"]
pub struct StartOf<G> {
    start: StartIn<G>,
    /// An empty text names nothing; that is said when the start is sent.
    selector: Result<Selector, DuoError>,
}

/// A start that lacks nothing.
#[must_use = "nothing is started before `send`"]
pub struct ReadyStart<G> {
    of: StartOf<G>,
    goal: Option<String>,
    url: Option<String>,
    duplicates: Duplicates,
}

impl<G> StartIn<G> {
    pub(super) fn new(context: CallContext<G>, project: ProjectName) -> Self {
        Self { context, project }
    }

    /// Runs a foundational flow by its reference, as in `developer/v1` (GitLab 18.9).
    pub fn flow(self, reference: &str) -> StartOf<G> {
        let flow = FlowReference::new(reference);
        let selector = flow.map(Selector::Flow).ok_or_else(|| DuoError::invalid("the flow has no name"));
        StartOf { start: self, selector }
    }

    /// Runs a flow that is enabled in the project, as the catalog lists it (GitLab 18.7).
    pub fn consumer(self, id: ConsumerId) -> StartOf<G> {
        StartOf { start: self, selector: Ok(Selector::Consumer(id)) }
    }

    /// Runs a foundational agent by its reference, with or without its version, as in
    /// `duo_planner/v1` (GitLab 19.5).
    pub fn agent(self, reference: &str) -> StartOf<G> {
        let agent = AgentReference::new(reference);
        let selector = agent.map(Selector::Agent).ok_or_else(|| DuoError::invalid("the agent has no name"));
        StartOf { start: self, selector }
    }

    /// Runs what a row of the catalog offers: its [`selector`](crate::view::catalog::CatalogItemView::selector).
    pub fn selected(self, selector: Selector) -> StartOf<G> {
        StartOf { start: self, selector: Ok(selector) }
    }

    /// Repairs the pipeline at `url`, which must be of this project (`fix_pipeline/v1`, GitLab 18.9).
    pub fn fix_pipeline(self, url: impl Into<String>) -> ReadyStart<G> {
        self.flow(FIX_PIPELINE).on_page(url)
    }

    /// Reviews the merge request at `url`, which must be of this project (`code_review/v1`, GitLab 18.9).
    pub fn code_review(self, url: impl Into<String>) -> ReadyStart<G> {
        self.flow(CODE_REVIEW).on_page(url)
    }
}

impl<G> StartOf<G> {
    /// What the session shall do: at most 16,384 characters below GitLab 19.5, 65,536 characters and
    /// 127 KiB from there on. Not empty.
    pub fn goal(self, goal: impl Into<String>) -> ReadyStart<G> {
        ReadyStart { of: self, goal: Some(goal.into()), url: None, duplicates: Duplicates::Refuse }
    }

    /// The page of this project that the session works on, for the flows that need one: a pipeline
    /// or merge request.
    pub fn on_page(self, url: impl Into<String>) -> ReadyStart<G> {
        ReadyStart { of: self, goal: None, url: Some(url.into()), duplicates: Duplicates::Refuse }
    }
}

impl<G> ReadyStart<G> {
    /// Starts it also when the same session (project, flow and goal) was started within the last ten
    /// minutes and has not ended. Without this such a start is refused as a `duplicate`.
    pub fn even_if_duplicate(self) -> Self {
        Self { duplicates: Duplicates::Allow, ..self }
    }
}

impl<G: DuoReader> ReadyStart<G> {
    /// Checks and resolves everything, tells what would be sent, and starts nothing.
    ///
    /// # Errors
    /// As [`send`](Self::send) before its write.
    pub async fn plan(self) -> Result<DryRunView, DuoError> {
        let (context, request) = self.prepared().await?;
        plan_start(&*context.gateway, &context.scope, request).await
    }

    async fn prepared(self) -> Result<(CallContext<G>, StartSession), DuoError> {
        let StartOf { start: StartIn { context, project }, selector } = self.of;
        context.scope.admit_writing()?;
        let request = StartSession {
            selector: selector?,
            project: context.project(&project).await?,
            goal: self.goal,
            url: self.url,
            duplicates: self.duplicates,
            now: context.time.now(),
        };
        Ok((context, request))
    }
}

impl<G: DuoWriter> ReadyStart<G> {
    /// Starts the session and returns as soon as GitLab has accepted it. One write, never repeated;
    /// a future that is dropped while it is under way leaves the outcome unknown.
    ///
    /// # Errors
    /// Before any write, with the effect `Nothing`: `invalid_arguments`, `version`, `policy`,
    /// `not_found`, `forbidden` for what cannot be started, `duplicate` with the session that was
    /// started before, and what reading fails with. Of the write: GitLab's refusal, or an
    /// [`effect`](DuoError::effect) that is unknown or accepted.
    pub async fn send(self) -> Result<OutcomeView, DuoError> {
        let (context, request) = self.prepared().await?;
        start_session(&*context.gateway, &context.scope, request).await
    }
}
