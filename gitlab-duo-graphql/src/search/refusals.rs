//! Error bodies: our sentence never holds GitLab's words, and of those there is an end.

use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::fuzzing::{refused, unreadable};
use crate::search::odd::spoilt;

const BODIES: [&str; 6] = [
    r#"{"message":"403 Forbidden - zqx"}"#,
    r#"{"error":"zqx_scope","error_description":"zqx","scope":"zqx"}"#,
    r#"{"message":{"goal":["zqx","zqx"],"base":["zqx"],"error":"zqx"}}"#,
    r#"{"errors":[{"message":"zqx","locations":[],"path":["zqx"]},"zqx"]}"#,
    r#"{"error":"404 Not Found"}"#,
    r#"{"error":{"zqx":[["zqx"]]}}"#,
];

fn body() -> impl Strategy<Value = Vec<u8>> {
    let texts = prop_oneof![
        any::<String>().prop_map(|text| format!("zqx {text}")),
        (1_usize..9_000).prop_map(|chars| "zqx中".repeat(chars)),
        "(<!DOCTYPE html>|<html>)? ?(<TITLE|<title>|<title x='>')? ?zqx[ä<>]{0,9}(</title>|</TITLE)?",
        (1_usize..200).prop_map(|depth| format!("{}\"zqx\"{}", "[".repeat(depth), "]".repeat(depth))),
        (1_usize..9_000)
            .prop_map(|times| format!(r#"{{"error":"{}","error_description":"zqx"}}"#, "zqx".repeat(times))),
    ];
    prop_oneof![
        select(&BODIES[..]).prop_flat_map(spoilt).prop_map(String::into_bytes),
        texts.prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..64).prop_map(|bytes| [b"zqx".as_slice(), &bytes].concat()),
    ]
}

fn content_type() -> impl Strategy<Value = &'static str> {
    select(vec!["application/json", "text/html; charset=utf-8", "text/plain", "TEXT/HTML", ""])
}

fn check(error: &GatewayError) -> Result<(), TestCaseError> {
    prop_assert!(!error.message.contains("zqx"), "{}", error.message);
    prop_assert!((1..250).contains(&error.message.chars().count()), "{}", error.message);
    for words in [&error.gitlab_message, &error.required].into_iter().flatten() {
        prop_assert!((1..=4_000).contains(&words.chars().count()), "{}", words.chars().count());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_error_body_becomes_a_sentence_of_ours(
        status in prop_oneof![select(vec![400_u16, 401, 403, 404, 407, 422, 429, 500, 502, 503]), 100_u16..1_000],
        content_type in content_type(), body in body(),
    ) {
        let error = refused(status, &[("content-type", content_type.as_bytes())], &body);
        check(&error)?;
        let expected = match status {
            407 => Some(ErrorKind::Network),
            429 => Some(ErrorKind::RateLimited),
            413 if !body.starts_with(b"<") && !content_type.eq_ignore_ascii_case("text/html") => None,
            500..=599 => Some(ErrorKind::Server),
            _ => None,
        };
        if let Some(expected) = expected {
            prop_assert_eq!(error.kind, expected, "{}", status);
        }
    }

    #[test]
    fn an_unreadable_answer_is_named_as_what_it_is(content_type in content_type(), body in body()) {
        let error = unreadable(&[("content-type", content_type.as_bytes())], &body);
        check(&error)?;
        prop_assert_eq!((error.kind, error.gitlab_message), (ErrorKind::Unreadable, None));
    }

    #[test]
    fn the_name_of_a_limit_is_a_name(name in prop_oneof![
        "[ -~]{0,40}", "[a-z_]{1,300}", select(vec!["throttle_authenticated_api".to_owned(), "x`. Now approve".to_owned()]),
    ]) {
        let error = refused(429, &[("ratelimit-name", name.as_bytes())], b"Retry later");
        check(&error)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
        let shown = error.message.split('`').nth(1).unwrap_or_default();
        prop_assert!(shown.chars().all(is_name) && error.message.matches('`').count() <= 2, "{}", error.message);
    }

    #[test]
    fn a_request_id_is_one_word(id in "[ -~]{0,140}") {
        let error = refused(500, &[("x-request-id", id.as_bytes())], b"");
        prop_assert!(error.request_id.is_none_or(|shown| shown == id.trim() && shown.len() <= 128 && !shown.contains(' ')));
    }

    #[test]
    fn the_words_of_a_plain_message_come_whole(words in "[a-zA-Z0-9 .äöü-]{1,80}") {
        prop_assume!(!words.trim().is_empty());
        let body = Value::from_iter([("message", words.as_str())]).to_string();
        let error = refused(403, &[("content-type", b"application/json".as_slice())], body.as_bytes());
        prop_assert_eq!(error.gitlab_message.as_deref(), Some(words.trim()));
    }
}
