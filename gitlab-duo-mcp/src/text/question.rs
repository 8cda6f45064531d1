//! What a person is asked before a write: exactly what is pending, bounded, foreign text marked.

use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::rules::limits::{HUMAN_MESSAGE_CHARS, QUESTION_CHARS, TOOL_CALL_CHARS};
use gitlab_duo_core::view::checkpoint::{PendingInputView, ToolCallsView};
use gitlab_duo_core::view::outcome::{DryRunView, WouldStartView};
use gitlab_duo_core::view::session::SessionView;

use crate::limits::QUESTION_CALLS_BYTES;
use crate::text::lines::{Lines, inline, status};

/// Before an answer.
pub(crate) fn answer(view: &SessionView, input: &HumanInput) -> String {
    let mut lines = Lines::question();
    let id = &view.workflow_id;
    match input {
        HumanInput::Approve => lines.say(&format!("Approve what GitLab Duo session {id} wants to do?")),
        HumanInput::Reply(None) => lines.say(&format!("Reject what GitLab Duo session {id} wants to do?")),
        HumanInput::Reply(Some(message)) => {
            lines.say(&format!("Send this to GitLab Duo session {id}?"));
            lines.own("The message", message, HUMAN_MESSAGE_CHARS);
        }
    }
    about(view, &mut lines);
    if let Some(view) = &view.pending_input {
        pending(view, &mut lines);
    }
    lines.say(
        "Accept to send it once; decline, and nothing is sent. The session goes on either way you answer it.",
    );
    lines.close(&[], &[])
}

/// Before a stop.
pub(crate) fn stop(view: &SessionView) -> String {
    let mut lines = Lines::question();
    lines.say(&format!("Stop GitLab Duo session {} for good?", view.workflow_id));
    about(view, &mut lines);
    lines.say(&format!("It is {}. What it has changed so far stays.", status(&view.status)));
    lines.say("Accept to stop it; decline, and it goes on.");
    lines.close(&[], &[])
}

/// Before a start.
pub(crate) fn start(view: &DryRunView, goal: Option<&str>) -> String {
    let mut lines = Lines::question();
    let WouldStartView { project_id, ai_catalog_item_consumer_id, workflow_definition, .. } =
        &view.would_start;
    let what = match (ai_catalog_item_consumer_id, workflow_definition) {
        (Some(consumer), _) => format!("consumer {consumer}"),
        (None, agent) => format!("agent {}", inline(agent.as_deref().unwrap_or("unknown"))),
    };
    lines.say(&format!(
        "Start a GitLab Duo session of {what} in project {project_id}? It uses credits and can change the project."
    ));
    // The whole goal as it was written; a page that a flow works on is shown as it was resolved.
    if let Some(goal) = goal.or(view.would_start.goal.value()) {
        lines.own("Its goal", goal, QUESTION_CHARS);
    }
    if let Some(branch) = view.would_start.source_branch.value() {
        lines.say(&format!("It starts from branch {}.", inline(branch)));
    }
    lines.say("Accept to start it once; decline, and nothing is started.");
    lines.close(&view.hints, &[])
}

/// What waits for a person in a session that runs as a task.
pub(crate) fn checkpoint(view: &SessionView) -> String {
    let mut lines = Lines::question();
    lines.say(&format!("GitLab Duo session {} waits for a person.", view.workflow_id));
    about(view, &mut lines);
    if let Some(view) = &view.pending_input {
        pending(view, &mut lines);
    }
    lines.say("Nothing is sent when you decline. A rejection or an answer does not stop the session.");
    lines.close(&[], &[])
}

fn about(view: &SessionView, lines: &mut Lines) {
    let fields = [
        ("flow", view.agent.value().or(view.flow.value())),
        ("project", view.project.as_deref()),
        ("goal", view.goal.value()),
    ];
    let known = fields.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", inline(value?))));
    let known: Vec<_> = known.collect();
    if !known.is_empty() {
        lines.say(&format!("Its {}.", known.join(", ")));
    }
    lines.page(view.web_url.value());
}

/// Characters of one call's arguments, so that all calls have room in one question.
fn share(arguments: &str, calls: usize) -> usize {
    let bytes_per_char = arguments.len().div_ceil(arguments.chars().count().max(1)).max(1);
    QUESTION_CALLS_BYTES / calls.max(1) / bytes_per_char
}

fn pending(view: &PendingInputView, lines: &mut Lines) {
    if let Some(plan) = view.plan.value() {
        lines.quote("Its plan", plan, QUESTION_CHARS);
    }
    if let Some(question) = view.question.value() {
        lines.quote("It asks", question, QUESTION_CHARS);
    }
    let calls = match &view.tool_calls {
        ToolCallsView::NotOfThisKind => return,
        ToolCallsView::Unknown => {
            return lines.say("Which tool calls are pending is unknown here: look at its page first.");
        }
        ToolCallsView::Calls(calls) => calls,
    };
    lines.say(&format!(
        "Pending tool calls: {}. One decision is for all of them.",
        calls.len() + view.tool_calls_not_shown
    ));
    for (number, call) in calls.iter().enumerate() {
        let name = call.name.value().map_or_else(|| "(no name)".to_owned(), inline);
        let arguments = call.arguments.value().unwrap_or("unknown");
        let chars = TOOL_CALL_CHARS.min(share(arguments, calls.len()));
        lines.quote(&format!("{}. {name}", number + 1), arguments, chars);
        if let Some(full) = call.arguments.full_chars() {
            lines.say(&format!("(of {full} characters; all of them are on the session's page)"));
        }
    }
    if view.tool_calls_not_shown > 0 {
        lines.say(&format!(
            "{} more are not shown here: look at its page before you accept.",
            view.tool_calls_not_shown
        ));
    }
}
