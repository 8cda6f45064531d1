//! A bot for CI: starts a flow, waits, and tells the pipeline how it went:
//! `cargo run --example ci_bot -- [PROJECT FLOW GOAL]`
//!
//! | Exit code | The session, or the start |
//! | --- | --- |
//! | 0 | finished |
//! | 1 | failed, or was stopped |
//! | 2 | waits for a person |
//! | 3 | did not end in time |
//! | 4 | was refused: nothing was started |
//! | 5 | may have been started, and nobody knows: look before running this again |
//! | 75 | could not be read just now: run this again later |
//!
//! Run again while its session is still going, it follows that one instead of starting another.

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::{DuoError, Effect, ErrorKind};
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::view::created::LinksView;
use gitlab_duo_core::view::session::SessionView;

mod support;
use support::{DEMO_PROJECT, Stage};

/// How long the pipeline waits.
const LIMIT: Duration = Duration::from_secs(45 * 60);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(outcome) => ExitCode::from(outcome.exit_code()),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(4)
        }
    }
}

async fn run() -> Result<Outcome> {
    let stage = Stage::open().await?;
    let job = Job::read(env::args().skip(1).collect(), stage.embedded.is_some())?;
    Ok(job.done(&stage.duo(), LIMIT).await)
}

/// What the bot shall have done.
pub struct Job {
    /// Where.
    pub project: String,
    /// The foundational flow.
    pub flow: String,
    /// What it shall do.
    pub goal: String,
}

impl Job {
    fn read(arguments: Vec<String>, is_embedded: bool) -> Result<Self> {
        match <[String; 3]>::try_from(arguments) {
            Ok([project, flow, goal]) => Ok(Self { project, flow, goal }),
            Err(none) if none.is_empty() && is_embedded => Ok(Self {
                project: DEMO_PROJECT.to_owned(),
                flow: "convert_to_gl_ci/v1".to_owned(),
                goal: "Convert the old build file".to_owned(),
            }),
            Err(_) => bail!("usage: ci_bot PROJECT FLOW GOAL"),
        }
    }

    /// Starts the session, or finds the one that is still going, and waits for its end.
    pub async fn done<G: DuoWriter + 'static>(&self, duo: &Duo<G>, limit: Duration) -> Outcome {
        match self.session(duo).await {
            Ok(id) => tokio::time::timeout(limit, follow(duo, id)).await.unwrap_or(Outcome::OutOfTime),
            Err(error) => Outcome::of(&error),
        }
    }

    async fn session<G: DuoWriter + 'static>(&self, duo: &Duo<G>) -> Result<WorkflowId, DuoError> {
        match duo.start(self.project.as_str()).flow(&self.flow).goal(self.goal.as_str()).send().await {
            Ok(started) => {
                println!("started session {}", started.id());
                println!("{}", started.web_url.value().unwrap_or_default());
                Ok(started.id())
            }
            Err(DuoError { kind: ErrorKind::Duplicate, workflow_id: Some(id), .. }) => {
                println!("session {id} does this already");
                Ok(id)
            }
            Err(error) => Err(error),
        }
    }
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The session finished.
    Finished,
    /// It failed or was stopped.
    NotFinished,
    /// It waits for a person.
    NeedsPerson,
    /// It did not end in time.
    OutOfTime,
    /// Nothing was started.
    Refused,
    /// Something may have been started.
    Unknown,
    /// GitLab was busy, slow or not reached.
    TryLater,
}

impl Outcome {
    /// What a failed call means for the pipeline.
    pub fn of(error: &DuoError) -> Self {
        eprintln!("{error}");
        if let Some(words) = &error.gitlab_message {
            eprintln!("GitLab says: {}", words.escape_debug());
        }
        eprintln!("next: {}", error.next_step);
        match error.effect {
            Effect::Nothing if error.is_retryable_read() => Self::TryLater,
            Effect::Nothing => Self::Refused,
            _ => Self::Unknown,
        }
    }

    /// For the pipeline.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Finished => 0,
            Self::NotFinished => 1,
            Self::NeedsPerson => 2,
            Self::OutOfTime => 3,
            Self::Refused => 4,
            Self::Unknown => 5,
            Self::TryLater => 75,
        }
    }
}

async fn follow<G: DuoWriter + 'static>(duo: &Duo<G>, id: WorkflowId) -> Outcome {
    let mut states = duo.watch(id);
    loop {
        match states.try_next().await {
            Ok(Some(session)) => {
                println!("session {id} is {}", session.status.value().unwrap_or("in an unknown state"));
                if let Some(outcome) = judged(&session) {
                    report(&session);
                    return outcome;
                }
            }
            Ok(None) => return Outcome::NotFinished,
            // The session goes on, whatever became of this look.
            Err(error) if error.is_retryable_read() => return Outcome::TryLater,
            Err(error) => return Outcome::of(&error),
        }
    }
}

/// Whether this is worth to stop waiting for.
fn judged(session: &SessionView) -> Option<Outcome> {
    match session.typed_status() {
        Some(Status::Finished) => Some(Outcome::Finished),
        Some(Status::Failed | Status::Stopped) => Some(Outcome::NotFinished),
        _ => session.pending_input.is_some().then_some(Outcome::NeedsPerson),
    }
}

fn report(session: &SessionView) {
    if let Some(pending) = &session.pending_input {
        println!("it asks: {}", pending.question.value().unwrap_or("(the question is not known)"));
    }
    if let Some(reason) = session.failure_reason.value() {
        println!("it failed: {reason}");
    }
    println!("{}", session.answer.value().unwrap_or("(no answer is known)"));
    for links in [&session.created.merge_requests, &session.created.work_items] {
        created(links.as_ref());
    }
}

fn created(links: Option<&LinksView>) {
    for item in links.into_iter().flat_map(|links| &links.items) {
        println!("created: {}", item.web_url.value().unwrap_or("(hidden)"));
    }
}
