//! What a caller has to deal with when a call is refused or fails.

use std::fmt;
use std::time::Duration;

use crate::model::ids::WorkflowId;
use crate::model::scope::Refusal;
use crate::model::status::Status;
use crate::rules::gates::ClosedGate;

/// Kinds of failure, by what the caller can do about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is missing, unknown, of the wrong type, or contradicts another one.
    InvalidArguments,
    /// The instance is too old for what was asked.
    Version,
    /// The operator of this program does not allow it.
    Policy,
    /// No token, or one that GitLab no longer takes.
    Unauthorized,
    /// GitLab refuses: scope, permission, credits, runner, service account, identity.
    Forbidden,
    /// Not there, not visible, or not in this version.
    NotFound,
    /// Too many requests.
    RateLimited,
    /// An answer beyond what is read.
    TooLarge,
    /// An answer that is not what GitLab's interface answers.
    Unreadable,
    /// GitLab or something in front of it failed.
    Server,
    /// GitLab was not reached.
    Network,
    /// GitLab did not answer in time.
    Timeout,
    /// A write was sent and its outcome is not known.
    OutcomeUnknown,
    /// The same session was started a moment ago.
    Duplicate,
    /// The session does not wait for this input now.
    NotWaiting,
    /// A person said no, or nobody could be asked.
    Declined,
    /// The caller withdrew the call.
    Cancelled,
}

impl ErrorKind {
    /// Every kind, in the order of this enum.
    pub const ALL: [Self; 17] = [
        Self::InvalidArguments,
        Self::Version,
        Self::Policy,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::RateLimited,
        Self::TooLarge,
        Self::Unreadable,
        Self::Server,
        Self::Network,
        Self::Timeout,
        Self::OutcomeUnknown,
        Self::Duplicate,
        Self::NotWaiting,
        Self::Declined,
        Self::Cancelled,
    ];

    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidArguments => "invalid_arguments",
            Self::Version => "version",
            Self::Policy => "policy",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::RateLimited => "rate_limited",
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
            Self::Server => "server",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Duplicate => "duplicate",
            Self::NotWaiting => "not_waiting",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
        }
    }

    /// What to do next, when the call itself knows nothing better.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        match self {
            Self::InvalidArguments => "correct the arguments named above and call again",
            Self::Version => "use an ability that this GitLab has, or ask its administrator to upgrade",
            Self::Policy => {
                "ask whoever runs this program to widen its settings; calling again will not help"
            }
            Self::Unauthorized => {
                "sign in again: set a valid token with the scope `api` (or `read_api` for browsing only) and retry"
            }
            Self::Forbidden => {
                "read GitLab's own words: scope, role, credits, runner, service account or identity may be missing"
            }
            Self::NotFound => {
                "check the id or path; it may not exist, not be visible to you, or not be in this GitLab version"
            }
            Self::RateLimited => "wait as long as stated, or a minute, before the next call",
            Self::TooLarge => "ask for less: a smaller page, or look at it in GitLab",
            Self::Unreadable => {
                "check that the configured address is GitLab itself and not a sign-in page or proxy"
            }
            Self::Server => "try a read again in a minute; before repeating a write, look with list or get",
            Self::Network => "check address, network, proxy and certificates; nothing was received",
            Self::Timeout => "try the read again; GitLab may be slow at the moment",
            Self::OutcomeUnknown => "look with list or get before acting again: it may have happened",
            Self::Duplicate => "follow the session named here, or set `allow_duplicate` to start another one",
            Self::NotWaiting => "read the session with get and answer when `pending_input.can_send` is true",
            Self::Declined => "nothing was sent; ask the person what they want instead",
            Self::Cancelled => "nothing more will come of this call",
        }
    }
}

/// What a call that failed has changed in GitLab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Nothing: the call only read, was refused here, or was refused by GitLab.
    #[default]
    Nothing,
    /// Nobody knows: a write was sent, and no answer tells what became of it.
    Unknown,
    /// What was asked for: GitLab accepted the write, but its answer cannot be read.
    Accepted,
}

/// A call that was refused or failed.
///
/// Our own words and GitLab's stand apart; no part of a token is in either. What a caller can do is
/// told by [`kind`](Self::kind), [`is_retryable_read`](Self::is_retryable_read) and
/// [`effect`](Self::effect), never by words of a message.
///
/// ```
/// use gitlab_duo_core::model::error::{DuoError, Effect, ErrorKind};
///
/// let error = DuoError::new(ErrorKind::Timeout, "GitLab did not answer within 30 seconds");
/// assert!(error.is_retryable_read());
/// assert_eq!(error.effect, Effect::Nothing);
/// assert_eq!(error.to_string(), "GitLab did not answer within 30 seconds");
/// assert_eq!(error.next_step, "try the read again; GitLab may be slow at the moment");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuoError {
    /// What the caller has to deal with.
    pub kind: ErrorKind,
    /// One plain sentence, without a full stop.
    pub message: String,
    /// What to do next.
    pub next_step: String,
    /// Seconds to wait, when GitLab said so.
    pub retry_after_seconds: Option<u64>,
    /// The scope or permission that is needed, when known.
    pub required: Option<String>,
    /// GitLab's own words: data, not advice.
    pub gitlab_message: Option<String>,
    /// GitLab's `X-Request-Id`.
    pub request_id: Option<String>,
    /// The session that this is about, when it is not the one named in the call.
    pub workflow_id: Option<WorkflowId>,
    /// The present status of the session, when the refusal depends on it.
    pub status: Option<Status>,
    /// What the failed call has changed.
    pub effect: Effect,
}

impl DuoError {
    /// A failure with the usual next step of its kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            next_step: kind.next_step().to_owned(),
            retry_after_seconds: None,
            required: None,
            gitlab_message: None,
            request_id: None,
            workflow_id: None,
            status: None,
            effect: Effect::Nothing,
        }
    }

    /// A wrong argument.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArguments, message)
    }

    /// Whether the same read may well succeed a little later: GitLab was busy, slow, down or not
    /// reached. Never true for a write whose outcome is not known; a write is not for repeating
    /// without a look.
    #[must_use]
    pub fn is_retryable_read(&self) -> bool {
        let is_passing = matches!(
            self.kind,
            ErrorKind::RateLimited | ErrorKind::Server | ErrorKind::Network | ErrorKind::Timeout
        );
        is_passing && self.effect == Effect::Nothing
    }

    /// Whether a write was sent and nobody knows what became of it: look before acting again.
    #[must_use]
    pub fn outcome_is_unknown(&self) -> bool {
        self.effect == Effect::Unknown
    }

    /// How long to wait before the next call, when GitLab said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_seconds.map(Duration::from_secs)
    }

    /// The same failure with a better next step.
    #[must_use]
    pub fn with_next_step(mut self, next_step: impl Into<String>) -> Self {
        self.next_step = next_step.into();
        self
    }
}

impl fmt::Display for DuoError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for DuoError {}

impl From<ClosedGate> for DuoError {
    fn from(gate: ClosedGate) -> Self {
        Self::new(ErrorKind::Version, gate.to_string())
    }
}

impl From<Refusal> for DuoError {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorKind::Policy, refusal.to_string())
    }
}
