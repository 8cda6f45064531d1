//! A person answers what a session asks: `cargo run --example answer_checkpoint`
//!
//! On the embedded GitLab a flow wants its tool calls approved; `y` approves, anything else is sent
//! back as feedback. Without a terminal the answer is yes. A real GitLab is not touched.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::time::Duration;

use anyhow::{Context as _, Result};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, start_session};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::ids::{ConsumerId, WorkflowId};
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::Selector;
use gitlab_duo_core::view::checkpoint::{PendingInputView, ToolCallsView};
use gitlab_duo_core::view::session::SessionView;

mod support;
use support::{DEMO_PROJECT, Stage};

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::embedded().await?;
    let request = StartSession {
        project: ProjectRef::parse(DEMO_PROJECT, &stage.url)?,
        // "CI gardener", which wants two tool calls approved.
        selector: Selector::Consumer(ConsumerId::parse("79")?),
        goal: Some("Tidy the CI configuration".to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: stage.now(),
    };
    let started = start_session(&stage.gitlab, &Scope::default(), request).await?;
    let workflow_id = WorkflowId::parse(&started.workflow_id)?;

    let session = until(&stage, workflow_id, |session| {
        session.pending_input.as_ref().is_some_and(|pending| pending.can_send == Some(true))
    })
    .await?;
    let pending = session.pending_input.context("the session waits")?;
    let input = ask(&pending)?;
    let request = SendInput { workflow_id, input, now: stage.now() };
    let answered = send_input(&stage.gitlab, &Scope::default(), request).await?;
    println!("{}", answered.hints.join("\n"));

    let session = until(&stage, workflow_id, |session| session.terminal == Some(true)).await?;
    println!(
        "{}: {}",
        session.status.value().unwrap_or("unknown"),
        session.answer.value().unwrap_or_default()
    );
    Ok(())
}

/// Looks again and again, as often as GitLab's clock makes it worthwhile.
async fn until(
    stage: &Stage,
    workflow_id: WorkflowId,
    is_there: impl Fn(&SessionView) -> bool,
) -> Result<SessionView> {
    loop {
        let request = GetSession { workflow_id, now: stage.now() };
        let session = get_session(&stage.gitlab, &Scope::default(), request).await?;
        if is_there(&session) {
            return Ok(session);
        }
        // A fresh checkpoint cannot be answered before its CI job has ended: then a short wait is right.
        let seconds = session.poll_after_seconds.unwrap_or(15);
        stage.wait(Duration::from_secs(seconds.into())).await;
    }
}

fn ask(pending: &PendingInputView) -> Result<HumanInput> {
    if let ToolCallsView::Calls(calls) = &pending.tool_calls {
        for call in calls {
            println!(
                "  {} {}",
                call.name.value().unwrap_or_default(),
                call.arguments.value().unwrap_or_default()
            );
        }
    }
    print!("Run these calls? [y, or what to do instead] ");
    io::stdout().flush()?;
    if !io::stdin().is_terminal() {
        println!("y");
        return Ok(HumanInput::Approve);
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(match line.trim() {
        "y" | "yes" => HumanInput::Approve,
        "" => HumanInput::Reply(None),
        feedback => HumanInput::Reply(Some(feedback.to_owned())),
    })
}
