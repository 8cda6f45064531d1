//! Percent-encoding of path segments and queries, and base64 of cursors.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Decodes `%XX` once; what is not a valid escape stays as it is.
pub(crate) fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                bytes.push(hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0));
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The parameters of a query, decoded.
pub(crate) fn query_pairs(query: &str) -> Vec<(String, String)> {
    let decode = |text: &str| percent_decode(&text.replace('+', " "));
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(key, value)| (decode(key), decode(value)))
        .collect()
}

/// Base64 for URLs, without padding.
pub(crate) fn base64(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// The text behind a base64 value of either alphabet, with or without padding.
pub(crate) fn unbase64(text: &str) -> Option<String> {
    let text = text.trim_end_matches('=');
    let bytes = URL_SAFE_NO_PAD.decode(text).or_else(|_| STANDARD_NO_PAD.decode(text)).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_decoded_once() {
        assert_eq!(percent_decode("acme%2Fplatform%2fapi"), "acme/platform/api");
        assert_eq!(percent_decode("acme%252Fapi"), "acme%2Fapi");
        assert_eq!(percent_decode("50%"), "50%");
    }

    #[test]
    fn cursors_are_those_of_gitlab() {
        assert_eq!(base64("20"), "MjA");
        assert_eq!(unbase64("MjA=").as_deref(), Some("20"));
    }
}
