//! An exchange that brought no whole answer: how far it came, and whether another attempt may succeed.

use std::error::Error;
use std::io;

use bytes::Bytes;
use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use http::StatusCode;

/// How far the exchange came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing was sent.
    NotSent,
    /// The request was sent, or may have been; no answer came.
    Sent,
    /// An answer began with this status and cannot be read.
    Answered(StatusCode),
}

/// A failed exchange.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) stage: Stage,
    pub(crate) error: GatewayError,
    /// Whether a moment later it may be gone.
    pub(crate) is_passing: bool,
    /// What was read of the body before it broke off.
    pub(crate) partial: Bytes,
}

impl Failure {
    /// Nothing left this machine, and another attempt would not change that.
    pub(crate) fn not_sent(error: GatewayError) -> Self {
        Self::lasting(Stage::NotSent, error)
    }

    /// Another attempt would not change it.
    pub(crate) fn lasting(stage: Stage, error: GatewayError) -> Self {
        Self { stage, error, is_passing: false, partial: Bytes::new() }
    }

    /// Reads what the HTTP client reports. `stage` is how far it came, unless the client knows better.
    pub(crate) fn of(error: &reqwest::Error, stage: Stage, host: &str) -> Self {
        if error.is_connect() || error.is_builder() {
            return Self::of_connecting(error, host);
        }
        let io = io_kind(error);
        let (kind, message, is_passing) = if error.is_timeout() {
            (ErrorKind::Timeout, format!("GitLab at `{host}` did not answer in time"), false)
        } else if let Stage::Answered(_) = stage {
            // A body that cannot be unpacked is no passing trouble of the network.
            let is_passing = !error.is_decode() || io.is_some_and(is_passing);
            (ErrorKind::Unreadable, format!("the answer of GitLab at `{host}` broke off"), is_passing)
        } else {
            let message = format!("the connection to GitLab at `{host}` broke before it answered");
            (ErrorKind::Network, message, true)
        };
        Self { is_passing, ..Self::lasting(stage, GatewayError::new(kind, message)) }
    }

    fn of_connecting(error: &reqwest::Error, host: &str) -> Self {
        let io = io_kind(error);
        let cause = root_cause(error);
        let message = if cause.contains(PROXY_SIGN_IN) {
            "the proxy wants a sign-in: check user and password in the proxy setting".to_owned()
        } else if error.is_dns() {
            format!("the name `{host}` cannot be resolved")
        } else if error.is_timeout() {
            format!("no connection to `{host}` in time")
        } else if io == Some(io::ErrorKind::ConnectionRefused) {
            format!("`{host}` refused the connection")
        } else if cause.contains("certificate") {
            format!("the certificate of `{host}` is not trusted ({cause}): a CA of your own can be set")
        } else {
            format!("no connection to `{host}` ({cause})")
        };
        let kind = if error.is_timeout() { ErrorKind::Timeout } else { ErrorKind::Network };
        let is_passing = io.is_some_and(is_passing);
        Self { is_passing, ..Self::not_sent(GatewayError::new(kind, message)) }
    }
}

/// The HTTP library's own words for a 407 while it opens a tunnel: it exports no type for it.
const PROXY_SIGN_IN: &str = "proxy authorization required";

fn is_passing(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionRefused | ConnectionReset | UnexpectedEof)
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}

/// The kind of the innermost input or output error.
fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).last().map(io::Error::kind)
}

/// The innermost cause, unless it shows an address.
fn root_cause(error: &reqwest::Error) -> String {
    let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
    if cause.contains("://") || cause.contains('@') { "no reason given".to_owned() } else { cause }
}
