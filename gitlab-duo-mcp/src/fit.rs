//! Keeps a structured result within its bytes. Core bounds each text in characters; a page of long
//! texts in a script of four bytes per character may still be too much, and is cut further here.

use gitlab_duo_core::rules::clip::{Clipped, clip};
use serde_json::{Map, Value};

/// Characters that texts are cut to, step by step, until the result fits.
const STEPS: [usize; 6] = [2_000, 1_000, 500, 250, 120, 60];
/// Characters below which a text says nothing any more.
const SHORTEST: usize = 24;

/// Texts that others wrote. Ids, selectors, cursors and links are never cut: a part of one is worth nothing.
const TEXTS: [&str; 16] = [
    "answer",
    "arguments",
    "body",
    "content",
    "description",
    "failure_reason",
    "gitlab_message",
    "goal",
    "message",
    "name",
    "next_step",
    "plan",
    "question",
    "summary",
    "title",
    "why_not",
];

/// What is said when even short texts leave too much.
const LINKS_LEFT_OUT: &str = "links of the rows are left out to keep this result small: get shows them";
const SESSION_LINKS_LEFT_OUT: &str =
    "links to what it created and to its jobs are left out to keep this result small: its page has them";
const MESSAGES_STRIPPED: &str =
    "tools, statuses and times are left out to keep this result small: a smaller `first` shows them";

/// The result, cut until `bytes` of it are at most `limit`; none when even its shortest form is larger.
pub(crate) fn fit(result: &Value, limit: usize, bytes: impl Fn(&Value) -> usize) -> Option<Value> {
    if bytes(result) <= limit {
        return Some(result.clone());
    }
    let cut = |chars| {
        let mut shorter = result.clone();
        shorten(&mut shorter, chars);
        shorter
    };
    let bare = || {
        let mut shorter = cut(SHORTEST);
        if let Value::Object(fields) = &mut shorter {
            strip_rows(fields);
            strip_session(fields);
            strip_messages(fields);
        }
        shorter
    };
    let steps = STEPS.into_iter().chain([SHORTEST]).map(cut);
    steps.chain(std::iter::once_with(bare)).find(|shorter| bytes(shorter) <= limit)
}

/// The last resort for a page of sessions: no row may go, since the cursor lies behind all of them.
fn strip_rows(result: &mut Map<String, Value>) {
    let Some(Value::Array(rows)) = result.get_mut("sessions") else { return };
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        remove_text(row, "web_url");
        // In a row these only tell what it is; nothing is called with them.
        shorten_fields(row, &["agent", "flow", "status"], SHORTEST);
    }
    add_hint(result, LINKS_LEFT_OUT);
}

/// The last resort for a session: what waits for a person stays, and of what it created number and title.
fn strip_session(result: &mut Map<String, Value>) {
    let Some(Value::Object(created)) = result.get_mut("created") else { return };
    let lists = created.values_mut().filter_map(|links| links.get_mut("items")?.as_array_mut());
    for item in lists.flatten().filter_map(Value::as_object_mut) {
        remove_text(item, "web_url");
        shorten_fields(item, &["state"], SHORTEST);
    }
    if let Some(Value::Array(job_logs)) = result.get_mut("job_logs") {
        job_logs.clear();
    }
    add_hint(result, SESSION_LINKS_LEFT_OUT);
}

/// The last resort for a transcript: no message may go, since the cursor lies before all of them.
fn strip_messages(result: &mut Map<String, Value>) {
    let Some(Value::Array(messages)) = result.get_mut("messages") else { return };
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["tool", "arguments", "status", "timestamp"] {
            remove_text(message, name);
        }
        shorten_fields(message, &["kind"], SHORTEST);
    }
    add_hint(result, MESSAGES_STRIPPED);
}

fn remove_text(fields: &mut Map<String, Value>, name: &str) {
    for name in [name.to_owned(), format!("{name}_truncated"), format!("{name}_chars")] {
        fields.remove(&name);
    }
}

fn add_hint(result: &mut Map<String, Value>, hint: &str) {
    let hints = result.entry("hints").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(hints) = hints {
        hints.push(Value::from(hint));
    }
}

fn shorten(value: &mut Value, chars: usize) {
    match value {
        Value::Object(fields) => shorten_fields(fields, &TEXTS, chars),
        Value::Array(items) => items.iter_mut().for_each(|item| shorten(item, chars)),
        _ => {}
    }
}

fn shorten_fields(fields: &mut Map<String, Value>, texts: &[&str], chars: usize) {
    let mut marks = Vec::new();
    for (name, value) in fields.iter_mut() {
        match value {
            Value::String(text) if texts.contains(&name.as_str()) => {
                let Clipped { text: kept, full_chars: Some(full) } = clip(text, chars) else { continue };
                *text = kept;
                marks.push((name.clone(), full));
            }
            other => shorten(other, chars),
        }
    }
    for (name, full) in marks {
        fields.insert(format!("{name}_truncated"), Value::Bool(true));
        // A text that core has cut already keeps the length it had before that.
        fields.entry(format!("{name}_chars")).or_insert_with(|| full.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bytes(value: &Value) -> usize {
        value.to_string().len()
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let result = json!({"goal": "tidy up"});
        assert_eq!(fit(&result, 100, bytes), Some(result));
    }

    #[test]
    fn long_texts_are_cut_and_marked_and_keep_their_first_length() {
        let result = json!({"sessions": [
            {"workflow_id": "7".repeat(300), "goal": "x".repeat(900)},
            {"goal": "y".repeat(900), "goal_truncated": true, "goal_chars": 5_000},
        ]});
        let fitted = fit(&result, 1_300, bytes).unwrap();
        assert_eq!(fitted["sessions"][0]["workflow_id"].as_str().unwrap().len(), 300);
        assert_eq!(fitted["sessions"][0]["goal"].as_str().unwrap().len(), 250);
        assert_eq!(fitted["sessions"][0]["goal_chars"], 900);
        assert_eq!(fitted["sessions"][1]["goal_chars"], 5_000);
        assert_eq!(fitted["sessions"][1]["goal_truncated"], true);
    }

    #[test]
    fn what_cannot_be_cut_enough_is_said_to_be_too_large() {
        assert_eq!(fit(&json!({"job_logs": ["x".repeat(900)]}), 500, bytes), None);
    }

    #[test]
    fn links_of_rows_go_last_and_that_is_said() {
        let rows = json!({"sessions": [{"workflow_id": "73", "web_url": "x".repeat(900)}]});
        let fitted = fit(&rows, 500, bytes).unwrap();
        assert_eq!(fitted["sessions"], json!([{"workflow_id": "73"}]));
        assert_eq!(fitted["hints"], json!([LINKS_LEFT_OUT]));
    }

    #[test]
    fn a_page_of_messages_keeps_every_message() {
        let message = |number| {
            json!({"number": number, "kind": "tool", "content": "中".repeat(500), "tool": "run_command",
                "arguments": "中".repeat(500), "status": "success", "timestamp": "x".repeat(200)})
        };
        let page = json!({"messages": [message(1), message(2)]});
        let fitted = fit(&page, 1_800, bytes).unwrap();
        assert_eq!(fitted["messages"][1]["content"].as_str().unwrap().chars().count(), 60);
        assert_eq!(fitted["messages"][1]["arguments_chars"], 500);
        let fitted = fit(&page, 520, bytes).unwrap();
        assert_eq!(fitted["messages"].as_array().unwrap().len(), 2);
        let kept: Vec<_> = fitted["messages"][1].as_object().unwrap().keys().collect();
        assert_eq!(kept, ["content", "content_chars", "content_truncated", "kind", "number"]);
        assert_eq!(fitted["hints"], json!([MESSAGES_STRIPPED]));
    }

    #[test]
    fn a_session_keeps_what_waits_and_loses_its_links_last() {
        let item = json!({"iid": "7", "title": "t", "web_url": "x".repeat(900)});
        let links = json!({"items": [item], "has_more": false, "hidden": 0});
        let session = json!({"workflow_id": "73", "pending_input": {"kind": "input", "question": "Which?"},
            "created": {"merge_requests": links, "notes": null}, "job_logs": ["y".repeat(900)]});
        let fitted = fit(&session, 500, bytes).unwrap();
        assert_eq!(fitted["pending_input"], session["pending_input"]);
        assert_eq!(fitted["created"]["merge_requests"]["items"], json!([{"iid": "7", "title": "t"}]));
        assert_eq!((&fitted["job_logs"], &fitted["hints"]), (&json!([]), &json!([SESSION_LINKS_LEFT_OUT])));
    }
}
