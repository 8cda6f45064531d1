//! Faults that did not happen yet.

use super::matching::Fault;
use crate::wire::LoggedRequest;

#[derive(Default)]
pub(crate) struct Faults {
    queue: Vec<Fault>,
}

impl Faults {
    pub(crate) fn push(&mut self, fault: Fault) {
        self.queue.push(fault);
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
    }

    /// The first fault that happens to this request.
    pub(crate) fn take(&mut self, request: &LoggedRequest) -> Option<Fault> {
        self.find(|fault| !fault.is_before_reading() && fault.matches(request))
    }

    /// Whether a request with this first line is not to be read.
    pub(crate) fn take_before_reading(&mut self, method: &str, path: &str) -> bool {
        self.find(|fault| fault.is_before_reading() && fault.matches_line(method, path)).is_some()
    }

    fn find(&mut self, wanted: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let found =
            self.queue.iter_mut().find_map(|fault| (wanted(fault) && fault.strike()).then(|| fault.clone()));
        self.queue.retain(|fault| !fault.spent());
        found
    }
}
