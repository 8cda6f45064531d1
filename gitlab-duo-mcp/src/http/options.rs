//! Who may call over HTTP, and the bounds of what a caller takes up.

use std::time::Duration;

use crate::limits::HTTP_BODY_BYTES;
use crate::settings::http::HttpSettings;

/// Who may call, and how much of the server a caller may take.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Origins that may call beside those of loopback.
    pub allowed_origins: Vec<String>,
    /// Hosts that the server is called by beside loopback; without a port, any port.
    pub allowed_hosts: Vec<String>,
    /// Bytes of a request's body; beyond them the answer is 413.
    pub body_bytes: usize,
    /// Requests to `/mcp` being answered at the same time; beyond them the answer is 503.
    pub requests: usize,
    /// Open connections; further ones wait to be accepted.
    pub connections: usize,
    /// How long the head of a request may take, also the first byte of the next one on an open
    /// connection; then the connection is closed.
    pub head_time: Duration,
    /// How long the body of a request may take to arrive; then the answer is 408.
    pub body_time: Duration,
    /// How long answers in flight may take once the server is told to end.
    pub last_answers: Duration,
}

impl HttpOptions {
    /// The usual bounds for these settings.
    #[must_use]
    pub fn of(settings: &HttpSettings) -> Self {
        Self {
            allowed_origins: settings.allowed_origins.clone(),
            allowed_hosts: settings.allowed_hosts.clone(),
            body_bytes: HTTP_BODY_BYTES,
            requests: 256,
            connections: 1_024,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            last_answers: Duration::from_secs(10),
        }
    }
}
