//! Stop a session.

use jiff::Timestamp;

use crate::actions::get_session::admitted_session;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::Lookup;
use crate::gateway::writer::DuoWriter;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::scope::Scope;
use crate::model::session::SessionRow;
use crate::model::status::Status;
use crate::rules::gates::Feature;
use crate::view::outcome::{OutcomeParts, OutcomeView};
use crate::view::session::session_url;

/// Which session to stop.
#[derive(Clone, Copy, Debug)]
pub struct StopSession {
    /// The session.
    pub workflow_id: WorkflowId,
    /// The present time.
    pub now: Timestamp,
}

/// Stops a session and its pipelines. A session that has ended already is a plain result, and
/// nothing is sent. One write, never repeated.
///
/// # Errors
/// Before the write: `version` below 18.9, `policy`, `not_found`. After it: GitLab's refusal,
/// `outcome_unknown` or `unreadable`.
pub async fn stop_session(
    writer: &dyn DuoWriter,
    scope: &Scope,
    request: StopSession,
) -> Result<OutcomeView, DuoError> {
    scope.admit_writing()?;
    let reader: &dyn DuoReader = writer;
    let instance = reader.instance().await?;
    instance.support.require(Feature::Stop)?;
    let row = admitted_session(reader, scope, request.workflow_id).await?.value.row;
    if has_ended(row.status.as_ref()) {
        return Ok(outcome(&row, row.status.as_ref(), &instance, Sent::No));
    }
    match writer.stop_session(request.workflow_id).await {
        Ok(accepted) => Ok(outcome(&row, accepted.status.as_ref(), &instance, Sent::Yes)),
        Err(error) => ended_meanwhile(reader, &instance, row, error.into()).await,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sent {
    No,
    Yes,
    TooLate,
}

fn has_ended(status: Option<&Status>) -> bool {
    status.and_then(Status::is_terminal) == Some(true)
}

/// GitLab refuses to stop what has ended between the look and the request: that is no failure.
async fn ended_meanwhile(
    reader: &dyn DuoReader,
    instance: &Instance,
    row: SessionRow,
    error: DuoError,
) -> Result<OutcomeView, DuoError> {
    if error.kind != ErrorKind::InvalidArguments {
        return Err(error);
    }
    match reader.session(row.id).await.map(|answer| answer.value) {
        Ok(Lookup::Found(session)) if has_ended(session.row.status.as_ref()) => {
            Ok(outcome(&row, session.row.status.as_ref(), instance, Sent::TooLate))
        }
        _ => Err(error),
    }
}

fn outcome(row: &SessionRow, status: Option<&Status>, instance: &Instance, sent: Sent) -> OutcomeView {
    let hint = match sent {
        Sent::No => "this session has ended already, so nothing was sent",
        Sent::Yes => {
            "a stopped session may have changed things before: read it with get to see what it created"
        }
        Sent::TooLate => "this session ended on its own just before it could be stopped",
    };
    OutcomeView::of(OutcomeParts {
        workflow_id: row.id,
        status,
        flow: row.flow.as_deref(),
        web_url: session_url(row, instance).as_deref(),
        poll_after_seconds: status.and_then(Status::poll_after_seconds),
        message: None,
        workload: None,
        sent: Some(sent != Sent::No),
        hints: vec![hint.to_owned()],
    })
}
