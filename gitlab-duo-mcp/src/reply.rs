//! Results in MCP's form: what a protocol revision can carry, within its bound.

use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::view::error::ErrorView;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::fit::fit;
use crate::limits::{ENVELOPE_BYTES, ERROR_BYTES, RESULT_BYTES};
use crate::text;
use crate::tools::revision::Revision;
use crate::tools::run::Answer;

/// The result of a call. Revisions that know structured results get the readable text beside one;
/// for older ones the text is all there is, so it carries the JSON.
pub(crate) fn reply(outcome: Result<Answer, DuoError>, revision: Revision) -> CallToolResult {
    match outcome {
        Ok(answer) => bounded(answer, revision),
        Err(error) => refused(&error, revision),
    }
}

fn bounded(answer: Answer, revision: Revision) -> CallToolResult {
    let Answer { structured, text, started: _ } = answer;
    // The text repeats what the structured result says: when there is room for one only, it yields.
    let first_line = text.lines().next().unwrap_or_default();
    let short = format!("{first_line}\nThe rest is in the structured result.");
    for text in [text, short] {
        let beside = if revision.has_structured() { json_text_bytes(&text) } else { 0 };
        let limit = RESULT_BYTES.saturating_sub(ENVELOPE_BYTES + beside);
        if let Some(structured) = fit(&structured, limit, |value| bytes(value, revision)) {
            return in_form(CallToolResult::success(Vec::new()), structured, text, revision);
        }
    }
    refused(&too_large(), revision)
}

fn refused(error: &DuoError, revision: Revision) -> CallToolResult {
    let view = ErrorView::of(error);
    let text = text::error::tell(&view);
    // A refusal repeats what was refused, and that may be long.
    let whole = fit(&json!({"error": view}), ERROR_BYTES, |value| bytes(value, revision));
    let structured = whole.unwrap_or_else(|| {
        let (kind, next_step) = (error.kind.name(), error.kind.next_step());
        json!({"error": {"kind": kind, "message": "the call was refused", "next_step": next_step}})
    });
    in_form(CallToolResult::error(Vec::new()), structured, text, revision)
}

fn in_form(empty: CallToolResult, structured: Value, text: String, revision: Revision) -> CallToolResult {
    let mut result = empty;
    if revision.has_structured() {
        result.content = vec![ContentBlock::text(text)];
        result.structured_content = Some(structured);
    } else {
        result.content = vec![ContentBlock::text(structured.to_string())];
    }
    result
}

/// Bytes of the structured result as it travels: in an old revision as JSON inside a JSON text.
fn bytes(value: &Value, revision: Revision) -> usize {
    let json = value.to_string();
    if revision.has_structured() { json.len() } else { json_text_bytes(&json) }
}

fn json_text_bytes(text: &str) -> usize {
    Value::from(text).to_string().len()
}

fn too_large() -> DuoError {
    DuoError::new(ErrorKind::TooLarge, "this result is larger than a tool result may be")
        .with_next_step("ask for a smaller page with `first`, or look at it in GitLab")
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
