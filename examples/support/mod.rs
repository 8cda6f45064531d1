//! Where the examples play: on an embedded GitLab, or on yours when `GITLAB_URL` and `GITLAB_TOKEN` are set.

#![allow(dead_code, reason = "each example uses its part of it")]

use std::env;
use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use anyhow::{Context as _, Result};
use async_trait::async_trait;
use fake_gitlab::FakeGitLab;
use gitlab_duo_core::actions::wait_session::Patience;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use jiff::Timestamp;

/// The project of the embedded GitLab.
pub const DEMO_PROJECT: &str = "example-group/backend";

/// Time that passes between two looks of a story.
const STORY_STEP: Duration = Duration::from_secs(15);
/// Real time between two looks of a story.
const READING_PAUSE: Duration = Duration::from_millis(400);

/// A GitLab to play on.
pub struct Stage {
    /// The client.
    pub gitlab: GitLab,
    /// Its address.
    pub url: InstanceUrl,
    /// The embedded GitLab; none on a real one.
    pub embedded: Option<FakeGitLab>,
}

impl Stage {
    /// Opens your GitLab when both settings are there, the embedded one otherwise.
    pub async fn open() -> Result<Self> {
        match (env::var("GITLAB_URL"), env::var("GITLAB_TOKEN")) {
            (Ok(url), Ok(token)) => Self::connect(&url, &token, None),
            _ => Self::embedded().await,
        }
    }

    /// As [`Self::open`], with an embedded GitLab that has sessions in every status.
    pub async fn open_with_sessions() -> Result<Self> {
        match (env::var("GITLAB_URL"), env::var("GITLAB_TOKEN")) {
            (Ok(url), Ok(token)) => Self::connect(&url, &token, None),
            _ => Self::on(FakeGitLab::builder().with_example_sessions()).await,
        }
    }

    /// Starts a GitLab inside this program, on loopback.
    pub async fn embedded() -> Result<Self> {
        Self::on(FakeGitLab::builder()).await
    }

    /// Starts this GitLab inside this program, on loopback.
    pub async fn on(builder: fake_gitlab::Builder) -> Result<Self> {
        let fake = builder.start().await.context("no port is free for the embedded GitLab")?;
        let (url, token) = (fake.url().to_owned(), fake.token());
        Self::connect(&url, token, Some(fake))
    }

    /// The client whose methods are the abilities, on the time of this stage.
    pub fn duo(&self) -> Duo<GitLab> {
        Duo::over(self.gitlab.clone(), StageTime { embedded: self.embedded.clone() })
    }

    fn connect(url: &str, token: &str, embedded: Option<FakeGitLab>) -> Result<Self> {
        let url = InstanceUrl::parse(url, PlainHttp::LoopbackOnly)?;
        let gitlab = GitLab::builder(url.clone()).token(StaticToken::new(token)).build()?;
        Ok(Self { gitlab, url, embedded })
    }

    /// The present time there.
    pub fn now(&self) -> Timestamp {
        self.embedded.as_ref().map_or_else(Timestamp::now, FakeGitLab::now)
    }

    /// Lets time pass: really on a real GitLab, at once on the embedded one.
    pub async fn wait(&self, time: Duration) {
        match &self.embedded {
            Some(fake) => fake.advance(time),
            None => tokio::time::sleep(time).await,
        }
    }

    /// As [`Self::wait`], but on the embedded GitLab in steps small enough to see something happen,
    /// and slow enough for a person at a terminal.
    pub async fn look_again_in(&self, time: Duration) {
        let is_story = self.embedded.is_some();
        self.wait(if is_story { time.min(STORY_STEP) } else { time }).await;
        if is_story && stdout().is_terminal() {
            tokio::time::sleep(READING_PAUSE).await;
        }
    }
}

/// Real time on a real GitLab; on the embedded one waiting moves its clock.
struct StageTime {
    embedded: Option<FakeGitLab>,
}

#[async_trait]
impl Patience for StageTime {
    fn now(&self) -> Timestamp {
        self.embedded.as_ref().map_or_else(Timestamp::now, FakeGitLab::now)
    }

    async fn pause(&self, time: Duration) {
        match &self.embedded {
            Some(fake) => fake.advance(time),
            None => tokio::time::sleep(time).await,
        }
    }
}
