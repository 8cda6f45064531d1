//! A session and all its messages as Markdown: `cargo run --example export_transcript -- [WORKFLOW_ID]`
//!
//! What people, agents and tools wrote is quoted so that it stays text: it makes no heading, link,
//! picture or markup of its own, however it is written.

use std::env;
use std::fmt::Write as _;

use anyhow::Result;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_core::view::text::TextField;
use gitlab_duo_core::view::transcript::{MessageView, TranscriptView};

mod support;
use support::Stage;

/// A finished session of the embedded GitLab.
const DEMO_SESSION: &str = "733";

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::open_with_sessions().await?;
    let id = env::args().nth(1).unwrap_or_else(|| DEMO_SESSION.to_owned());
    print!("{}", exported(&stage.duo(), WorkflowId::parse(&id)?).await?);
    Ok(())
}

/// The session as Markdown.
pub async fn exported<G: DuoReader + 'static>(duo: &Duo<G>, id: WorkflowId) -> Result<String, DuoError> {
    let session = duo.session(id).await?;
    let transcript = duo.transcript(id).await?;
    Ok(markdown(&session, &transcript))
}

fn markdown(session: &SessionView, transcript: &TranscriptView) -> String {
    let mut page = format!("# Session {}\n\n", session.id());
    let facts = [
        ("Title", &session.title),
        ("Flow", &session.flow),
        ("Status", &session.status),
        ("Page", &session.web_url),
    ];
    for (name, value) in facts {
        fact(&mut page, name, value.value());
    }
    fact(&mut page, "Project", session.project.as_deref());
    fact(&mut page, "Created", session.created_at.as_deref());
    section(&mut page, "Goal", &session.goal);
    section(&mut page, "Summary", &session.summary);
    page.push_str("\n## Transcript\n");
    match &transcript.messages {
        Some(messages) => messages.iter().for_each(|message| said(&mut page, message)),
        None => page.push_str("\nThe history is missing: what was said is unknown, not empty.\n"),
    }
    for missing in &transcript.unavailable {
        let _ = writeln!(page, "\nThis GitLab does not tell: {} (since {})", missing.detail, missing.since);
    }
    page
}

fn fact(page: &mut String, name: &str, value: Option<&str>) {
    let value = value.map_or_else(|| "not known".to_owned(), inline);
    let _ = writeln!(page, "- {name}: {value}");
}

fn section(page: &mut String, name: &str, text: &TextField) {
    if text.value().is_some() {
        let _ = writeln!(page, "\n## {name}");
        block(page, text);
    }
}

fn said(page: &mut String, message: &MessageView) {
    let kind = inline(message.kind.value().unwrap_or("unknown"));
    let _ = write!(page, "\n### {}: {kind}", message.number);
    for more in [&message.tool, &message.timestamp] {
        if let Some(text) = more.value() {
            let _ = write!(page, ", {}", inline(text));
        }
    }
    page.push('\n');
    block(page, &message.content);
    block(page, &message.arguments);
}

/// A text as a block that it cannot leave: its fence is longer than any run of backticks inside.
fn block(page: &mut String, field: &TextField) {
    let Some(text) = field.value().filter(|text| !text.is_empty()) else { return };
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let _ = writeln!(page, "\n{fence}text\n{text}\n{fence}");
    if field.is_cut() {
        page.push_str("\nThe text goes on; GitLab has all of it.\n");
    }
}

/// A short text within a line: one line of code, which nothing inside can end.
fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fence = "`".repeat(longest_run(&line) + 1);
    if line.is_empty() { "(empty)".to_owned() } else { format!("{fence} {line} {fence}") }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
