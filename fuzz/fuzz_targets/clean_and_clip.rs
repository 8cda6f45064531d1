//! Cleaning and cutting of a text; the first byte is the limit.

#![no_main]

use gitlab_duo_core::rules::clean::clean;
use gitlab_duo_core::rules::clip::clip;
use libfuzzer_sys::fuzz_target;
use unicode_segmentation::UnicodeSegmentation;

fuzz_target!(|input: &[u8]| {
    let Some((limit, rest)) = input.split_first() else { return };
    let (limit, text) = (usize::from(*limit), String::from_utf8_lossy(rest));
    let cleaned = clean(&text);
    let again = clean(&cleaned.text);
    assert_eq!((&again.text, again.removed), (&cleaned.text, 0));
    let lost = text.chars().count() - cleaned.text.chars().count();
    assert_eq!(cleaned.removed, lost - text.matches("\r\n").count());

    let cut = clip(&text, limit);
    let chars = text.chars().count();
    assert_eq!(cut.full_chars, (chars > limit).then_some(chars));
    assert!(text.starts_with(&cut.text) && cut.text.chars().count() <= limit);
    let ends = std::iter::once(0).chain(text.grapheme_indices(true).map(|(start, part)| start + part.len()));
    let next = ends.skip_while(|end| *end != cut.text.len()).nth(1);
    if let Some(next) = next.filter(|_| chars > limit) {
        assert!(text[..next].chars().count() > limit);
    }
    assert_eq!(clip(&cut.text, limit).full_chars, None);
});
