//! The MCP server on an embedded GitLab, to plug into an editor without any token:
//! `cargo run --example demo_server`

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_mcp::server::stdio::serve_stdio;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;

mod support;
use support::Stage;

/// How much faster than real time its sessions live: a minute of CI takes three seconds.
const SPEED: u32 = 20;

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::embedded().await?;
    let Some(fake) = stage.embedded.clone() else { return Ok(()) };
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(Duration::from_millis(250));
        let mut last = Instant::now();
        loop {
            ticks.tick().await;
            let now = Instant::now();
            fake.advance((now - last).saturating_mul(SPEED));
            last = now;
        }
    });
    let clock = stage.embedded.clone();
    let settings = ServerSettings {
        instance: stage.url,
        scope: Scope::default(),
        surface: Surface::Compact,
        confirm: Confirm::default(),
        clock: Arc::new(move || {
            clock.as_ref().map_or_else(jiff::Timestamp::now, fake_gitlab::FakeGitLab::now)
        }),
    };
    serve_stdio(Server::new(Arc::new(stage.gitlab), settings)).await?;
    Ok(())
}
