//! Page after page, up to a bound, and never in a circle.

use std::future::Future;

use futures_util::stream::{TryStreamExt as _, iter, unfold};

use crate::client::stream::DuoStream;
use crate::model::error::{DuoError, ErrorKind};
use crate::model::page::Cursor;
use crate::rules::limits::STREAM_PAGES;
use crate::view::catalog::{CatalogItemView, CatalogView};
use crate::view::list::{SessionListView, SessionRowView};
use crate::view::page::PageInfoView;

/// A page of a list.
pub(super) trait Page: Send + 'static {
    type Row: Send + 'static;

    fn info(&self) -> &PageInfoView;
    fn into_rows(self) -> Vec<Self::Row>;
}

impl Page for SessionListView {
    type Row = SessionRowView;

    fn info(&self) -> &PageInfoView {
        &self.page_info
    }

    fn into_rows(self) -> Vec<SessionRowView> {
        self.sessions
    }
}

impl Page for CatalogView {
    type Row = CatalogItemView;

    fn info(&self) -> &PageInfoView {
        &self.page_info
    }

    fn into_rows(self) -> Vec<CatalogItemView> {
        self.items
    }
}

/// The rows of `pages`; a page without rows is passed over.
pub(super) fn rows<P: Page>(pages: DuoStream<P>) -> DuoStream<P::Row> {
    DuoStream::of(pages.map_ok(|page| iter(page.into_rows().into_iter().map(Ok))).try_flatten())
}

/// What comes next.
enum Next {
    /// The page at this cursor, which is the so-and-so-manieth of this stream.
    Page(Option<Cursor>, u32),
    Failure(DuoError),
    End,
}

/// The pages from `after` on, each read when it is wanted.
pub(super) fn pages<P, Read, Reading>(after: Option<Cursor>, read: Read) -> DuoStream<P>
where
    P: Page,
    Read: Fn(Option<Cursor>) -> Reading + Send + 'static,
    Reading: Future<Output = Result<P, DuoError>> + Send + 'static,
{
    DuoStream::of(unfold((Next::Page(after, 1), read), |(next, read)| async move {
        let (after, number) = match next {
            Next::Page(after, number) => (after, number),
            Next::Failure(error) => return Some((Err(error), (Next::End, read))),
            Next::End => return None,
        };
        let reading = read(after.clone());
        let answer = reading.await;
        let next = match &answer {
            Ok(page) => following(page.info(), after.as_ref(), number),
            Err(_) => Next::End,
        };
        Some((answer, (next, read)))
    }))
}

/// A list that claims to go on must say where, and elsewhere than before.
fn following(info: &PageInfoView, after: Option<&Cursor>, number: u32) -> Next {
    let cursor = info.end_cursor.as_deref().filter(|cursor| !cursor.is_empty()).map(Cursor::received);
    let cursor = match (info.has_next_page, cursor) {
        (Some(false), _) | (None, None) => return Next::End,
        (Some(true), None) => {
            return Next::Failure(unreadable("GitLab says that the list goes on, but not where"));
        }
        (_, Some(cursor)) if after == Some(&cursor) => {
            return Next::Failure(unreadable("the list leads back to the page that was just read"));
        }
        (_, Some(cursor)) => cursor,
    };
    if number < STREAM_PAGES { Next::Page(Some(cursor), number + 1) } else { Next::Failure(too_long()) }
}

fn unreadable(message: &str) -> DuoError {
    DuoError::new(ErrorKind::Unreadable, message)
}

fn too_long() -> DuoError {
    let message = format!("the list goes on beyond {STREAM_PAGES} pages, and no more are read at once");
    DuoError::new(ErrorKind::TooLarge, message)
        .with_next_step("narrow the list, take larger pages, or page through it by cursor")
}
