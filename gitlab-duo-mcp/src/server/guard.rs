//! What holds for every request that works on GitLab: it ends within its bound, when it is taken
//! back, and when a part of this program fails, and it is always answered.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use gitlab_duo_core::model::error::DuoError;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use crate::server::early::Early;

/// Why a request ends without a result.
#[derive(Debug)]
pub(super) enum Halt {
    /// It was refused, or failed.
    Refused(DuoError),
    /// Something ended it from outside.
    Early(Early),
}

impl From<DuoError> for Halt {
    fn from(refusal: DuoError) -> Self {
        Self::Refused(refusal)
    }
}

impl Halt {
    /// The refusal that a caller is told. Once a write has begun it may have happened.
    pub(super) fn refusal(self, has_written: bool) -> DuoError {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Early(early) => early.refusal(has_written),
        }
    }
}

/// Works until `work` ends, the client takes the request back, or a part of this program fails: a
/// panic must neither leave the caller without an answer nor tell what it was about.
pub(super) async fn guarded<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, Halt>>,
) -> Result<T, Halt> {
    let work = AssertUnwindSafe(work).catch_unwind();
    tokio::select! {
        // A withdrawal comes first: a yes that arrives beside it sends nothing.
        biased;
        () = context.ct.cancelled() => Err(Halt::Early(Early::Withdrawn)),
        outcome = work => outcome.unwrap_or(Err(Halt::Early(Early::Panicked))),
    }
}

/// Works for at most `bound`.
pub(super) async fn bounded<T>(
    bound: Duration,
    work: impl Future<Output = Result<T, DuoError>>,
) -> Result<T, Halt> {
    let outcome = tokio::time::timeout(bound, work).await;
    outcome.map_err(|_| Halt::Early(Early::TookTooLong))?.map_err(Halt::Refused)
}
