//! Writes that are on their way: the same one is not sent a second time beside the first. GitLab's
//! list shows a session only after its start was answered, and between two answers to one checkpoint
//! nothing in GitLab prevents that both start a CI job.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use gitlab_duo_core::actions::start_session::Duplicates;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};

use crate::arguments::call::Call;
use crate::caller::CallerKey;

/// What is on its way in this process.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<BTreeSet<Write>>>);

/// A write, and whose it is: the same one of another caller is another one.
type Write = (CallerKey, String);

/// A write on its way; it has arrived when this value is dropped.
#[derive(Debug)]
pub(crate) struct Ticket {
    in_flight: InFlight,
    write: Write,
}

impl InFlight {
    /// A ticket for a call that must not be made twice at once; none for other calls.
    ///
    /// # Errors
    /// `duplicate` while the same call is on its way.
    pub(crate) fn begin(&self, caller: CallerKey, call: &Call) -> Result<Option<Ticket>, DuoError> {
        let Some(key) = key(call) else { return Ok(None) };
        let write = (caller, key);
        if self.writes().insert(write.clone()) {
            return Ok(Some(Ticket { in_flight: self.clone(), write }));
        }
        let message = "the same request is on its way to GitLab right now, so nothing more was sent";
        let next_step = "look with list or get in a moment: the first request may have succeeded";
        Err(DuoError::new(ErrorKind::Duplicate, message).with_next_step(next_step))
    }

    fn writes(&self) -> std::sync::MutexGuard<'_, BTreeSet<Write>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.in_flight.writes().remove(&self.write);
    }
}

fn key(call: &Call) -> Option<String> {
    match call {
        Call::StartSession(start) if start.duplicates == Duplicates::Refuse => {
            Some(format!("start {:?} {:?} {:?} {:?}", start.project, start.selector, start.goal, start.url))
        }
        Call::SendInput(input) => Some(format!("answer {}", input.workflow_id)),
        _ => None,
    }
}
