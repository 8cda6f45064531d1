//! A look at a resource whose changes somebody wants to hear of.

use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::read_transcript::{ReadTranscript, read_transcript};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_core::view::transcript::TranscriptView;
use jiff::Timestamp;

use crate::resources::uri::{Part, ResourceUri};

/// What a look has shown, without what the clock alone changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    shown: Shown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shown {
    Session(Box<SessionView>),
    Transcript(Box<TranscriptView>),
}

impl Seen {
    /// Whether nothing will change here any more.
    pub(crate) fn has_ended(&self) -> bool {
        match &self.shown {
            Shown::Session(view) => view.terminal == Some(true),
            Shown::Transcript(view) => status(view).is_some_and(|status| status.is_terminal() == Some(true)),
        }
    }

    /// Seconds after which the next look is worth it; none where nothing changes by itself.
    pub(crate) fn poll_after_seconds(&self) -> Option<u32> {
        match &self.shown {
            Shown::Session(view) => view.poll_after_seconds,
            Shown::Transcript(view) => status(view).and_then(|status| status.poll_after_seconds()),
        }
    }
}

fn status(view: &TranscriptView) -> Option<Status> {
    view.status.value().map(Status::read)
}

/// Looks at a resource, with the checks of every read. Of a transcript the newest message is enough:
/// its number counts all that came before.
///
/// # Errors
/// Those of core's action.
pub(crate) async fn look(
    reader: &dyn DuoReader,
    scope: &Scope,
    uri: ResourceUri,
    now: Timestamp,
) -> Result<Seen, DuoError> {
    let workflow_id = uri.workflow_id;
    let shown = match uri.part {
        Part::Session => {
            let mut view = get_session(reader, scope, GetSession { workflow_id, now }).await?;
            (view.created_for_seconds, view.updated_at) = (None, None);
            view.hints.clear();
            Shown::Session(Box::new(view))
        }
        Part::Transcript => {
            let first = PageSize::new(1).unwrap_or_default();
            let newest = ReadTranscript { workflow_id, first, after: None };
            Shown::Transcript(Box::new(read_transcript(reader, scope, newest).await?))
        }
    };
    Ok(Seen { shown })
}

/// Whether another look may succeed after this failure; the others stay as they are.
pub(crate) fn is_passing(kind: ErrorKind) -> bool {
    !matches!(
        kind,
        ErrorKind::InvalidArguments
            | ErrorKind::Version
            | ErrorKind::Policy
            | ErrorKind::Unauthorized
            | ErrorKind::Forbidden
            | ErrorKind::NotFound
    )
}
