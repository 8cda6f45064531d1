//! Calls that end before their action does.

use gitlab_duo_core::model::error::{DuoError, ErrorKind};

/// Why a call ended early.
#[derive(Clone, Copy, Debug)]
pub(super) enum Early {
    /// The client took it back.
    Withdrawn,
    /// It took longer than a client waits.
    TookTooLong,
    /// A part of this program failed; what it worked on is told to nobody.
    Panicked,
}

impl Early {
    /// The answer. Once a write has begun it may have happened, whatever ended the call.
    pub(super) fn refusal(self, has_written: bool) -> DuoError {
        let (kind, message) = match self {
            Self::Withdrawn => (ErrorKind::Cancelled, "the call was withdrawn before its answer came"),
            Self::TookTooLong => (ErrorKind::Timeout, "GitLab took longer than a call may take"),
            Self::Panicked => (ErrorKind::Server, "this program failed inside while it worked on the call"),
        };
        match (has_written, self) {
            (true, _) => DuoError::new(ErrorKind::OutcomeUnknown, format!("{message}; something was sent")),
            (false, Self::Panicked) => DuoError::new(kind, message)
                .with_next_step("try again, and report this with the server's log"),
            (false, _) => DuoError::new(kind, message),
        }
    }
}
