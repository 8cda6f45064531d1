//! Read a session.

use jiff::Timestamp;

use crate::actions::projects::{admit_session, completed, no_such_session};
use crate::gateway::reader::DuoReader;
use crate::gateway::request::Lookup;
use crate::model::checkpoint::Checkpoint;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::WorkflowId;
use crate::model::page::Answer;
use crate::model::scope::Scope;
use crate::model::seen::Seen;
use crate::model::session::Session;
use crate::rules::gates::Feature;
use crate::view::session::SessionView;

/// Which session to read.
#[derive(Clone, Copy, Debug)]
pub struct GetSession {
    /// The session.
    pub workflow_id: WorkflowId,
    /// The present time.
    pub now: Timestamp,
}

/// Reads a session. With projects restricted, its real project is admitted before any detail is
/// fetched; otherwise one request does it all.
///
/// # Errors
/// `version` below 17.3, `policy`, `not_found`, and whatever the read fails with.
pub async fn get_session(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: GetSession,
) -> Result<SessionView, DuoError> {
    look_at_session(reader, scope, request).await.map(|look| look.session)
}

/// A session, and the mark of what waits for a person in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The session.
    pub session: SessionView,
    /// The mark of its pending input, for
    /// [`send_reviewed_input`](crate::actions::send_input::send_reviewed_input); none when nothing is pending.
    pub seen: Option<Seen>,
}

/// As [`get_session`], with the mark of what is pending.
///
/// # Errors
/// Those of [`get_session`].
pub async fn look_at_session(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: GetSession,
) -> Result<Look, DuoError> {
    scope.admit_browsing()?;
    let instance = reader.instance().await?;
    instance.support.require(Feature::ReadSessions)?;
    let Answer { mut value, unavailable } = admitted_session(reader, scope, request.workflow_id).await?;
    value.row.project = completed(reader, value.row.project).await?;
    let checkpoint = Checkpoint::of(&value, &instance.support);
    let seen = checkpoint
        .map(|checkpoint| Seen::checkpoint(request.workflow_id, &checkpoint, value.message_count()));
    Ok(Look { session: SessionView::of(&value, &instance, unavailable, request.now), seen })
}

/// The session with its details, admitted before they are fetched.
pub(super) async fn admitted_session(
    reader: &dyn DuoReader,
    scope: &Scope,
    id: WorkflowId,
) -> Result<Answer<Session>, DuoError> {
    admit_session(reader, scope, id).await?;
    let Answer { value, unavailable } = reader.session(id).await?;
    let session = match value {
        Lookup::Found(session) => *session,
        Lookup::Absent => return Err(no_such_session(id)),
        Lookup::GaveUp { rows } => return Err(gave_up(id, rows)),
    };
    if session.row.id != id {
        // Some proxies and old documents answer with another row; showing it would be a lie.
        return Err(DuoError::new(
            ErrorKind::Unreadable,
            format!("GitLab answered with another session than {id}"),
        ));
    }
    admit_again(scope, &session)?;
    Ok(Answer { value: session, unavailable })
}

/// What the details themselves say of the project counts as well: it may have moved since it was admitted.
fn admit_again(scope: &Scope, session: &Session) -> Result<(), DuoError> {
    let project = &session.row.project;
    match (project.id, &project.path) {
        (Some(_), Some(_)) => scope.admit_link(project)?,
        (Some(id), None) => scope.admit_allowed(Some(id))?,
        _ => {}
    }
    Ok(())
}

fn gave_up(id: WorkflowId, rows: u32) -> DuoError {
    let message = format!(
        "this GitLab cannot look a session up by its id, and session {id} is not among your newest {rows} sessions"
    );
    DuoError::new(ErrorKind::NotFound, message).with_next_step("page through your sessions with list")
}
