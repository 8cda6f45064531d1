//! How often a watched resource is looked at.

use std::time::Duration;

use gitlab_duo_core::rules::limits::{WAIT_SECONDS_MAX, WAIT_STEP_SECONDS, WAIT_STEP_SECONDS_MAX};

const LEAST: Duration = Duration::from_secs(WAIT_STEP_SECONDS);
const MOST: Duration = Duration::from_secs(WAIT_STEP_SECONDS_MAX);

/// The pauses between looks: short after a change, then growing.
#[derive(Debug)]
pub(crate) struct Pace {
    next: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { next: LEAST }
    }
}

impl Pace {
    /// The pause until the next look. Where nothing happens by itself, or not soon, it is the longest.
    pub(crate) fn pause(&mut self, poll_after_seconds: Option<u32>) -> Duration {
        let pause = self.next;
        self.next = (pause * 3 / 2).min(MOST);
        let is_worth_more = poll_after_seconds.is_some_and(|hint| u64::from(hint) <= WAIT_STEP_SECONDS_MAX);
        if is_worth_more { pause } else { MOST }
    }

    /// Something has changed: more may follow.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// The pause after a failure that may pass, as GitLab asked for it within a bound.
    pub(crate) fn after_failure(retry_after_seconds: Option<u64>) -> Duration {
        let asked = Duration::from_secs(retry_after_seconds.unwrap_or(0));
        asked.clamp(MOST, Duration::from_secs(WAIT_SECONDS_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_five_to_thirty_seconds_and_begin_again_after_a_change() {
        let mut pace = Pace::default();
        let pauses: Vec<_> = (0..7).map(|_| pace.pause(Some(30)).as_millis()).collect();
        assert_eq!(pauses, [5_000, 7_500, 11_250, 16_875, 25_312, 30_000, 30_000]);
        pace.restart();
        assert_eq!(pace.pause(Some(30)), LEAST);
    }

    #[test]
    fn where_nothing_happens_soon_looks_are_rare() {
        for hint in [None, Some(120)] {
            assert_eq!(Pace::default().pause(hint), MOST, "{hint:?}");
        }
    }

    #[test]
    fn a_failure_is_waited_for_within_a_bound() {
        let rows = [(None, 30), (Some(1), 30), (Some(60), 60), (Some(86_400), 300)];
        for (asked, expected) in rows {
            assert_eq!(Pace::after_failure(asked).as_secs(), expected, "{asked:?}");
        }
    }
}
