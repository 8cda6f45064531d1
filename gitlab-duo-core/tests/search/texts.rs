//! Texts as nobody writes them, and as somebody writes them on purpose.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Number, Value};

/// Characters that cut, hide, join, combine or turn around.
const SPECIAL: [char; 56] = [
    '\r',
    '\n',
    '\t',
    '\0',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{ad}',
    '\u{300}',
    '\u{301}',
    '\u{34f}',
    '\u{600}',
    '\u{61c}',
    '\u{6dd}',
    '\u{903}',
    '\u{915}',
    '\u{94d}',
    '\u{1100}',
    '\u{115f}',
    '\u{1160}',
    '\u{1161}',
    '\u{11a8}',
    '\u{180b}',
    '\u{180e}',
    '\u{180f}',
    '\u{200b}',
    '\u{200c}',
    '\u{200d}',
    '\u{200e}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2063}',
    '\u{2066}',
    '\u{2069}',
    '\u{2800}',
    '\u{3164}',
    '\u{fe00}',
    '\u{fe0e}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{fff9}',
    '\u{1f1e9}',
    '\u{1f1ea}',
    '\u{1f3fd}',
    '\u{1f468}',
    '\u{1f469}',
    '\u{2764}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e007f}',
    '\u{e0100}',
    '\u{e01ef}',
];

/// Any character; the special ones most often.
pub(crate) fn odd_char() -> impl Strategy<Value = char> {
    prop_oneof![3 => select(SPECIAL.to_vec()), 2 => proptest::char::range(' ', '~'), 1 => any::<char>()]
}

/// A short text of any characters.
pub(crate) fn odd_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(odd_char(), 0..24).prop_map(String::from_iter)
}

/// A text of up to about `chars` characters: a short one, again and again.
pub(crate) fn long_text(chars: usize) -> impl Strategy<Value = String> {
    (proptest::collection::vec(odd_char(), 1..8), 0..=chars / 4).prop_map(|(unit, times)| {
        let unit = String::from_iter(unit);
        unit.repeat(times)
    })
}

/// A text of pieces of this kind.
pub(crate) fn pieces(kinds: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(select(kinds), 0..8).prop_map(|pieces| pieces.concat())
}

/// Any JSON.
pub(crate) fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        odd_text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let field = (
            prop_oneof![select(vec!["name", "args", "id"]).prop_map(str::to_owned), odd_text()],
            inner.clone(),
        );
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
            proptest::collection::vec(field, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}
