//! Cuts text at characters, whole graphemes only, and remembers that it was cut.

use unicode_segmentation::UnicodeSegmentation;

/// A text within its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clipped {
    /// What fits.
    pub text: String,
    /// The characters of the whole text, when not all of it fits.
    pub full_chars: Option<usize>,
}

/// The longest beginning of `text` that has at most `limit` characters (Unicode scalar values) and
/// ends between two graphemes. A first grapheme above the limit leaves an empty text.
///
/// ```
/// use gitlab_duo_core::rules::clip::clip;
///
/// assert_eq!(clip("abc", 3).full_chars, None);
/// assert_eq!(clip("abcd", 3).text, "abc");
/// assert_eq!(clip("abcd", 3).full_chars, Some(4));
/// // The family is one grapheme of five characters: it stays whole or goes.
/// assert_eq!(clip("ab👨\u{200d}👩\u{200d}👧", 6).text, "ab");
/// ```
#[must_use]
pub fn clip(text: &str, limit: usize) -> Clipped {
    // Nothing shorter in bytes than the limit in characters can be too long.
    if text.len() <= limit || text.chars().nth(limit).is_none() {
        return Clipped { text: text.to_owned(), full_chars: None };
    }
    let mut taken = 0;
    let mut end = 0;
    for (start, grapheme) in text.grapheme_indices(true) {
        taken += grapheme.chars().count();
        if taken > limit {
            break;
        }
        end = start + grapheme.len();
    }
    let kept = text.get(..end).unwrap_or_default().to_owned();
    Clipped { text: kept, full_chars: Some(text.chars().count()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_is_inclusive_and_graphemes_stay_whole() {
        let rows = [
            ("", 0, "", None),
            ("a", 0, "", Some(1)),
            ("ab", 2, "ab", None),
            ("abc", 2, "ab", Some(3)),
            ("äöü", 3, "äöü", None),
            ("äöü", 2, "äö", Some(3)),
            ("e\u{301}e\u{301}", 3, "e\u{301}", Some(4)),
            ("e\u{301}e\u{301}", 1, "", Some(4)),
            ("🇩🇪🇫🇷", 3, "🇩🇪", Some(4)),
            ("a\r\nb", 2, "a", Some(4)),
        ];
        for (text, limit, kept, full_chars) in rows {
            assert_eq!(
                clip(text, limit),
                Clipped { text: kept.to_owned(), full_chars },
                "{text:?} at {limit}"
            );
        }
    }
}
