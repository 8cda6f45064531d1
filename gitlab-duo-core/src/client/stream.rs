//! What a client hands out when there is more than one answer.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{BoxStream, Stream, StreamExt as _};

use crate::model::error::DuoError;

/// Answers that come one after the other. Nothing is asked before the first one is wanted; dropping
/// it ends the request in flight and every further one. After an error nothing more comes.
///
/// It is a [`Stream`], and its own two methods need no other crate:
///
/// ```
/// # use gitlab_duo_core::client::stream::DuoStream;
/// # use gitlab_duo_core::model::error::DuoError;
/// # use gitlab_duo_core::view::list::SessionRowView;
/// async fn print(mut sessions: DuoStream<SessionRowView>) -> Result<(), DuoError> {
///     while let Some(session) = sessions.try_next().await? {
///         println!("{} {:?}", session.id(), session.typed_status());
///     }
///     Ok(())
/// }
/// ```
#[must_use = "nothing is asked before an answer is wanted"]
pub struct DuoStream<T> {
    inner: BoxStream<'static, Result<T, DuoError>>,
}

impl<T> DuoStream<T> {
    /// Ends for good when `inner` ends, and after its first error.
    pub(super) fn of(inner: impl Stream<Item = Result<T, DuoError>> + Send + 'static) -> Self
    where
        T: Send + 'static,
    {
        let until_error = inner.scan(false, |has_failed, answer| {
            let is_over = std::mem::replace(has_failed, answer.is_err());
            std::future::ready((!is_over).then_some(answer))
        });
        Self { inner: until_error.fuse().boxed() }
    }

    /// The next answer; none at the end.
    pub async fn next(&mut self) -> Option<Result<T, DuoError>> {
        self.inner.next().await
    }

    /// The next answer; `Ok(None)` at the end.
    ///
    /// # Errors
    /// What the request for it failed with; nothing more comes then.
    pub async fn try_next(&mut self) -> Result<Option<T>, DuoError> {
        self.next().await.transpose()
    }
}

impl<T> Stream for DuoStream<T> {
    type Item = Result<T, DuoError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.inner.poll_next_unpin(context)
    }
}

impl<T> fmt::Debug for DuoStream<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DuoStream").finish_non_exhaustive()
    }
}
