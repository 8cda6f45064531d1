//! Bodies as a sequence of things that happen: data, pauses, endless waiting, a break.

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// One thing that happens while a body is sent.
#[derive(Debug)]
pub(crate) enum Part {
    Data(Bytes),
    Repeat(Bytes, usize),
    /// Lets what was written so far go out.
    Flush,
    Pause(Duration),
    Break,
    Forever,
}

/// A body made of parts.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    parts: VecDeque<Part>,
    sleep: Option<Pin<Box<Sleep>>>,
    exact: Option<u64>,
}

impl Flow {
    /// A body that is there at once.
    pub(crate) fn whole(body: Vec<u8>) -> Self {
        let exact = Some(body.len() as u64);
        Self { parts: VecDeque::from([Part::Data(body.into())]), sleep: None, exact }
    }

    /// A body whose length is unknown beforehand.
    pub(crate) fn of(parts: impl IntoIterator<Item = Part>) -> Self {
        Self { parts: parts.into_iter().collect(), sleep: None, exact: None }
    }

    /// Data that ends too early: the connection breaks after it.
    pub(crate) fn cut(data: Vec<u8>) -> Self {
        Self::of([Part::Data(data.into()), Part::Flush, Part::Break])
    }

    /// Data, and then nothing more, for ever.
    pub(crate) fn stuck(data: Vec<u8>) -> Self {
        Self::of([Part::Data(data.into()), Part::Forever])
    }

    /// That many MiB of blanks.
    pub(crate) fn blanks(mib: usize) -> Self {
        Self::of([Part::Repeat(Bytes::from(vec![b' '; 1 << 16]), mib * 16)])
    }

    /// The data in pieces of that size, with a pause before each.
    pub(crate) fn trickle(data: &[u8], piece: usize, pause: Duration) -> Self {
        let pieces = data.chunks(piece.max(1)).map(Bytes::copy_from_slice);
        Self::of(pieces.flat_map(|piece| [Part::Pause(pause), Part::Data(piece)]))
    }

    fn pause(&mut self, pause: Duration, context: &mut Context<'_>) -> Poll<()> {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(pause)));
        let waited = sleep.as_mut().poll(context);
        if waited.is_ready() {
            self.sleep = None;
        }
        waited
    }
}

impl Body for Flow {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            match self.parts.pop_front() {
                None => return Poll::Ready(None),
                Some(Part::Data(data)) => return Poll::Ready(Some(Ok(Frame::data(data)))),
                Some(Part::Repeat(_, 0)) => {}
                Some(Part::Repeat(data, times)) => {
                    self.parts.push_front(Part::Repeat(data.clone(), times - 1));
                    return Poll::Ready(Some(Ok(Frame::data(data))));
                }
                Some(Part::Flush) => {
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Some(Part::Pause(pause)) => {
                    if self.pause(pause, context).is_pending() {
                        self.parts.push_front(Part::Pause(pause));
                        return Poll::Pending;
                    }
                }
                Some(Part::Break) => return Poll::Ready(Some(Err(io::ErrorKind::BrokenPipe.into()))),
                Some(Part::Forever) => {
                    self.parts.push_front(Part::Forever);
                    return Poll::Pending;
                }
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.exact.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
