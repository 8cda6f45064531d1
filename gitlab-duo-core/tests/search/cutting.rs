//! Cutting and cleaning of foreign text, and the marks of what was cut.

use gitlab_duo_core::rules::clean::clean;
use gitlab_duo_core::rules::clip::{Clipped, clip};
use gitlab_duo_core::view::text::Pen;
use proptest::prelude::*;
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation;

use crate::texts::{long_text, odd_text};

/// The ends of the graphemes of a text, in bytes.
fn boundaries(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.grapheme_indices(true).map(|(start, part)| start + part.len())).collect()
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}')
}

/// What is taken out: controls but newline and tab, bidirectional controls, tags, zero-width spaces.
fn may_not_stay(c: char) -> bool {
    let is_bidi =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_zero_width =
        matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{180e}');
    let is_tag = matches!(c, '\u{e0000}'..='\u{e007f}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || is_bidi || is_zero_width || is_tag
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    // A line end of two characters becomes one, which is among them.
    part.chars().all(|c| whole.any(|other| other == c))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_text_is_the_longest_beginning_of_whole_graphemes(text in odd_text(), limit in 0_usize..26) {
        let Clipped { text: kept, full_chars } = clip(&text, limit);
        let chars = text.chars().count();
        prop_assert!(text.starts_with(&kept));
        prop_assert_eq!(full_chars, (chars > limit).then_some(chars));
        prop_assert!(kept.chars().count() <= limit);
        let ends = boundaries(&text);
        prop_assert!(ends.contains(&kept.len()));
        if full_chars.is_none() {
            prop_assert_eq!(&kept, &text);
        }
        if let Some(next) = ends.into_iter().find(|end| *end > kept.len()) {
            prop_assert!(text[..next].chars().count() > limit, "{:?} would fit", &text[..next]);
        }
    }

    #[test]
    fn a_cut_text_is_not_cut_again(text in long_text(300), limit in 0_usize..200) {
        let once = clip(&text, limit);
        prop_assert_eq!(clip(&once.text, limit), Clipped { text: once.text.clone(), full_chars: None });
    }

    #[test]
    fn a_clean_text_stays_as_it_is(text in odd_text()) {
        let once = clean(&text).text;
        let twice = clean(&once);
        prop_assert_eq!((twice.text, twice.removed), (once, 0));
    }

    #[test]
    fn cleaning_takes_out_what_nobody_sees_and_counts_it(text in odd_text()) {
        let cleaned = clean(&text);
        prop_assert_eq!(cleaned.text.chars().find(|c| may_not_stay(*c)), None);
        prop_assert!(is_subsequence(&cleaned.text, &text));
        let line_ends = text.matches("\r\n").count();
        let lost = text.chars().count() - cleaned.text.chars().count();
        prop_assert_eq!(cleaned.removed, lost - line_ends);
    }

    #[test]
    fn joiners_and_selectors_stay_only_where_they_do_something(text in odd_text()) {
        let kept: Vec<char> = clean(&text).text.chars().collect();
        let is_glue = |c: char| is_joiner(c) || is_selector(c);
        prop_assert!(!kept.first().is_some_and(|c| is_glue(*c)));
        // A picture takes a selector and then a joiner; anything longer only carries data.
        prop_assert!(!kept.windows(3).any(|run| run.iter().all(|c| is_glue(*c))), "{:?}", kept);
        prop_assert!(!kept.windows(2).any(|run| is_glue(run[0]) && is_selector(run[1])), "{:?}", kept);
        prop_assert!(!kept.windows(2).any(|run| matches!(run[0], '\n' | '\t') && is_glue(run[1])), "{:?}", kept);
    }

    #[test]
    fn what_a_keyboard_writes_stays(text in "[ -~\n\täöüßéñ中文字اب]{0,40}") {
        let cleaned = clean(&text);
        prop_assert_eq!((cleaned.text, cleaned.removed), (text, 0));
    }

    #[test]
    fn a_field_is_marked_exactly_when_it_is_cut(text in proptest::option::of(odd_text()), limit in 0_usize..26) {
        let mut pen = Pen::default();
        let field = pen.text("goal", text.as_deref(), limit);
        let written = serde_json::to_value(&field).unwrap();
        let cleaned = text.as_deref().map(clean);
        let chars = cleaned.as_ref().map_or(0, |cleaned| cleaned.text.chars().count());
        let expected = match &cleaned {
            None => json!({"goal": null}),
            Some(cleaned) if chars <= limit => json!({"goal": cleaned.text}),
            Some(_) => json!({"goal": field.value(), "goal_truncated": true, "goal_chars": chars}),
        };
        prop_assert_eq!(written, expected);
        prop_assert_eq!(field.is_cut(), chars > limit);
        prop_assert!(field.value().unwrap_or_default().chars().count() <= limit);
        prop_assert_eq!(pen.removed(), cleaned.map_or(0, |cleaned| cleaned.removed));
        if text.is_none() {
            prop_assert_eq!(serde_json::to_value(field.or_left_out()).unwrap(), json!({}));
        }
    }
}
