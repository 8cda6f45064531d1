//! The arguments of a pending tool call, one line each, for the person who decides about it.

use serde_json::Value;

/// One line per argument, as `name: value`; of an argument with parts one line per part, as `name.part: value`. Texts
/// keep their quotation marks and escapes, so that no value can look like another line. What is no JSON, also because
/// it was cut, stays as it came.
pub(crate) fn readable(arguments: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(arguments) else { return arguments.to_owned() };
    let mut lines = Vec::new();
    tell("", &value, &mut lines);
    lines.join("\n")
}

fn tell(path: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(parts) if !parts.is_empty() => {
            parts.iter().for_each(|(name, part)| tell(&below(path, &plain(name)), part, lines));
        }
        Value::Array(parts) if parts.iter().any(has_parts) => {
            parts.iter().zip(1..).for_each(|(part, number)| {
                tell(&below(path, &number.to_string()), part, lines);
            });
        }
        // Without quotation of its own: a list of texts and numbers is short and readable as it is.
        _ if path.is_empty() => lines.push(value.to_string()),
        _ => lines.push(format!("{path}: {value}")),
    }
}

fn has_parts(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The name as it is when it is a word, quoted otherwise.
fn plain(name: &str) -> String {
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    if is_word { name.to_owned() } else { Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_argument_has_its_line_and_no_value_looks_like_another() {
        let rows = [
            (r#"{"program":"ls","args":["-l","-a"]}"#, "args: [\"-l\",\"-a\"]\nprogram: \"ls\""),
            (r#"{"text":"a\nprogram: rm"}"#, r#"text: "a\nprogram: rm""#),
            (r#"{"a\nb: c":1,"d.e":2}"#, "\"a\\nb: c\": 1\n\"d.e\": 2"),
            (r#"{"a":{"b":{"c":null}},"d":{}}"#, "a.b.c: null\nd: {}"),
            (r#"[{"a":1},[2]]"#, "1.a: 1\n2: [2]"),
            (r#"{"a":"{\"b\":1}"}"#, r#"a: "{\"b\":1}""#),
            ("null", "null"),
            ("{}", "{}"),
            (r#""only text""#, r#""only text""#),
            (r#"{"cut":"he"#, r#"{"cut":"he"#),
            ("", ""),
        ];
        for (arguments, expected) in rows {
            assert_eq!(readable(arguments), expected, "{arguments}");
        }
    }
}
