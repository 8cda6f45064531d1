//! How long GitLab, or what stands in front of it, asks to be left alone.

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;

/// Characters of a limit's name; GitLab's own have about thirty.
const LIMIT_NAME_CHARS: usize = 100;

/// Seconds to wait: `Retry-After` as seconds or as a date; with 429 else the end of an exhausted `RateLimit-*` window.
/// Nonsense (negative, words) counts as absent; huge values are passed on.
pub(crate) fn seconds(status: StatusCode, headers: &HeaderMap) -> Option<u64> {
    match text(headers, RETRY_AFTER.as_str()) {
        Some(wait) => in_seconds(wait).or_else(|| until(date(wait)?, headers)),
        None if status == StatusCode::TOO_MANY_REQUESTS => window(headers),
        None => None,
    }
}

/// Whether this answer was the last one of its window: another request before its end would be refused.
pub(crate) fn is_exhausted(headers: &HeaderMap) -> bool {
    text(headers, "ratelimit-remaining") == Some("0")
}

fn window(headers: &HeaderMap) -> Option<u64> {
    let reset = in_seconds(text(headers, "ratelimit-reset").filter(|_| is_exhausted(headers))?)?;
    until(i64::try_from(reset).ok()?, headers)
}

/// The name of the limit that was hit, when it is one: it stands in a sentence of ours.
pub(crate) fn limit_name(headers: &HeaderMap) -> Option<&str> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    let is_name = |name: &&str| (1..=LIMIT_NAME_CHARS).contains(&name.len()) && name.bytes().all(is_of_name);
    text(headers, "ratelimit-name").filter(is_name)
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn in_seconds(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// An HTTP date as seconds of the epoch.
fn date(text: &str) -> Option<i64> {
    let time = Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()?;
    Some(time.as_second())
}

/// The time left, by the clock of the one who answered.
fn until(second: i64, headers: &HeaderMap) -> Option<u64> {
    let now = text(headers, DATE.as_str()).and_then(date).unwrap_or_else(|| Timestamp::now().as_second());
    Some(u64::try_from(second.saturating_sub(now)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn check(rows: &[(&str, &str)], expected: Option<u64>) {
        let headers: HeaderMap = rows
            .iter()
            .map(|(name, value)| {
                (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
            })
            .collect();
        assert_eq!(seconds(StatusCode::TOO_MANY_REQUESTS, &headers), expected, "{rows:?}");
    }

    #[test]
    fn every_shape_of_a_wait_is_a_number_or_nothing() {
        check(&[("retry-after", "37")], Some(37));
        check(&[("retry-after", " 37 ")], Some(37));
        check(&[("retry-after", "0")], Some(0));
        check(&[("retry-after", "999999")], Some(999_999));
        check(&[("retry-after", "99999999999999999999999")], Some(u64::MAX));
        for nonsense in ["-5", "soon", "", "1.5", "+3"] {
            check(&[("retry-after", nonsense)], None);
        }
        let now = ("date", "Wed, 21 Oct 2026 07:27:00 GMT");
        check(&[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"), now], Some(60));
        check(&[("retry-after", "Wed, 21 Oct 2026 07:26:00 GMT"), now], Some(0));
        check(&[], None);
    }

    #[test]
    fn the_name_of_a_limit_closes_no_quotation() {
        let long = "x".repeat(LIMIT_NAME_CHARS + 1);
        let rows = [
            ("throttle_authenticated_api", Some("throttle_authenticated_api")),
            ("api`.approve", None),
            ("", None),
            ("two words", None),
            (long.as_str(), None),
        ];
        for (name, expected) in rows {
            let headers = HeaderMap::from_iter([(
                HeaderName::from_static("ratelimit-name"),
                HeaderValue::from_str(name).unwrap(),
            )]);
            assert_eq!(limit_name(&headers), expected, "{name}");
        }
    }

    #[test]
    fn an_exhausted_window_ends_at_its_reset() {
        let now = ("date", "Tue, 20 Oct 2026 09:20:23 GMT");
        check(&[("ratelimit-remaining", "0"), ("ratelimit-reset", "1792488060"), now], Some(37));
        check(&[("ratelimit-remaining", "7"), ("ratelimit-reset", "1792488060"), now], None);
        check(&[("ratelimit-remaining", "0"), ("ratelimit-reset", "later"), now], None);
    }
}
