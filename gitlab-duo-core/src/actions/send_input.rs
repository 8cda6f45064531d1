//! Answer the checkpoint of a session.

use jiff::Timestamp;

use crate::actions::get_session::{GetSession, admitted_session};
use crate::actions::projects::completed;
use crate::gateway::error::WriteError;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{Accepted, HumanInput};
use crate::gateway::writer::DuoWriter;
use crate::model::checkpoint::{Answerable, Checkpoint};
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::page::{Answer, Unavailable};
use crate::model::scope::Scope;
use crate::model::seen::Seen;
use crate::model::session::{Session, SessionRow};
use crate::model::status::Status;
use crate::rules::gates::Feature;
use crate::rules::limits::POLL_CREATED_SECONDS;
use crate::view::outcome::{Decided, OutcomeParts, OutcomeView};
use crate::view::session::{SessionView, session_url};

/// What GitLab's resume route says when it only says no (19.3 to 19.5).
const BARE_REFUSAL: &str = "403 Forbidden";

/// An answer to a session.
#[derive(Clone, Debug)]
pub struct SendInput {
    /// The session.
    pub workflow_id: WorkflowId,
    /// The answer.
    pub input: HumanInput,
    /// The present time.
    pub now: Timestamp,
}

/// What is pending in a session, read to be shown to a person.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedInput {
    /// The session with its pending input.
    pub session: SessionView,
    /// The mark of what is pending, for [`send_reviewed_input`].
    pub seen: Seen,
}

/// Reads what is pending in a session, for a person to decide about. Nothing is sent.
///
/// # Errors
/// Those of [`send_input`] before its write.
pub async fn review_input(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: GetSession,
) -> Result<ReviewedInput, DuoError> {
    let pending = pending(reader, scope, request.workflow_id).await?;
    Ok(reviewed(reader, pending, request.now).await)
}

async fn reviewed(reader: &dyn DuoReader, pending: Pending, now: Timestamp) -> ReviewedInput {
    let Pending { mut session, unavailable, instance, seen } = pending;
    session.row.project = completed(reader, session.row.project).await.unwrap_or_default();
    ReviewedInput { session: SessionView::of(&session, &instance, unavailable, now), seen }
}

/// As [`send_input`], but only when what is pending is still what the person has seen.
///
/// # Errors
/// Those of [`send_input`].
pub async fn send_reviewed_input(
    writer: &dyn DuoWriter,
    scope: &Scope,
    request: SendInput,
    seen: &Seen,
) -> Result<Decided<ReviewedInput>, DuoError> {
    let pending = pending(writer, scope, request.workflow_id).await?;
    if pending.seen == *seen {
        return send(writer, request, pending).await.map(Decided::sent);
    }
    Ok(Decided::Changed(Box::new(reviewed(writer, pending, request.now).await)))
}

/// Answers the checkpoint of a session. What is pending is read again immediately before, and one
/// write is sent, never repeated.
///
/// # Errors
/// Before the write: `version`, `policy`, `not_found`, `not_waiting` with the present status. After
/// it: GitLab's refusal with the present status, `outcome_unknown` or `unreadable`.
pub async fn send_input(
    writer: &dyn DuoWriter,
    scope: &Scope,
    request: SendInput,
) -> Result<OutcomeView, DuoError> {
    let pending = pending(writer, scope, request.workflow_id).await?;
    send(writer, request, pending).await
}

/// A session that can be answered now, as far as GitLab tells.
struct Pending {
    session: Session,
    unavailable: Vec<Unavailable>,
    instance: Instance,
    seen: Seen,
}

async fn pending(reader: &dyn DuoReader, scope: &Scope, id: WorkflowId) -> Result<Pending, DuoError> {
    scope.admit_writing()?;
    let instance = reader.instance().await?;
    instance.support.require(Feature::AnswerInput)?;
    let Answer { value: session, unavailable } = admitted_session(reader, scope, id).await?;
    let checkpoint = answerable(&session.row, Checkpoint::of(&session, &instance.support))?;
    let seen = Seen::checkpoint(id, &checkpoint, session.message_count());
    Ok(Pending { session, unavailable, instance, seen })
}

/// One write, right after `pending` was read.
async fn send(
    writer: &dyn DuoWriter,
    request: SendInput,
    Pending { session, instance, .. }: Pending,
) -> Result<OutcomeView, DuoError> {
    let reader: &dyn DuoReader = writer;
    match writer.send_input(request.workflow_id, &request.input).await {
        Ok(accepted) => {
            let project = completed(reader, session.row.project).await.unwrap_or_default();
            let row = SessionRow { project, ..session.row };
            Ok(outcome(&accepted, &row, &instance, &request.input))
        }
        Err(error) => Err(with_present_status(reader, request.workflow_id, error).await),
    }
}

fn answerable(row: &SessionRow, checkpoint: Option<Checkpoint>) -> Result<Checkpoint, DuoError> {
    let refusal = match checkpoint {
        None => not_waiting(row),
        Some(Checkpoint { answerable: Answerable::TooOld(gate), .. }) => DuoError::from(gate),
        Some(Checkpoint { answerable, .. }) if answerable.can_send() == Some(false) => {
            let why = answerable.why_not().unwrap_or_default();
            DuoError::new(ErrorKind::NotWaiting, format!("session {} cannot be answered now: {why}", row.id))
        }
        Some(checkpoint) => return Ok(checkpoint),
    };
    Err(DuoError { status: row.status.clone(), ..refusal })
}

fn not_waiting(row: &SessionRow) -> DuoError {
    let status =
        row.status.as_ref().and_then(|status| Status::known().iter().find(|(_, known)| known == status));
    let message = match status {
        Some((name, _)) => format!("session {} waits for nobody: it is `{name}`", row.id),
        None => format!("session {} is not known to wait for anybody", row.id),
    };
    DuoError::new(ErrorKind::NotWaiting, message)
}

/// GitLab stays the authority: what it refuses is reported with the status that the session has now.
async fn with_present_status(reader: &dyn DuoReader, id: WorkflowId, error: WriteError) -> DuoError {
    let error = DuoError::from(error);
    if !matches!(error.kind, ErrorKind::Forbidden | ErrorKind::NotFound) {
        return error;
    }
    let present = reader.session(id).await.ok().and_then(|answer| match answer.value {
        crate::gateway::request::Lookup::Found(session) => session.row.status,
        _ => None,
    });
    let error = DuoError { status: present, ..error };
    match error.kind {
        ErrorKind::Forbidden if gives_reason(&error) => error,
        ErrorKind::Forbidden => error.with_next_step(
            "either the session does not wait for input now (its last CI job may still run), or you may not answer it: read it with get",
        ),
        _ => error.with_next_step(
            "the session, its catalog item, its consumer or GitLab's resume route itself is not there: read it with get",
        ),
    }
}

/// Whether a 403 tells more than that it is one: credits, identity, scope and the like.
fn gives_reason(error: &DuoError) -> bool {
    error.required.is_some() || error.gitlab_message.as_deref().is_some_and(|words| words != BARE_REFUSAL)
}

fn outcome(accepted: &Accepted, row: &SessionRow, instance: &Instance, input: &HumanInput) -> OutcomeView {
    let hint = match input {
        HumanInput::Approve => "approved: the session goes on with a new CI job",
        HumanInput::Reply(_) => {
            "`false` is not a stop: the session goes on, with your message if there was one"
        }
    };
    OutcomeView::of(OutcomeParts {
        workflow_id: row.id,
        status: accepted.status.as_ref(),
        flow: accepted.flow.as_deref().or(row.flow.as_deref()),
        web_url: session_url(row, instance).as_deref(),
        // The status is still the old one; the new CI job has to start first.
        poll_after_seconds: Some(POLL_CREATED_SECONDS),
        message: accepted.message.as_deref(),
        workload: accepted.workload.as_deref(),
        sent: None,
        hints: vec![hint.to_owned()],
    })
}
