//! Time as text. The clock itself is a number in the world that moves only when told to.

use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// The moment every fake GitLab starts at: `2026-10-20T09:24:40Z`.
pub(crate) fn start() -> Timestamp {
    Timestamp::from_second(1_792_488_280).unwrap_or_default()
}

/// `base` moved on by `by`; stays at the end of time when there is no later one.
pub(crate) fn later(base: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    base.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// `2026-10-20T09:24:40Z`, as GraphQL prints times.
pub(crate) fn graphql(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// `2026-10-20T09:24:40.000000+00:00`, as the agent's messages carry times.
pub(crate) fn message(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.%6f+00:00").to_string()
}

/// `Tue, 20 Oct 2026 09:24:40 GMT`, as HTTP headers carry times.
pub(crate) fn http(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_printed_in_three_ways() {
        assert_eq!(graphql(start()), "2026-10-20T09:24:40Z");
        assert_eq!(message(later(start(), Duration::from_millis(1500))), "2026-10-20T09:24:41.500000+00:00");
        assert_eq!(http(start()), "Tue, 20 Oct 2026 09:24:40 GMT");
    }
}
