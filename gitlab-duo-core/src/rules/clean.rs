//! Takes characters that nobody sees out of foreign text, so that none of them can hide a word
//! from the person who reads it.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Text without invisible characters, and how many were taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clean {
    /// What is left.
    pub text: String,
    /// Characters taken out.
    pub removed: usize,
}

/// Removes control and invisible characters: bidirectional controls, tags, zero-width spaces,
/// fillers. Newline and tab stay, and so do a joiner and a variation selector inside a grapheme.
/// The carriage return of a line end goes uncounted, since nothing is lost with it.
///
/// ```
/// use gitlab_duo_core::rules::clean::clean;
///
/// assert_eq!(clean("ap\u{200b}prove\u{202e}").text, "approve");
/// assert_eq!(clean("ap\u{200b}prove\u{202e}").removed, 2);
/// assert_eq!(clean("👩\u{200d}🚒 ❤\u{fe0f}").removed, 0);
/// ```
#[must_use]
pub fn clean(text: &str) -> Clean {
    let mut kept = String::with_capacity(text.len());
    let mut removed = 0;
    for grapheme in text.graphemes(true) {
        if grapheme == "\r\n" {
            kept.push('\n');
            continue;
        }
        let mut before = None;
        for character in grapheme.chars() {
            if stays(character, before) {
                kept.push(character);
                before = Some(character);
            } else {
                removed += 1;
            }
        }
    }
    Clean { text: kept, removed }
}

/// `before` is the kept character before this one in the same grapheme.
fn stays(character: char, before: Option<char>) -> bool {
    if is_joiner(character) {
        // A run of joiners or selectors shows nothing more than one of them, but can carry data.
        return before.is_some_and(|before| !is_joiner(before));
    }
    if is_variation_selector(character) {
        // It changes what stands before it, which a joiner cannot be.
        return before.is_some_and(|before| !is_variation_selector(before) && !is_joiner(before));
    }
    match character {
        '\n' | '\t' => true,
        _ => !is_invisible(character),
    }
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}')
}

/// The default ignorable code points of Unicode, and controls. Format characters that are drawn
/// (the prepended concatenation marks of Arabic, Syriac and Kaithi) are not among them.
fn is_invisible(character: char) -> bool {
    match character {
        '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' => false,
        '\u{110bd}' | '\u{110cd}' => false,
        '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{2065}' | '\u{2800}' => true,
        '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => matches!(character.general_category(), GeneralCategory::Control | GeneralCategory::Format),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_removed_and_counted() {
        let rows = [
            ("plain text", "plain text", 0),
            ("line\nand\ttab", "line\nand\ttab", 0),
            ("line\r\nend", "line\nend", 0),
            ("lone\rreturn", "lonereturn", 1),
            ("\u{1b}[31mred", "[31mred", 1),
            ("a\u{0}b\u{7f}c\u{9b}d", "abcd", 3),
            ("\u{202e}evil\u{2066}\u{2069}\u{200f}\u{61c}", "evil", 5),
            ("zero\u{200b}\u{feff}\u{2060}width", "zerowidth", 3),
            ("tags\u{e0041}\u{e007f}", "tags", 2),
            ("soft\u{ad}hyphen", "softhyphen", 1),
            ("hangul\u{3164}filler", "hangulfiller", 1),
            ("family 👨\u{200d}👩\u{200d}👧", "family 👨\u{200d}👩\u{200d}👧", 0),
            ("heart ❤\u{fe0f}\u{200d}🔥", "heart ❤\u{fe0f}\u{200d}🔥", 0),
            ("می\u{200c}خواهم", "می\u{200c}خواهم", 0),
            ("\u{200d}alone", "alone", 1),
            ("run\u{200d}\u{200c}\u{200d}", "run\u{200d}", 2),
            ("smuggled\u{e0101}\u{e0102}\u{e0103}", "smuggled\u{e0101}", 2),
            ("woven\u{fe00}\u{200d}\u{fe01}\u{200d}\u{fe02}", "woven\u{fe00}\u{200d}", 3),
            ("آية \u{6dd}", "آية \u{6dd}", 0),
        ];
        for (raw, text, removed) in rows {
            assert_eq!(clean(raw), Clean { text: text.to_owned(), removed }, "{raw:?}");
        }
    }
}
