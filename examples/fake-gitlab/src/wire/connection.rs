//! A connection that can break before a request is read, be reset, or say more than it should.

use crate::shared::{Shared, lock};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// What the service and the stream of one connection tell each other.
#[derive(Debug)]
pub(crate) struct Control {
    /// True between requests.
    idle: AtomicBool,
    /// The connection ends with a reset.
    reset: AtomicBool,
    /// Blanks to send after the answer, in units of 64 KiB.
    surplus: AtomicUsize,
}

impl Control {
    /// The request is answered; the next bytes begin another one.
    pub(crate) fn answered(&self) {
        self.idle.store(true, Ordering::SeqCst);
    }

    /// The connection is not closed politely.
    pub(crate) fn reset(&self) {
        self.reset.store(true, Ordering::SeqCst);
    }

    /// That many MiB follow the answer, though nothing announced them.
    pub(crate) fn surplus(&self, mib: usize) {
        self.surplus.store(mib * 16, Ordering::SeqCst);
    }
}

/// A stream that looks at the first line of every request before it lets anybody read it.
pub(crate) struct Watched {
    stream: TcpStream,
    shared: Arc<Shared>,
    control: Arc<Control>,
}

impl Watched {
    pub(crate) fn new(stream: TcpStream, shared: Arc<Shared>) -> Self {
        let control = Control {
            idle: AtomicBool::new(true),
            reset: AtomicBool::new(false),
            surplus: AtomicUsize::new(0),
        };
        Self { stream, shared, control: Arc::new(control) }
    }

    pub(crate) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    fn breaks(&self, start: &[u8]) -> bool {
        let start = String::from_utf8_lossy(start);
        let mut words = start.lines().next().unwrap_or_default().split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let path = target.split('?').next().unwrap_or_default();
        lock(&self.shared.faults).take_before_reading(method, path)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.control.reset.load(Ordering::SeqCst) {
            // Without a reset the client sees the end of the stream, which is what remains if this fails.
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.control.idle.load(Ordering::SeqCst) {
            let mut space = [0; 2048];
            let mut start = ReadBuf::new(&mut space);
            let length = ready!(self.stream.poll_peek(context, &mut start))?;
            if length > 0 && self.breaks(start.filled()) {
                self.control.reset();
                return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
            }
            self.control.idle.store(false, Ordering::SeqCst);
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Pieces need not be sent whole: nobody counts what was never announced.
        while self.control.surplus.load(Ordering::SeqCst) > 0 {
            ready!(Pin::new(&mut self.stream).poll_write(context, &[b' '; 1 << 16]))?;
            self.control.surplus.fetch_sub(1, Ordering::SeqCst);
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A polite end would come before the reset.
        if self.control.reset.load(Ordering::SeqCst) {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
