//! Answer the checkpoint of a session.

use jiff::Timestamp;

use crate::actions::get_session::admitted_session;
use crate::actions::projects::completed;
use crate::gateway::error::WriteError;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::{Accepted, HumanInput};
use crate::gateway::writer::DuoWriter;
use crate::model::checkpoint::{Answerable, Checkpoint};
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::scope::Scope;
use crate::model::session::SessionRow;
use crate::model::status::Status;
use crate::rules::gates::Feature;
use crate::rules::limits::POLL_CREATED_SECONDS;
use crate::view::outcome::{OutcomeParts, OutcomeView};
use crate::view::session::session_url;

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
    scope.admit_writing()?;
    let reader: &dyn DuoReader = writer;
    let instance = reader.instance().await?;
    instance.support.require(Feature::AnswerInput)?;
    let session = admitted_session(reader, scope, request.workflow_id).await?.value;
    let checkpoint = Checkpoint::of(&session, &instance.support);
    check_answerable(&session.row, checkpoint.as_ref())?;
    match writer.send_input(request.workflow_id, &request.input).await {
        Ok(accepted) => {
            let project = completed(reader, session.row.project).await.unwrap_or_default();
            let row = SessionRow { project, ..session.row };
            Ok(outcome(&accepted, &row, &instance, &request.input))
        }
        Err(error) => Err(with_present_status(reader, request.workflow_id, error).await),
    }
}

fn check_answerable(row: &SessionRow, checkpoint: Option<&Checkpoint>) -> Result<(), DuoError> {
    let refusal = match checkpoint {
        None => not_waiting(row),
        Some(Checkpoint { answerable: Answerable::TooOld(gate), .. }) => DuoError::from(gate.clone()),
        Some(Checkpoint { answerable, .. }) if answerable.can_send() == Some(false) => {
            let why = answerable.why_not().unwrap_or_default();
            DuoError::new(ErrorKind::NotWaiting, format!("session {} cannot be answered now: {why}", row.id))
        }
        Some(_) => return Ok(()),
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
