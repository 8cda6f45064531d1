//! JSON with something odd in it.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// JSON texts that stand where another type, or nothing like it, is expected.
const ODD: [&str; 30] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1",
    "73",
    "73.0",
    "74",
    "7.3e1",
    "4294967296",
    "9007199254740993",
    "9007199254740993.0",
    "9.007199254740995e15",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e300",
    "-0.0",
    r#""""#,
    r#""null""#,
    r#"" ""#,
    r#""73""#,
    r#""-3""#,
    r#""gid://gitlab/Project/9""#,
    r#""\u202ezqx\u0000""#,
    "[]",
    "{}",
    r#"[{"zqx":[[null]]}]"#,
];

/// Any of them, or any short text, or something very long or very deep.
pub(crate) fn odd() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(&ODD[..]).prop_map(str::to_owned),
        3 => any::<String>().prop_map(|text| Value::from(text).to_string()),
        1 => (1_usize..200).prop_map(|depth| format!("{}1{}", "[".repeat(depth), "]".repeat(depth))),
        1 => (1_usize..9_000).prop_map(|chars| format!("\"{}\"", "zqx中".repeat(chars))),
    ]
}

/// `seed` with up to three of its values replaced.
pub(crate) fn spoilt(seed: &str) -> impl Strategy<Value = String> + use<> {
    let seed: Value = serde_json::from_str(seed).unwrap();
    proptest::collection::vec((any::<Index>(), odd()), 1..4).prop_map(move |changes| {
        let mut answer = seed.clone();
        let mut raw = Vec::new();
        for (place, (index, odd)) in changes.into_iter().enumerate() {
            let all = pointers("", &answer);
            let pointer = index.get(&all);
            // Numbers that `Value` would round are put in as text.
            let mark = format!("@@{place}@@");
            *answer.pointer_mut(pointer).unwrap() = Value::from(mark.as_str());
            raw.push((format!("\"{mark}\""), odd));
        }
        raw.iter().fold(answer.to_string(), |text, (mark, odd)| text.replace(mark, odd))
    })
}

/// The whole, and everything in it.
fn pointers(own: &str, value: &Value) -> Vec<String> {
    let below: Vec<_> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(place, item)| (place.to_string(), item)).collect()
        }
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        _ => Vec::new(),
    };
    let below = below.into_iter().flat_map(|(name, value)| pointers(&format!("{own}/{name}"), value));
    std::iter::once(own.to_owned()).chain(below).collect()
}

/// Whether `answer` holds this very number, as one or at the end of a text.
pub(crate) fn is_written(answer: &str, number: u64) -> bool {
    let digits = number.to_string();
    answer.match_indices(&digits).any(|(start, _)| {
        let before = answer[..start].trim_end_matches('0').chars().next_back();
        let after = answer[start + digits.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '.'))
            && !after.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E'))
    })
}
