//! Follow a session to its end or its next question: `cargo run --example follow_session -- [WORKFLOW_ID]`
//!
//! Without an id, on the embedded GitLab, it starts one to follow.

use std::env;
use std::time::Duration;

use anyhow::{Result, bail};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, start_session};
use gitlab_duo_core::model::ids::{ConsumerId, WorkflowId};
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::Selector;

mod support;
use support::{DEMO_PROJECT, Stage};

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::open().await?;
    let workflow_id = match env::args().nth(1) {
        Some(id) => WorkflowId::parse(&id)?,
        None => start_one(&stage).await?,
    };
    let mut last = String::new();
    loop {
        let request = GetSession { workflow_id, now: stage.now() };
        let session = get_session(&stage.gitlab, &Scope::default(), request).await?;
        let status = session.status.value().unwrap_or("unknown").to_owned();
        if status != last {
            println!("{}  {status}", stage.now().strftime("%H:%M:%S"));
            last = status;
        }
        let Some(seconds) = session.poll_after_seconds else {
            println!("\n{}", session.answer.value().unwrap_or("(no answer is known)"));
            println!("{}", session.web_url.value().unwrap_or_default());
            return Ok(());
        };
        stage.wait(Duration::from_secs(seconds.into())).await;
    }
}

async fn start_one(stage: &Stage) -> Result<WorkflowId> {
    if stage.embedded.is_none() {
        bail!("name the session to follow; nothing is started on a real GitLab");
    }
    let request = StartSession {
        project: ProjectRef::parse(DEMO_PROJECT, &stage.url)?,
        // "Changelog writer", which fails halfway.
        selector: Selector::Consumer(ConsumerId::parse("78")?),
        goal: Some("Write the changelog of the next release".to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: stage.now(),
    };
    let started = start_session(&stage.gitlab, &Scope::default(), request).await?;
    Ok(WorkflowId::parse(&started.workflow_id)?)
}
