//! A session, as text.

use gitlab_duo_core::view::checkpoint::{PendingInputView, ToolCallsView};
use gitlab_duo_core::view::created::{CreatedView, LinksView};
use gitlab_duo_core::view::session::SessionView;

use crate::limits::{CALL_CHARS, CALLS_SHOWN, LINKS_SHOWN, QUOTE_CHARS};
use crate::text::lines::{Lines, inline, link, next_look, sentence, status};
use crate::text::tool_arguments::readable;

/// The session: what waits for a person first, then what came of it.
pub(crate) fn tell(view: &SessionView) -> String {
    let mut lines = Lines::default();
    lines.say(&format!(
        "Session {}: {}.{}",
        view.workflow_id,
        status(&view.status),
        next_look(view.poll_after_seconds)
    ));
    about(view, &mut lines);
    if let Some(pending) = &view.pending_input {
        tell_pending(pending, &mut lines);
    }
    if let Some(reason) = view.failure_reason.value() {
        lines.quote("Why it failed", reason, QUOTE_CHARS);
    }
    // A plan or question is often the latest answer, too: once is enough.
    let shown = view.pending_input.as_ref().map(|pending| [pending.plan.value(), pending.question.value()]);
    let is_new = |answer: &&str| !shown.into_iter().flatten().flatten().any(|text| text == *answer);
    if let Some(answer) = view.answer.value().filter(is_new) {
        lines.quote("Latest answer of the agent", answer, QUOTE_CHARS);
    }
    created(&view.created, &mut lines);
    lines.close(&view.hints, &view.unavailable)
}

fn about(view: &SessionView, lines: &mut Lines) {
    let fields = [
        ("flow", view.agent.value().or(view.flow.value()).map(inline)),
        ("project", view.project.as_deref().map(inline)),
        ("goal", view.goal.value().map(inline)),
    ];
    let known: Vec<_> =
        fields.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect();
    if !known.is_empty() {
        lines.say(&sentence(&known.join(", ")));
    }
    lines.page(view.web_url.value());
    if view.agent_began == Some(false) {
        lines.say("The agent has not begun.");
    }
}

fn tell_pending(pending: &PendingInputView, lines: &mut Lines) {
    let can = match pending.can_send {
        Some(true) => "it can be answered now",
        Some(false) => "it cannot be answered now",
        None => "whether it can be answered now is unknown",
    };
    let why = pending.why_not.as_deref().map_or_else(String::new, |why| format!(": {why}"));
    lines.say(&sentence(&format!("waits for a person ({}); {can}{why}", pending.kind)));
    if let Some(question) = pending.question.value() {
        lines.quote("It asks", question, QUOTE_CHARS);
    }
    if let Some(plan) = pending.plan.value() {
        lines.quote("Its plan", plan, QUOTE_CHARS);
    }
    tool_calls(pending, lines);
    lines.say(&sentence(&format!("how to answer: {}", pending.how_to_answer)));
}

fn tool_calls(pending: &PendingInputView, lines: &mut Lines) {
    let calls = match &pending.tool_calls {
        ToolCallsView::NotOfThisKind => return,
        ToolCallsView::Unknown => return lines.say("Which tool calls are pending is unknown."),
        ToolCallsView::Calls(calls) => calls,
    };
    for call in calls.iter().take(CALLS_SHOWN) {
        let name = call.name.value().map_or_else(|| "(no name)".to_owned(), inline);
        let arguments = call.arguments.value().map_or_else(|| "unknown".to_owned(), readable);
        lines.quote(&format!("Pending tool call {name}"), &arguments, CALL_CHARS);
    }
    let more = calls.len().saturating_sub(CALLS_SHOWN) + pending.tool_calls_not_shown;
    if more > 0 {
        lines.say(&format!("{more} more tool calls are pending; one decision answers all of them."));
    }
}

fn created(created: &CreatedView, lines: &mut Lines) {
    let kinds = [
        ("merge requests", &created.merge_requests),
        ("work items", &created.work_items),
        ("notes", &created.notes),
    ];
    for (name, links) in kinds {
        if let Some(links) = links.as_ref().filter(|links| !links.items.is_empty() || links.hidden > 0) {
            lines.say(&kind(name, links));
        }
    }
}

fn kind(name: &str, links: &LinksView) -> String {
    let urls = links.items.iter().filter_map(|item| item.web_url.value().map(link)).take(LINKS_SHOWN);
    let urls = urls.collect::<Vec<_>>().join(", ");
    let more = if links.has_more == Some(true) { " or more" } else { "" };
    let hidden = match links.hidden {
        0 => String::new(),
        hidden => format!(" ({hidden} more are not visible to you)"),
    };
    format!("Created {name}: {}{more}{hidden} {urls}", links.items.len())
}
