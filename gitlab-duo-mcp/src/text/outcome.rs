//! What became of a write, as text.

use gitlab_duo_core::view::outcome::{DryRunView, OutcomeView, WouldStartView};

use crate::limits::QUOTE_CHARS;
use crate::text::lines::{Lines, inline, next_look, status};

/// A start.
pub(crate) fn started(view: &OutcomeView) -> String {
    tell(view, "Started session")
}

/// An answer.
pub(crate) fn answered(view: &OutcomeView) -> String {
    tell(view, "Sent the decision to session")
}

/// A stop, or the news that there was nothing left to stop.
pub(crate) fn stopped(view: &OutcomeView) -> String {
    match view.sent {
        Some(false) => tell(view, "Nothing was sent to session"),
        _ => tell(view, "Stopped session"),
    }
}

/// A start that was only checked.
pub(crate) fn planned(view: &DryRunView) -> String {
    let mut lines = Lines::default();
    let WouldStartView { project_id, ai_catalog_item_consumer_id, workflow_definition, .. } =
        &view.would_start;
    let what = match (ai_catalog_item_consumer_id, workflow_definition) {
        (Some(consumer), _) => format!("consumer {consumer}"),
        (None, Some(agent)) => format!("agent {}", inline(agent)),
        (None, None) => "nothing".to_owned(),
    };
    lines.say(&format!("Nothing was started: every check passed for {what} in project {project_id}."));
    if let Some(branch) = view.would_start.source_branch.value() {
        lines.say(&format!("It would start from branch {}.", inline(branch)));
    }
    if let Some(goal) = view.would_start.goal.value() {
        lines.say(&format!("Its goal: {}.", inline(goal)));
    }
    lines.say("Call again without dry_run to start it.");
    lines.close(&view.hints, &[])
}

fn tell(view: &OutcomeView, what: &str) -> String {
    let mut lines = Lines::default();
    let state = status(&view.status);
    let look = next_look(view.poll_after_seconds);
    lines.say(&format!("{what} {}: {state}.{look}", view.workflow_id));
    if let Some(flow) = view.flow.value() {
        lines.say(&format!("Flow {}.", inline(flow)));
    }
    lines.page(view.web_url.value());
    if let Some(message) = view.message.value() {
        lines.quote("GitLab's message", message, QUOTE_CHARS);
    }
    lines.close(&view.hints, &[])
}
