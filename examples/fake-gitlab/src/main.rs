//! A GitLab to try a client against: `cargo run -p fake-gitlab -- --help`.

use anyhow::Context as _;
use clap::Parser;
use fake_gitlab::FakeGitLab;
use jiff::Timestamp;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// A GitLab with Duo sessions on loopback. Its clock moves with real time.
#[derive(Debug, Parser)]
#[command(name = "fake-gitlab")]
struct Options {
    /// Version to report and to play.
    #[arg(long, default_value = "19.5.0-ee")]
    version: String,

    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,

    /// Path below which it answers, as `/gitlab`.
    #[arg(long, default_value = "")]
    subpath: String,

    /// How much faster than real time sessions live.
    #[arg(long, default_value_t = 10)]
    speed: u32,

    /// Leave out the example sessions in every status.
    #[arg(long)]
    empty: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let mut builder = FakeGitLab::builder()
        .starting_at(Timestamp::now())
        .version(&options.version)
        .port(options.port)
        .subpath(&options.subpath);
    if !options.empty {
        builder = builder.with_example_sessions();
    }
    let gitlab = builder.start().await.with_context(|| format!("cannot listen on port {}", options.port))?;
    introduce(&gitlab, &options)?;
    tokio::select! {
        () = pass_time(&gitlab, options.speed) => {}
        stopped = tokio::signal::ctrl_c() => stopped.context("cannot wait for Ctrl-C")?,
    }
    gitlab.stop().await;
    Ok(())
}

/// The only place where real time counts.
async fn pass_time(gitlab: &FakeGitLab, speed: u32) {
    let mut ticks = tokio::time::interval(Duration::from_millis(200));
    let mut last = Instant::now();
    loop {
        ticks.tick().await;
        let now = Instant::now();
        gitlab.advance((now - last).saturating_mul(speed));
        last = now;
    }
}

fn introduce(gitlab: &FakeGitLab, options: &Options) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "GitLab {} answers at {}", options.version, gitlab.url())?;
    writeln!(out, "Time runs {} times as fast. Ctrl-C ends it.", options.speed)?;
    writeln!(out)?;
    writeln!(out, "  export GITLAB_URL={}", gitlab.url())?;
    writeln!(out, "  export GITLAB_TOKEN={}", gitlab.token())?;
    writeln!(out)?;
    writeln!(out, "Try, in project 4021 (example-group/backend):")?;
    writeln!(out, "  flow developer/v1          asks a question, then opens a merge request")?;
    writeln!(out, "  flow fix_pipeline/v1       with {}", url(gitlab, "pipelines/50512"))?;
    writeln!(out, "  flow code_review/v1        with {}", url(gitlab, "merge_requests/317"))?;
    writeln!(out, "  consumer 91                \"Invoice keeper\", wants its plan approved")?;
    writeln!(out, "  consumer 79                \"CI gardener\", wants two tool calls approved")?;
    writeln!(out, "  consumer 78                \"Changelog writer\", fails halfway")?;
    writeln!(out, "In project 4030 (example-group/no-runner) flow developer/v1 never gets a runner.")?;
    Ok(())
}

fn url(gitlab: &FakeGitLab, rest: &str) -> String {
    format!("{}/example-group/backend/-/{rest}", gitlab.url())
}
