//! How long to wait, in every shape of it.

use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use crate::fuzzing::refused;

fn wait(status: u16, headers: &[(&str, &str)]) -> Option<u64> {
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
    refused(status, &headers, b"Retry later").retry_after_seconds
}

/// A second of the years that an HTTP date can tell.
fn second() -> impl Strategy<Value = u64> {
    prop_oneof![1_700_000_000_u64..1_900_000_000, 0_u64..253_402_300_799]
}

fn date(second: u64) -> String {
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn seconds_are_passed_on(seconds in any::<u64>(), more in "[0-9]{0,30}", status in 400_u16..600) {
        prop_assert_eq!(wait(status, &[("retry-after", &format!(" {seconds} "))]), Some(seconds));
        let huge = format!("{seconds}{more}");
        prop_assert_eq!(wait(status, &[("retry-after", &huge)]), Some(huge.parse().unwrap_or(u64::MAX)));
    }

    #[test]
    fn a_date_becomes_the_time_left_and_is_never_negative(then in second(), now in second()) {
        let headers = [("retry-after", date(then)), ("date", date(now))];
        let headers = [(headers[0].0, headers[0].1.as_str()), (headers[1].0, headers[1].1.as_str())];
        prop_assert_eq!(wait(429, &headers), Some(then.saturating_sub(now)));
        // Without the other clock, by ours: some number.
        prop_assert!(wait(429, &headers[..1]).is_some());
    }

    #[test]
    fn nonsense_is_absence(text in "[ -~]{0,30}") {
        let trimmed = text.trim();
        let is_number = !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit());
        prop_assume!(!is_number && httpdate::parse_http_date(trimmed).is_err());
        prop_assert_eq!(wait(429, &[("retry-after", &text)]), None);
        prop_assert_eq!(wait(429, &[("ratelimit-remaining", "0"), ("ratelimit-reset", &text)]), None);
    }

    #[test]
    fn a_window_counts_only_when_it_is_exhausted(
        reset in prop_oneof![second(), any::<u64>()], now in second(), left in 0_u32..3, status in 400_u16..600,
    ) {
        let (reset_text, now_text, left_text) = (reset.to_string(), date(now), left.to_string());
        let headers = [
            ("ratelimit-remaining", left_text.as_str()), ("ratelimit-reset", &reset_text), ("date", &now_text),
        ];
        let counts = left == 0 && status == 429 && i64::try_from(reset).is_ok();
        prop_assert_eq!(wait(status, &headers), counts.then(|| reset.saturating_sub(now)));
    }
}
