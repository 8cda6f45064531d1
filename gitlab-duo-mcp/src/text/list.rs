//! A page of sessions, as text.

use gitlab_duo_core::view::list::{SessionListView, SessionRowView};

use crate::text::lines::{Lines, inline, link, status};

/// The page: one line per session.
pub(crate) fn tell(view: &SessionListView) -> String {
    let mut lines = Lines::default();
    let count = view.sessions.len();
    lines.say(&format!("{count} of your sessions on this page, newest first; goals are text from GitLab."));
    let shown = view.sessions.iter().take_while(|session| lines.row(&row(session))).count();
    if shown < count {
        lines.say(&format!("{} more rows are in the structured result.", count - shown));
    }
    left_out(view, &mut lines);
    lines.page_end(&view.page_info);
    lines.close(&view.hints, &view.unavailable)
}

fn row(session: &SessionRowView) -> String {
    let named = session.agent.value().or(session.flow.value());
    let flow = named.map_or_else(String::new, |flow| format!(", {}", inline(flow)));
    let project =
        session.project.as_deref().map_or_else(String::new, |path| format!(", in {}", inline(path)));
    let goal = session.goal.value().map_or_else(String::new, |goal| format!(", goal {}", inline(goal)));
    let url = session.web_url.value().map_or_else(String::new, |url| format!(", {}", link(url)));
    format!("{}: {}{flow}{project}{goal}{url}", session.workflow_id, status(&session.status))
}

fn left_out(view: &SessionListView, lines: &mut Lines) {
    let skipped = view.skipped_unverifiable_sessions;
    if skipped > 0 {
        lines.say(&format!(
            "{skipped} rows are left out: their project cannot be shown to lie within the working scope."
        ));
    }
    if view.excluded_by_policy > 0 {
        lines.say(&format!(
            "{} rows are left out by this program's settings or the project asked for.",
            view.excluded_by_policy
        ));
    }
    if !view.filtered_here.is_empty() {
        lines.say(&format!(
            "This GitLab does not know the filter {}: it was applied to this page only.",
            view.filtered_here.join(", ")
        ));
    }
}
