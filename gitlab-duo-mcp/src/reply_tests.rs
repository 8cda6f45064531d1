//! The forms of a result and their bound.

use gitlab_duo_core::rules::limits::{ANSWER_CHARS, CREATED_ITEMS, GOAL_PREVIEW_CHARS, LINK_CHARS};

use super::*;
use crate::limits::TEXT_BYTES;

fn size(result: &CallToolResult) -> usize {
    serde_json::to_string(result).unwrap().len()
}

fn answer(structured: Value) -> Answer {
    Answer { structured, text: "\"".repeat(TEXT_BYTES), started: None }
}

#[test]
fn the_text_stands_beside_the_structured_result_or_carries_it() {
    let answer =
        || Answer { structured: json!({"workflow_id": "73"}), text: "Session 73.".to_owned(), started: None };
    let new = serde_json::to_value(reply(Ok(answer()), Revision::Structured)).unwrap();
    assert_eq!(new["content"][0]["text"], "Session 73.");
    assert_eq!(new["structuredContent"]["workflow_id"], "73");
    assert_eq!(new["isError"], false);
    for revision in [Revision::Plain, Revision::Hints] {
        let old = serde_json::to_value(reply(Ok(answer()), revision)).unwrap();
        assert_eq!(old["content"][0]["text"], r#"{"workflow_id":"73"}"#);
        assert_eq!(old.get("structuredContent"), None);
    }
}

#[test]
fn a_refusal_is_an_error_with_a_sentence_and_a_next_step() {
    let error = DuoError::invalid("`goal` is missing");
    let result = serde_json::to_value(reply(Err(error), Revision::Structured)).unwrap();
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["error"]["kind"], "invalid_arguments");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, "`goal` is missing.\nNext: Correct the arguments named above and call again.");
}

#[test]
fn every_result_stays_within_its_bound() {
    let wide = |chars: usize| "\u{1f600}".repeat(chars);
    let session = json!({
        "answer": wide(ANSWER_CHARS), "summary": wide(1_000),
        "pending_input": {"question": wide(4_000), "plan": wide(4_000),
            "tool_calls": vec![json!({"name": wide(200), "arguments": wide(320)}); 50]},
        "created": {"merge_requests": {"items":
            vec![json!({"title": wide(200), "web_url": "x".repeat(LINK_CHARS / 2)}); CREATED_ITEMS]}},
    });
    let row = json!({"workflow_id": "73", "goal": wide(GOAL_PREVIEW_CHARS), "web_url": "x".repeat(200)});
    let page = json!({"sessions": vec![row; 100]});
    let row = json!({"workflow_id": "73", "project": "x".repeat(200), "web_url": "x".repeat(300)});
    let deep_paths = json!({"sessions": vec![row; 100]});
    for revision in [Revision::Plain, Revision::Structured] {
        for structured in [session.clone(), page.clone(), deep_paths.clone()] {
            let result = reply(Ok(answer(structured)), revision);
            assert_eq!(result.is_error, Some(false));
            assert!(size(&result) <= RESULT_BYTES, "{}", size(&result));
        }
    }
}

#[test]
fn what_cannot_be_made_small_enough_is_said_to_be_too_large() {
    let links = json!({"job_logs": vec!["x".repeat(1_000); 100]});
    let result = serde_json::to_value(reply(Ok(answer(links)), Revision::Structured)).unwrap();
    assert_eq!(result["structuredContent"]["error"]["kind"], "too_large");
}

#[test]
fn a_refusal_that_repeats_a_long_text_is_short() {
    let error = DuoError::invalid(format!("flow `{}` is not enabled", "x".repeat(1_000_000)));
    for revision in [Revision::Plain, Revision::Structured] {
        let result = reply(Err(error.clone()), revision);
        assert!(size(&result) <= 2 * ERROR_BYTES, "{}", size(&result));
    }
}
