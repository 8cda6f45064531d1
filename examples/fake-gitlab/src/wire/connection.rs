//! A connection that can break before a request is read.

use crate::shared::{Shared, lock};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A stream that looks at the first line of every request before it lets anybody read it.
pub(crate) struct Watched {
    stream: TcpStream,
    shared: Arc<Shared>,
    idle: Arc<AtomicBool>,
}

impl Watched {
    pub(crate) fn new(stream: TcpStream, shared: Arc<Shared>) -> Self {
        Self { stream, shared, idle: Arc::new(AtomicBool::new(true)) }
    }

    /// True between requests; whoever answers a request sets it again.
    pub(crate) fn idle(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.idle)
    }

    fn breaks(&self, start: &[u8]) -> bool {
        let start = String::from_utf8_lossy(start);
        let mut words = start.lines().next().unwrap_or_default().split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let path = target.split('?').next().unwrap_or_default();
        lock(&self.shared.faults).take_before_reading(method, path)
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.idle.load(Ordering::SeqCst) {
            let mut space = [0; 2048];
            let mut start = ReadBuf::new(&mut space);
            let length = ready!(self.stream.poll_peek(context, &mut start))?;
            // Bytes that nobody read make the kernel reset the connection when it is closed.
            if length > 0 && self.breaks(start.filled()) {
                return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
            }
            self.idle.store(false, Ordering::SeqCst);
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
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
