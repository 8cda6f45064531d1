//! GitLab's own words in an error body, in every shape they come in.

use gitlab_duo_core::rules::clip::clip;
use serde_json::Value;

/// Characters of GitLab's words that are kept; callers are shown less.
const WORDS_CHARS: usize = 4_000;
/// Characters of the title of a web page.
const TITLE_CHARS: usize = 200;
/// Levels of a nested message that are read.
const DEPTH: u8 = 6;

/// What an error body says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    /// The words, as one text.
    pub(crate) text: Option<String>,
    /// The scope or permission that is needed.
    pub(crate) required: Option<String>,
    /// The code beside the description, as in `insufficient_scope`.
    pub(crate) code: Option<String>,
    /// GitLab's answer for a path that it does not serve: `error` instead of `message`.
    pub(crate) is_no_route: bool,
}

/// Reads a body that is not a web page.
pub(crate) fn of_body(body: &[u8]) -> Words {
    match serde_json::from_slice::<Value>(body) {
        Ok(Value::Object(fields)) => of_object(&fields),
        Ok(other) => Words { text: flattened(&other), ..Words::default() },
        Err(_) => Words { text: bounded(&String::from_utf8_lossy(body)), ..Words::default() },
    }
}

/// The title of a web page.
pub(crate) fn of_page(body: &[u8]) -> Words {
    let page = String::from_utf8_lossy(body.get(..body.len().min(16 * 1024)).unwrap_or_default());
    let lower = page.to_ascii_lowercase();
    let title = || {
        let open = lower.find("<title")?;
        let start = open + lower.get(open..)?.find('>')? + 1;
        let end = start + lower.get(start..)?.find("</title")?;
        page.get(start..end)
    };
    let title = title().map(|title| clip(title.trim(), TITLE_CHARS).text);
    Words { text: title.filter(|title| !title.is_empty()), ..Words::default() }
}

fn of_object(fields: &serde_json::Map<String, Value>) -> Words {
    let error = fields.get("error").and_then(Value::as_str);
    let description = fields.get("error_description").and_then(flattened);
    let text = match (fields.get("message").and_then(flattened), error, description) {
        (Some(message), _, _) => Some(message),
        (None, Some(error), Some(description)) => bounded(&format!("{error}: {description}")),
        (None, Some(error), None) => bounded(error),
        (None, None, description) => description
            .or_else(|| fields.get("error").and_then(flattened))
            .or_else(|| fields.get("errors").and_then(flattened)),
    };
    Words {
        text,
        required: fields.get("scope").and_then(flattened),
        code: error.filter(|_| fields.contains_key("error_description")).and_then(bounded),
        is_no_route: error == Some("404 Not Found"),
    }
}

/// One text of a text, a list or an object, outermost first.
fn flattened(value: &Value) -> Option<String> {
    bounded(&joined(value, DEPTH))
}

fn joined(value: &Value, depth: u8) -> String {
    if depth == 0 {
        return String::new();
    }
    let parts: Vec<String> = match value {
        Value::Null => return String::new(),
        Value::String(text) => return text.trim().to_owned(),
        Value::Bool(_) | Value::Number(_) => return value.to_string(),
        Value::Array(items) => items.iter().map(|item| joined(item, depth - 1)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match (name.as_str(), joined(value, depth - 1)) {
                ("locations" | "path" | "extensions", _) => String::new(),
                ("message" | "error" | "base", text) => text,
                (_, text) if text.is_empty() => text,
                (name, text) => format!("{name}: {text}"),
            };
            fields.iter().map(field).collect()
        }
    };
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn bounded(text: &str) -> Option<String> {
    let text = clip(text.trim(), WORDS_CHARS).text;
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Option<&str>) {
        assert_eq!(of_body(body.as_bytes()).text.as_deref(), expected, "{body}");
    }

    #[test]
    fn every_shape_of_a_message_becomes_one_text() {
        check(r#"{"message":"403 Forbidden - reason"}"#, Some("403 Forbidden - reason"));
        check(r#"{"message":["a","b"]}"#, Some("a; b"));
        check(r#"{"message":{"goal":["is too long","is odd"]}}"#, Some("goal: is too long; is odd"));
        check(r#"{"message":{"error":"too many times"}}"#, Some("too many times"));
        check(r#"{"message":{"base":["limit reached"]}}"#, Some("limit reached"));
        check(r#"{"error":"human_approval is missing"}"#, Some("human_approval is missing"));
        check(r#"{"errors":[{"message":"Invalid token"}]}"#, Some("Invalid token"));
        check(r#"{"errors":["a",{"message":"b","path":["x"]}]}"#, Some("a; b"));
        check("Retry later\n", Some("Retry later"));
        check(r#""a text""#, Some("a text"));
        check(r#"{"message":null}"#, None);
        check("{}", None);
        check("", None);
        check(r#"{"message":"cut of"#, Some(r#"{"message":"cut of"#));
    }

    #[test]
    fn a_scope_refusal_names_what_is_needed() {
        let body = r#"{"error":"insufficient_scope","error_description":"More is needed.","scope":"api"}"#;
        let words = of_body(body.as_bytes());
        assert_eq!(words.text.as_deref(), Some("insufficient_scope: More is needed."));
        assert_eq!(words.required.as_deref(), Some("api"));
        assert_eq!(words.code.as_deref(), Some("insufficient_scope"));
    }

    #[test]
    fn an_unserved_path_is_told_from_a_missing_record() {
        assert!(of_body(br#"{"error":"404 Not Found"}"#).is_no_route);
        assert!(!of_body(br#"{"message":"404 Not found"}"#).is_no_route);
    }

    #[test]
    fn of_a_page_only_the_title_is_kept() {
        let page =
            "<!DOCTYPE html><html><head><TITLE >\n Waiting for GitLab to boot </TITLE></head><body>x</body>";
        assert_eq!(of_page(page.as_bytes()).text.as_deref(), Some("Waiting for GitLab to boot"));
        assert_eq!(of_page(b"<html><body>no title").text, None);
        assert_eq!(of_page("<html><title>ä".as_bytes()).text, None);
    }

    #[test]
    fn long_words_end_whatever_they_stand_in() {
        let long = "x".repeat(WORDS_CHARS + 1);
        for body in [
            long.clone(),
            format!(r#"{{"message":"{long}"}}"#),
            format!(r#"{{"error":"{long}","error_description":"y"}}"#),
            format!(r#"{{"error":"y","error_description":"{long}"}}"#),
            format!(r#"{{"{long}":"y","errors":["{long}"]}}"#),
        ] {
            let words = of_body(body.as_bytes());
            assert!(words.text.is_some_and(|text| text.len() <= WORDS_CHARS));
            assert!(words.code.is_none_or(|code| code.len() <= WORDS_CHARS));
        }
    }

    #[test]
    fn endless_nesting_ends() {
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        check(&format!(r#"{{"message":{deep}}}"#), None);
    }
}
