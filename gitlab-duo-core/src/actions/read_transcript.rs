//! Read the messages of a session.

use crate::actions::get_session::admitted_session;
use crate::gateway::reader::DuoReader;
use crate::model::error::DuoError;
use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::page::{Answer, Cursor, PageInfo, PageSize};
use crate::model::scope::Scope;
use crate::model::session::{Message, Session};
use crate::model::status::Status;
use crate::rules::gates::Feature;
use crate::rules::limits::TITLE_CHARS;
use crate::view::page::unavailable;
use crate::view::session::version_hint;
use crate::view::text::Pen;
use crate::view::transcript::{MessageView, TranscriptView};

/// Which messages to read.
#[derive(Clone, Debug)]
pub struct ReadTranscript {
    /// The session.
    pub workflow_id: WorkflowId,
    /// How many messages.
    pub first: PageSize,
    /// Where to go on, as an earlier page said.
    pub after: Option<Cursor>,
}

/// Reads the messages of a session, the newest page first. New messages do not shift a later page:
/// its cursor counts from the first message of the session.
///
/// # Errors
/// `invalid_arguments` for a cursor that is not of this transcript, `version` below 17.3, `policy`,
/// `not_found`, and whatever the read fails with.
pub async fn read_transcript(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: ReadTranscript,
) -> Result<TranscriptView, DuoError> {
    scope.admit_browsing()?;
    let end = request.after.as_ref().map(|cursor| place(cursor, request.workflow_id)).transpose()?;
    let told = told(reader, scope, request.workflow_id).await?;
    let page = told.messages().map(|messages| page(messages, end, request.first));
    let mut pen = Pen::default();
    let views = page.as_ref().map(|page| {
        let rows = page.messages.len();
        let numbered = (page.start + 1..).zip(page.messages);
        numbered.map(|(number, message)| MessageView::of(message, number, rows, &mut pen)).collect()
    });
    let start = page.as_ref().map_or(0, |page| page.start);
    let page_info = page_info(page.is_some(), start, request.workflow_id);
    Ok(told.view(views, page_info, pen))
}

/// Reads every message of a session, oldest first, by one request: no page can shift, and a text is
/// cut at 100,000 characters only. For programs that keep or print a transcript; what is shown to a
/// model is read by [`read_transcript`].
///
/// # Errors
/// `version` below 17.3, `policy`, `not_found`, `too_large` when the session's answer is larger than
/// 4 MiB, and whatever the read fails with.
pub async fn whole_transcript(
    reader: &dyn DuoReader,
    scope: &Scope,
    id: WorkflowId,
) -> Result<TranscriptView, DuoError> {
    scope.admit_browsing()?;
    let told = told(reader, scope, id).await?;
    let mut pen = Pen::default();
    let views = told.messages().map(|messages| {
        let numbered = (1..).zip(messages);
        numbered.map(|(number, message)| MessageView::of_whole(message, number, &mut pen)).collect()
    });
    let page_info = page_info(views.is_some(), 0, id);
    Ok(told.view(views, page_info, pen))
}

/// What GitLab told of a session.
struct Told {
    answer: Answer<Session>,
    instance: Instance,
}

async fn told(reader: &dyn DuoReader, scope: &Scope, id: WorkflowId) -> Result<Told, DuoError> {
    let instance = reader.instance().await?;
    instance.support.require(Feature::ReadSessions)?;
    let answer = admitted_session(reader, scope, id).await?;
    Ok(Told { answer, instance })
}

impl Told {
    fn messages(&self) -> Option<&[Message]> {
        self.answer.value.history.as_ref().and_then(|history| history.messages.as_deref())
    }

    fn view(self, views: Option<Vec<MessageView>>, page_info: PageInfo, mut pen: Pen) -> TranscriptView {
        let row = &self.answer.value.row;
        TranscriptView {
            workflow_id: row.id.to_string(),
            status: pen.text("status", row.status.as_ref().map(Status::name), TITLE_CHARS),
            total: self.messages().map(<[Message]>::len),
            page_info: page_info.into(),
            hints: hints(views.as_ref(), &self.instance),
            messages: views,
            unavailable: unavailable(self.answer.unavailable),
            removed_characters: pen.removed(),
        }
    }
}

struct Page<'a> {
    /// Messages before this page.
    start: usize,
    messages: &'a [Message],
}

fn page(messages: &[Message], end: Option<usize>, first: PageSize) -> Page<'_> {
    let end = end.unwrap_or(messages.len()).min(messages.len());
    let start = end.saturating_sub(first.rows() as usize);
    Page { start, messages: messages.get(start..end).unwrap_or_default() }
}

fn page_info(is_known: bool, start: usize, id: WorkflowId) -> PageInfo {
    let end_cursor = (start > 0).then(|| Cursor::received(format!("{PREFIX}{id}-{start}")));
    PageInfo { has_next_page: is_known.then_some(start > 0), end_cursor }
}

/// Cursors of a transcript are ours: they name the session, so that none is carried to another one.
const PREFIX: &str = "transcript-";

fn place(cursor: &Cursor, id: WorkflowId) -> Result<usize, DuoError> {
    let of_session = cursor.as_str().strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let place = of_session
        .filter(|(session, _)| *session == id.to_string())
        .and_then(|(_, place)| place.parse().ok());
    place.ok_or_else(|| {
        DuoError::invalid("`after` is not a cursor of this transcript: begin again without it")
    })
}

fn hints(messages: Option<&Vec<MessageView>>, instance: &Instance) -> Vec<String> {
    let missing = messages.is_none().then(|| {
        "the history is missing here (not begun, expired, or not told by this GitLab): unknown, not empty"
            .to_owned()
    });
    missing.into_iter().chain(version_hint(instance)).collect()
}
