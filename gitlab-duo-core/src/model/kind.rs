//! What kind of failure a caller has to deal with.

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
    /// Every kind, in the order of the contract.
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
}
