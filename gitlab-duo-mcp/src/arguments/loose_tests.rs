//! What models and frameworks send, and what is made of it.

use serde_json::json;

use super::*;

/// What `read` makes of `{"x": value}`: the value, or the refusal's sentence.
fn check<T: std::fmt::Debug>(
    value: &Value,
    read: impl Fn(&Loose<'_>) -> Result<T, DuoError>,
) -> Result<String, String> {
    let mut values = Map::new();
    values.insert("x".to_owned(), value.clone());
    read(&Loose::new(&values)).map(|read| format!("{read:?}")).map_err(|error| error.message)
}

#[test]
fn null_blank_and_absence_are_not_given() {
    for value in [json!(null), json!(""), json!("  ")] {
        assert_eq!(
            check(&value, |loose| loose.text("x").map(|text| text.map(str::to_owned))),
            Ok("None".to_owned())
        );
        assert_eq!(
            check(&value, |loose| loose.word("x").map(|text| text.map(str::to_owned))),
            Ok("None".to_owned())
        );
        assert_eq!(check(&value, |loose| loose.id_text("x")), Ok("None".to_owned()));
        assert_eq!(check(&value, |loose| loose.flag("x")), Ok("None".to_owned()));
        assert_eq!(check(&value, |loose| loose.choice("x", &["a"], str::to_owned)), Ok("None".to_owned()));
        assert_eq!(check(&value, |loose| loose.choices("x", &["a"], str::to_owned)), Ok("[]".to_owned()));
        assert_eq!(
            check(&value, |loose| loose.text("y").map(|text| text.map(str::to_owned))),
            Ok("None".to_owned())
        );
    }
}

#[test]
fn ids_are_understood_as_text_and_as_numbers() {
    let rows = [
        (json!("73"), Ok("73")),
        (json!(73), Ok("73")),
        (json!(73.0), Ok("73")),
        (json!("9007199254740993"), Ok("9007199254740993")),
        (json!(9_007_199_254_740_993_u64), Ok("9007199254740993")),
        (json!(-1), Ok("-1")),
        (json!(" acme/api "), Ok(" acme/api ")),
        (json!(73.5), Err("`x` must be text or a whole number, not a number")),
        (json!(1e20), Err("`x` must be text or a whole number, not a number")),
        (json!(true), Err("`x` must be text or a whole number, not true or false")),
        (json!(["73"]), Err("`x` must be text or a whole number, not a list")),
        (json!({"id": 73}), Err("`x` must be text or a whole number, not an object")),
        (json!("null"), Err("`x` is the word `null`, which names nothing")),
        (json!("None"), Err("`x` is the word `None`, which names nothing")),
        (json!("undefined"), Err("`x` is the word `undefined`, which names nothing")),
    ];
    for (value, expected) in rows {
        let expected = expected.map(|text| format!("Some({text:?})")).map_err(str::to_owned);
        assert_eq!(check(&value, |loose| loose.id_text("x")), expected, "{value}");
    }
}

#[test]
fn a_flag_is_read_from_true_and_false_only() {
    let rows = [
        (json!(true), Some("Some(true)")),
        (json!(false), Some("Some(false)")),
        (json!("true"), Some("Some(true)")),
        (json!(" FALSE "), Some("Some(false)")),
        (json!(1), None),
        (json!(0), None),
        (json!("yes"), None),
        (json!("null"), None),
    ];
    for (value, expected) in rows {
        assert_eq!(check(&value, |loose| loose.flag("x")).ok().as_deref(), expected, "{value}");
    }
}

#[test]
fn several_names_come_as_a_list_as_json_text_or_with_commas() {
    let rows = [
        (json!(["a", "b"]), Ok(r#"["a", "b"]"#)),
        (json!(r#"["a","b"]"#), Ok(r#"["a", "b"]"#)),
        (json!("a, B ,"), Ok(r#"["a", "b"]"#)),
        (json!([]), Ok("[]")),
        (json!(["a", ""]), Ok(r#"["a"]"#)),
        (json!(["c"]), Err("`x` is `c`: it must be one of `a`, `b`")),
        (json!(["a", null]), Err("`x` must be a list of texts, or one text with commas, not null")),
        (json!("[a"), Err("`x` is no readable list: give a list of texts, or one text with commas")),
        (json!(7), Err("`x` must be a list of texts, or one text with commas, not a number")),
    ];
    for (value, expected) in rows {
        let read = |loose: &Loose<'_>| loose.choices("x", &["a", "b"], str::to_owned);
        assert_eq!(check(&value, read), expected.map(str::to_owned).map_err(str::to_owned), "{value}");
    }
}

#[test]
fn a_page_has_one_to_a_hundred_rows() {
    let rows = [
        (json!(null), Some(20)),
        (json!(""), Some(20)),
        (json!(1), Some(1)),
        (json!("100"), Some(100)),
        (json!(5.0), Some(5)),
        (json!(0), None),
        (json!(101), None),
        (json!(-3), None),
        (json!("ten"), None),
        (json!([20]), None),
    ];
    for (value, expected) in rows {
        let mut values = Map::new();
        values.insert("first".to_owned(), value.clone());
        assert_eq!(Loose::new(&values).page_size().ok().map(PageSize::rows), expected, "{value}");
    }
}

#[test]
fn an_echo_stays_short_and_closed() {
    assert_eq!(echo("a`b\nc\u{202e}"), "`a'b c`");
    assert_eq!(echo(&"x".repeat(500)).len(), ECHO_CHARS + 2);
}
