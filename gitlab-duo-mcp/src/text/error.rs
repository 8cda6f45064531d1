//! A refusal or failure, as text.

use gitlab_duo_core::view::error::ErrorView;

use crate::limits::QUOTE_CHARS;
use crate::text::lines::{Lines, sentence};

/// One plain sentence, what to do next, and GitLab's own words apart from both.
pub(crate) fn tell(view: &ErrorView) -> String {
    let mut lines = Lines::default();
    lines.say(&sentence(&view.message));
    if let Some(seconds) = view.retry_after_seconds {
        lines.say(&format!("Wait {seconds} seconds."));
    }
    lines.say(&format!("Next: {}", sentence(&view.next_step)));
    if let Some(id) = &view.workflow_id {
        lines.say(&format!("Session: {id}."));
    }
    if let Some(words) = view.gitlab_message.value() {
        lines.quote("GitLab says", words, QUOTE_CHARS);
    }
    lines.close(&[], &[])
}
