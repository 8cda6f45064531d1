//! Foreign text in a result: cleaned, cut, and marked when it was cut.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::rules::clean::clean;
use crate::rules::clip::{Clipped, clip};

/// A text field of a result. It serializes as `NAME`, and only when cut also as
/// `NAME_truncated: true` and `NAME_chars` (the full length), beside the other fields of its struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextField {
    name: &'static str,
    value: Option<Clipped>,
    when_unknown: WhenUnknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhenUnknown {
    Null,
    LeftOut,
}

impl TextField {
    /// What is shown; none when it is not known.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        self.value.as_ref().map(|clipped| clipped.text.as_str())
    }

    /// Whether it was cut.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.value.as_ref().is_some_and(|clipped| clipped.full_chars.is_some())
    }

    /// Its full length in characters, when it was cut.
    #[must_use]
    pub fn full_chars(&self) -> Option<usize> {
        self.value.as_ref().and_then(|clipped| clipped.full_chars)
    }

    /// The same field, which is not written at all when it is not known.
    #[must_use]
    pub fn or_left_out(mut self) -> Self {
        self.when_unknown = WhenUnknown::LeftOut;
        self
    }
}

impl Serialize for TextField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.value {
            None if self.when_unknown == WhenUnknown::LeftOut => {}
            None => map.serialize_entry(self.name, &())?,
            Some(Clipped { text, full_chars }) => {
                map.serialize_entry(self.name, text)?;
                if let Some(full_chars) = full_chars {
                    map.serialize_entry(&format!("{}_truncated", self.name), &true)?;
                    map.serialize_entry(&format!("{}_chars", self.name), full_chars)?;
                }
            }
        }
        map.end()
    }
}

/// Writes foreign text into one result and counts the characters it takes out.
#[derive(Debug, Default)]
pub struct Pen {
    removed: usize,
}

impl Pen {
    /// The field `name` with at most `limit` characters of `text`.
    pub fn text(&mut self, name: &'static str, text: Option<&str>, limit: usize) -> TextField {
        let value = text.map(|text| self.clipped(text, limit));
        TextField { name, value, when_unknown: WhenUnknown::Null }
    }

    /// At most `limit` characters of `text`, for places that cannot carry a mark of their own.
    pub fn clipped(&mut self, text: &str, limit: usize) -> Clipped {
        let clean = clean(text);
        self.removed += clean.removed;
        clip(&clean.text, limit)
    }

    /// Characters taken out so far.
    #[must_use]
    pub fn removed(&self) -> usize {
        self.removed
    }
}

/// For `skip_serializing_if`: nothing was removed.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: Option<&str>, limit: usize, expected: serde_json::Value) {
        let field = Pen::default().text("goal", text, limit);
        assert_eq!(serde_json::to_value(field).unwrap(), expected);
    }

    #[test]
    fn only_a_cut_text_carries_marks() {
        check(None, 3, json!({"goal": null}));
        check(Some("abc"), 3, json!({"goal": "abc"}));
        check(Some("abcd"), 3, json!({"goal": "abc", "goal_truncated": true, "goal_chars": 4}));
        // Characters that are taken out do not count.
        check(Some("a\u{200b}bc"), 3, json!({"goal": "abc"}));
    }

    #[test]
    fn removed_characters_add_up_over_a_result() {
        let mut pen = Pen::default();
        pen.text("goal", Some("a\u{202e}"), 10);
        pen.text("title", Some("\u{200b}b\u{1b}"), 10);
        assert_eq!(pen.removed(), 3);
    }
}
