//! Start a session.

use jiff::Timestamp;

use crate::actions::duplicates::{Sameness, refuse_duplicate};
use crate::actions::flows::{
    Startable, agent_startable, consumer_startable, find_flow, find_item, offered_flows,
};
use crate::actions::projects::admitted_project;
use crate::actions::start_goal::{Asked, check_goal_length, goal};
use crate::actions::start_target::resolve_target;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{Accepted, Run, StartRequest};
use crate::gateway::writer::DuoWriter;
use crate::model::catalog::Consumer;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::{CatalogItemId, ConsumerId};
use crate::model::instance::Instance;
use crate::model::project::{Project, ProjectRef};
use crate::model::scope::Scope;
use crate::model::seen::Seen;
use crate::model::selector::{AgentReference, CUSTOM_FLOW, FlowReference, Selector, TargetKind};
use crate::model::session::SessionRow;
use crate::model::status::Status;
use crate::rules::gates::{Feature, Support};
use crate::view::outcome::{Decided, DryRunView, OutcomeParts, OutcomeView};
use crate::view::session::session_url;

/// What to start.
#[derive(Clone, Debug)]
pub struct StartSession {
    /// Where.
    pub project: ProjectRef,
    /// What to run.
    pub selector: Selector,
    /// What it shall do; left out for flows that work on a URL.
    pub goal: Option<String>,
    /// The page that `fix_pipeline/v1` or `code_review/v1` works on.
    pub url: Option<String>,
    /// Whether the same start may be made twice within ten minutes.
    pub duplicates: Duplicates,
    /// The present time.
    pub now: Timestamp,
}

/// Whether the same start may be made twice within ten minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// It is refused with the first session's id.
    Refuse,
    /// It may.
    Allow,
}

/// Starts a session and returns at once. One write, never repeated.
///
/// # Errors
/// Before any write: `invalid_arguments`, `version`, `policy`, `not_found`, `forbidden` for what
/// cannot be started, `duplicate`. After it: GitLab's refusal, `outcome_unknown` or `unreadable`.
pub async fn start_session(
    writer: &dyn DuoWriter,
    scope: &Scope,
    request: StartSession,
) -> Result<OutcomeView, DuoError> {
    // Upcasts once: everything until the write reads only.
    let reader: &dyn DuoReader = writer;
    let prepared = prepare(reader, scope, request).await?;
    prepared.send(writer).await
}

/// Some checks of an agent come after its session was created, which is then left behind (18.9 to 19.5).
fn refused(error: DuoError, run: &Run) -> DuoError {
    match (run, error.kind) {
        (Run::Agent(_), ErrorKind::Forbidden | ErrorKind::InvalidArguments) => {
            let next_step = format!(
                "{}; look with list before another start: GitLab may have left a session behind in `created`",
                error.next_step
            );
            error.with_next_step(next_step)
        }
        _ => error,
    }
}

/// Checks and resolves a start and tells what would be sent. Starts nothing.
///
/// # Errors
/// As [`start_session`] before its write.
pub async fn plan_start(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: StartSession,
) -> Result<DryRunView, DuoError> {
    let prepared = prepare(reader, scope, request).await?;
    Ok(DryRunView::of(&prepared.request, prepared.hints))
}

/// A start, checked and resolved, to be shown to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedStart {
    /// What would be sent.
    pub plan: DryRunView,
    /// The mark of it, for [`start_reviewed_session`].
    pub seen: Seen,
}

/// As [`plan_start`], with the mark of what is planned.
///
/// # Errors
/// Those of [`plan_start`].
pub async fn review_start(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: StartSession,
) -> Result<ReviewedStart, DuoError> {
    prepare(reader, scope, request).await.map(Prepared::reviewed)
}

/// As [`start_session`], but only when what is sent is what the person has seen.
///
/// # Errors
/// Those of [`start_session`].
pub async fn start_reviewed_session(
    writer: &dyn DuoWriter,
    scope: &Scope,
    request: StartSession,
    seen: &Seen,
) -> Result<Decided<ReviewedStart>, DuoError> {
    let prepared = prepare(writer, scope, request).await?;
    if prepared.seen() == *seen {
        return prepared.send(writer).await.map(Decided::sent);
    }
    Ok(Decided::Changed(Box::new(prepared.reviewed())))
}

/// A start that has passed every check.
struct Prepared {
    request: StartRequest,
    instance: Instance,
    project: Project,
    hints: Vec<String>,
}

async fn prepare(reader: &dyn DuoReader, scope: &Scope, request: StartSession) -> Result<Prepared, DuoError> {
    scope.admit_writing()?;
    let instance = reader.instance().await?;
    let support = &instance.support;
    support.require(feature(&request.selector))?;
    check_goal_length(request.goal.as_deref(), support)?;
    let project = admitted_project(reader, scope, &request.project).await?;
    let chosen = choose(reader, &project, support, &request.selector).await?;
    let asked = Asked { goal: request.goal.as_deref(), url: request.url.as_deref() };
    let goal = goal(asked, chosen.target, &project, &instance)?;
    let target = match goal.page {
        Some(page) if !support.has(Feature::ResolveTarget) => {
            Some(resolve_target(reader, &project, page).await?)
        }
        _ => None,
    };
    if request.duplicates == Duplicates::Refuse {
        let sameness = Sameness {
            project: &project,
            flow: chosen.definition.as_deref(),
            name: chosen.name.as_deref(),
            goal: &goal.text,
            now: request.now,
        };
        refuse_duplicate(reader, &sameness).await?;
    }
    let request = StartRequest { project: project.id, run: chosen.run, goal: goal.text, target };
    Ok(Prepared { request, instance, project, hints: chosen.hint.into_iter().collect() })
}

fn feature(selector: &Selector) -> Feature {
    match selector {
        Selector::Flow(_) => Feature::StartFlow,
        Selector::Consumer(_) | Selector::CatalogItem(_) => Feature::StartConsumer,
        Selector::Agent(_) => Feature::StartAgent,
    }
}

/// What a selector was resolved to.
struct Chosen {
    run: Run,
    /// The page that it works on.
    target: Option<TargetKind>,
    /// The `workflowDefinition` of its sessions, when known.
    definition: Option<String>,
    /// The name of a custom flow.
    name: Option<String>,
    hint: Option<String>,
}

async fn choose(
    reader: &dyn DuoReader,
    project: &Project,
    support: &Support,
    selector: &Selector,
) -> Result<Chosen, DuoError> {
    match selector {
        Selector::Flow(flow) => {
            let consumer = find_flow(reader, project, flow).await?;
            let what = format!("flow `{flow}`");
            startable(reader, project, support, &what, consumer).await
        }
        Selector::Consumer(id) => {
            let consumer = reader.catalog_consumer(*id).await?.value;
            let what = format!("consumer {id}");
            startable(reader, project, support, &what, consumer).await
        }
        Selector::CatalogItem(id) => {
            let consumer = find_item(reader, project, *id).await?;
            if let Some(consumer) = &consumer {
                refuse_own_flow(consumer, *id)?;
            }
            let what = format!("catalog item {id}");
            startable(reader, project, support, &what, consumer).await
        }
        Selector::Agent(agent) => chosen_agent(reader, project, support, agent).await,
    }
}

/// GitLab refuses its own flows by the id of their catalog item, and so does this.
fn refuse_own_flow(consumer: &Consumer, id: CatalogItemId) -> Result<(), DuoError> {
    let own = consumer.item.as_ref().filter(|item| item.flow.is_some() || item.foundational == Some(true));
    let Some(item) = own else { return Ok(()) };
    let refusal = DuoError::invalid(format!("catalog item {id} is a flow of GitLab itself"));
    Err(match &item.flow {
        Some(flow) => refusal.with_next_step(format!("start it by its reference: flow `{flow}`")),
        None => {
            refusal.with_next_step("start it by its reference or by its consumer, as discovery shows them")
        }
    })
}

async fn startable(
    reader: &dyn DuoReader,
    project: &Project,
    support: &Support,
    what: &str,
    consumer: Option<Consumer>,
) -> Result<Chosen, DuoError> {
    let refusal = match &consumer {
        None => (ErrorKind::NotFound, format!("{what} is not enabled in project `{}`", project.path)),
        Some(consumer) => match (consumer_startable(consumer, project, support), consumer.id) {
            (Startable::Yes | Startable::Unknown(_), Some(id)) => {
                return Ok(chosen_flow(consumer, id, support));
            }
            (startable, _) => {
                let why = startable.why_not().unwrap_or_default();
                (ErrorKind::Forbidden, format!("{what} cannot be started: {why}"))
            }
        },
    };
    let offer = offered_flows(reader, project, support).await?;
    Err(DuoError::new(refusal.0, refusal.1).with_next_step(offer))
}

fn chosen_flow(consumer: &Consumer, id: ConsumerId, support: &Support) -> Chosen {
    let item = consumer.item.as_ref();
    let flow = item.and_then(|item| item.flow.as_ref());
    let can_tell = support.has(Feature::StartFlow);
    let definition = match flow {
        Some(flow) => Some(flow.to_string()),
        None => can_tell.then(|| CUSTOM_FLOW.to_owned()),
    };
    let hint = (!can_tell).then(|| "this GitLab does not tell whether this flow needs a URL".to_owned());
    let name = item.filter(|_| flow.is_none()).and_then(|item| item.name.clone());
    Chosen { run: Run::Consumer(id), target: flow.and_then(FlowReference::target), definition, name, hint }
}

async fn chosen_agent(
    reader: &dyn DuoReader,
    project: &Project,
    support: &Support,
    wanted: &AgentReference,
) -> Result<Chosen, DuoError> {
    let agents = reader.foundational_agents(project.id).await?.value.unwrap_or_default();
    let offered = agents.iter().filter(|agent| !agent.reference.is_chat());
    let names: Vec<_> = offered.map(|agent| format!("`{}`", agent.reference)).collect();
    let offer = format!("discovery offers these agents: {}", names.join(", "));
    let Some(agent) = agents.into_iter().find(|agent| agent.reference.answers_to(wanted)) else {
        let message = format!("agent `{wanted}` is not known in project `{}`", project.path);
        return Err(DuoError::new(ErrorKind::NotFound, message).with_next_step(offer));
    };
    if let Startable::No(why) = agent_startable(&agent.reference, support) {
        let message = format!("agent `{wanted}` cannot be started: {why}");
        return Err(DuoError::new(ErrorKind::Forbidden, message).with_next_step(offer));
    }
    let definition = Some(agent.reference.to_string());
    Ok(Chosen { run: Run::Agent(agent.reference), target: None, definition, name: None, hint: None })
}

impl Prepared {
    /// One write.
    async fn send(self, writer: &dyn DuoWriter) -> Result<OutcomeView, DuoError> {
        match writer.start_session(&self.request).await {
            Ok(accepted) => Ok(self.outcome(&accepted)),
            Err(error) => Err(refused(error.into(), &self.request.run)),
        }
    }

    fn seen(&self) -> Seen {
        let StartRequest { project, run, goal, target } = &self.request;
        Seen::of(&[
            "start".to_owned(),
            project.to_string(),
            format!("{run:?}"),
            goal.clone(),
            format!("{target:?}"),
        ])
    }

    fn reviewed(self) -> ReviewedStart {
        let seen = self.seen();
        ReviewedStart { plan: DryRunView::of(&self.request, self.hints), seen }
    }

    fn outcome(self, accepted: &Accepted) -> OutcomeView {
        let row = SessionRow { project: self.project.into(), ..SessionRow::unknown(accepted.id) };
        let status = accepted.status.as_ref();
        OutcomeView::of(OutcomeParts {
            workflow_id: accepted.id,
            status,
            flow: accepted.flow.as_deref(),
            web_url: session_url(&row, &self.instance).as_deref(),
            poll_after_seconds: status.and_then(Status::poll_after_seconds),
            message: accepted.message.as_deref(),
            workload: accepted.workload.as_deref(),
            sent: None,
            hints: self.hints,
        })
    }
}
