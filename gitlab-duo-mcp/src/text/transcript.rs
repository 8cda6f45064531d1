//! A page of messages, as text.

use gitlab_duo_core::view::transcript::{MessageView, TranscriptView};

use crate::limits::CALL_CHARS;
use crate::text::lines::{Lines, inline, status};

/// The page: each message with what it says, as long as there is room.
pub(crate) fn tell(view: &TranscriptView) -> String {
    let mut lines = Lines::default();
    let total = view.total.map_or_else(|| "an unknown number of".to_owned(), |total| total.to_string());
    lines.say(&format!("Session {} ({}) has {total} messages.", view.workflow_id, status(&view.status)));
    for message in view.messages.iter().flatten() {
        lines.quote(&label(message), message.content.value().unwrap_or_default(), CALL_CHARS);
    }
    lines.page_end(&view.page_info);
    lines.close(&view.hints, &view.unavailable)
}

fn label(message: &MessageView) -> String {
    let kind = message.kind.value().map_or_else(String::new, inline);
    let tool = message.tool.value().map_or_else(String::new, |tool| format!(", tool {}", inline(tool)));
    format!("{}. {kind}{tool}", message.number)
}
