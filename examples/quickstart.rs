//! The whole story of a session: `cargo run --example quickstart`
//!
//! It plays on a GitLab inside this program: nothing leaves your machine, no token is needed. With
//! `GITLAB_URL` and `GITLAB_TOKEN` set it shows your own sessions instead, and with a project as
//! argument what that project offers; there it starts nothing unless told with `--start GOAL`.

use std::env;
use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::actions::send_input::{SendInput, send_input};
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, start_session};
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{FlowReference, Selector};
use gitlab_duo_core::view::created::LinksView;
use gitlab_duo_core::view::session::SessionView;
use indicatif::{ProgressBar, ProgressStyle};

mod support;
use support::{DEMO_PROJECT, Stage};

const FLOW: &str = "developer/v1";
const GOAL: &str = "Investigate and repair the failing unit tests";
const ANSWER: &str = "Only invoices, please; leave the other module alone.";

/// Looks at a session before the story is given up.
const MOST_LOOKS: u32 = 60;

#[tokio::main]
async fn main() -> Result<()> {
    let wishes = Wishes::read()?;
    let stage = Stage::open().await?;
    match (&stage.embedded, wishes) {
        (Some(_), _) => whole_story(&stage, DEMO_PROJECT, GOAL).await,
        (None, Wishes { project: Some(project), goal: Some(goal) }) => {
            whole_story(&stage, &project, &goal).await
        }
        (None, Wishes { project, .. }) => browse(&stage, project.as_deref()).await,
    }
}

/// What the command line asks for.
struct Wishes {
    project: Option<String>,
    goal: Option<String>,
}

impl Wishes {
    fn read() -> Result<Self> {
        let mut wishes = Self { project: None, goal: None };
        let mut arguments = env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--start" => wishes.goal = Some(arguments.next().context("`--start` needs a goal")?),
                _ if argument.starts_with('-') => bail!("usage: quickstart [PROJECT [--start GOAL]]"),
                _ => wishes.project = Some(argument),
            }
        }
        if wishes.goal.is_some() && wishes.project.is_none() {
            bail!("`--start` needs a project before it");
        }
        Ok(wishes)
    }
}

async fn browse(stage: &Stage, project: Option<&str>) -> Result<()> {
    heading(1, &format!("Your sessions on {}", stage.url));
    show_sessions(stage).await?;
    match project {
        Some(project) => {
            heading(2, &format!("What {project} offers"));
            show_offer(stage, project).await?;
            println!(
                "\nNothing was started. `--start GOAL` starts {FLOW}: it costs GitLab Credits and may change the project."
            );
        }
        None => println!("\nName a project to see what it offers."),
    }
    Ok(())
}

async fn whole_story(stage: &Stage, project: &str, goal: &str) -> Result<()> {
    println!("A Duo session from start to result, on {}", stage.url);
    if stage.embedded.is_some() {
        println!("This GitLab lives inside this program; its clock runs as fast as the story needs.");
    }
    heading(1, &format!("What does {project} offer?"));
    show_offer(stage, project).await?;

    heading(2, &format!("Start {FLOW}: \u{201c}{goal}\u{201d}"));
    let request = StartSession {
        project: ProjectRef::parse(project, &stage.url)?,
        selector: Selector::Flow(FlowReference::new(FLOW).context("a flow")?),
        goal: Some(goal.to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: stage.now(),
    };
    let started = start_session(&stage.gitlab, &Scope::default(), request).await?;
    let workflow_id = WorkflowId::parse(&started.workflow_id)?;
    println!("   session {workflow_id} is {}", started.status.value().unwrap_or("accepted"));
    println!("   {}", started.web_url.value().unwrap_or_default());

    heading(3, "Follow it until it needs a person");
    let session = follow(stage, workflow_id).await?;
    if session.terminal == Some(true) {
        return show_result(stage, &session).await;
    }
    let pending = session.pending_input.as_ref().context("the session waits for something unknown here")?;
    println!("   it asks: {}", pending.question.value().unwrap_or("(its question is not known)"));

    heading(4, &format!("Answer: \u{201c}{ANSWER}\u{201d}"));
    let input = HumanInput::Reply(Some(ANSWER.to_owned()));
    let answered =
        send_input(&stage.gitlab, &Scope::default(), SendInput { workflow_id, input, now: stage.now() })
            .await?;
    println!("   {}", answered.hints.join("\n   "));
    stage.look_again_in(Duration::from_secs(answered.poll_after_seconds.unwrap_or(30).into())).await;

    let session = follow(stage, workflow_id).await?;
    show_result(stage, &session).await
}

/// Looks as often as GitLab's hints say, until a person is needed or the session has ended.
async fn follow(stage: &Stage, workflow_id: WorkflowId) -> Result<SessionView> {
    let spinner = spinner();
    let mut last = None;
    for _ in 0..MOST_LOOKS {
        let session =
            get_session(&stage.gitlab, &Scope::default(), GetSession { workflow_id, now: stage.now() })
                .await?;
        let status = session.status.value().unwrap_or("unknown").to_owned();
        if last.as_ref() != Some(&status) {
            spinner.suspend(|| println!("   {}  {status}", stage.now().strftime("%H:%M:%S")));
            last = Some(status.clone());
        }
        let can_answer =
            session.pending_input.as_ref().is_some_and(|pending| pending.can_send != Some(false));
        if can_answer || session.terminal == Some(true) {
            spinner.finish_and_clear();
            return Ok(session);
        }
        spinner.set_message(match &session.pending_input {
            Some(_) => "it waits, and its CI job is still finishing".to_owned(),
            None => format!("{status}; the next look comes when GitLab's hint says so"),
        });
        spinner.tick();
        stage.look_again_in(Duration::from_secs(session.poll_after_seconds.unwrap_or(15).into())).await;
    }
    bail!(
        "session {workflow_id} neither ended nor asked anything; follow it with the example `follow_session`"
    )
}

/// Drawn on a terminal only; elsewhere it stays silent.
fn spinner() -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("   {spinner} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner().with_style(style)
}

async fn show_offer(stage: &Stage, project: &str) -> Result<()> {
    let project = ProjectRef::parse(project, &stage.url)?;
    let request = AgentsAndFlows { project, item_type: None, first: PageSize::default(), after: None };
    let page = agents_and_flows(&stage.gitlab, &Scope::default(), request).await?;
    for item in &page.items {
        let mark = match item.can_start_session {
            Some(true) => "can start",
            Some(false) => "-",
            None => "perhaps",
        };
        let name = item.name.value().unwrap_or("(hidden)");
        println!("   {mark:10}{:18}{name}", item.item_type.value().unwrap_or("?"));
    }
    Ok(())
}

async fn show_sessions(stage: &Stage) -> Result<()> {
    let page = list_sessions(&stage.gitlab, &Scope::default(), ListSessions::default()).await?;
    if page.sessions.is_empty() {
        println!("   none on this page");
    }
    for row in &page.sessions {
        let status = row.status.value().unwrap_or("unknown");
        println!("   {:>8}  {status:28}{}", row.workflow_id, row.goal.value().unwrap_or("(goal not known)"));
    }
    Ok(())
}

async fn show_result(stage: &Stage, session: &SessionView) -> Result<()> {
    heading(5, "The result");
    println!("   {}", session.answer.value().unwrap_or("(no answer is known)"));
    show_links("merge request", session.created.merge_requests.as_ref());
    show_links("work item", session.created.work_items.as_ref());
    show_links("note", session.created.notes.as_ref());
    heading(6, "Your sessions now");
    show_sessions(stage).await?;
    println!("\nNext: plug the server into your editor with the example `demo_server`, or read the README.");
    Ok(())
}

fn show_links(what: &str, links: Option<&LinksView>) {
    for item in links.into_iter().flat_map(|links| &links.items) {
        println!("   {what}: {}", item.text.value().unwrap_or("(hidden)"));
        println!("      {}", item.web_url.value().unwrap_or_default());
    }
}

fn heading(number: u8, text: &str) {
    println!("\n{number}. {text}");
}
