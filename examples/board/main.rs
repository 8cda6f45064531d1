//! A board of your sessions that wait for somebody, in the terminal: `cargo run --example board`
//!
//! `↑` `↓` choose, `PgUp` `PgDn` scroll, `a` approves and `x` rejects what is shown (both ask once more),
//! `r` reads again, `q` ends. Without a terminal the board is printed once.

use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use anyhow::Result;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_graphql::gateway::GitLab;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use tokio::sync::mpsc::{Receiver, channel};

#[path = "../support/mod.rs"]
mod support;
use support::Stage;

mod desk;
mod screen;
use desk::{carried_out, waiting};
use screen::{Board, Wish};

/// How often the board is read anew when nobody touches it.
const REST: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::open_with_sessions().await?;
    let duo = stage.duo();
    let board = Board::of(waiting(&duo).await?);
    if !stdout().is_terminal() {
        print!("{}", board.as_text(100, 30)?);
        return Ok(());
    }
    let mut terminal = ratatui::init();
    let ended = play(&duo, board, &mut terminal).await;
    ratatui::restore();
    ended
}

async fn play(duo: &Duo<GitLab>, mut board: Board, terminal: &mut ratatui::DefaultTerminal) -> Result<()> {
    let mut keys = keyboard();
    loop {
        terminal.draw(|frame| board.draw(frame))?;
        let wish = match tokio::time::timeout(REST, keys.recv()).await {
            Ok(Some(key)) => board.on_key(key),
            Ok(None) => return Ok(()),
            Err(_) => Some(Wish::Refresh),
        };
        match wish {
            Some(Wish::Quit) => return Ok(()),
            Some(wish) => {
                board.say("asking GitLab …");
                terminal.draw(|frame| board.draw(frame))?;
                carried_out(duo, &mut board, wish).await;
            }
            None => {}
        }
    }
}

/// Keys as they are pressed; reading them blocks, so a thread does it.
fn keyboard() -> Receiver<event::KeyCode> {
    let (sender, receiver) = channel(16);
    std::thread::spawn(move || {
        while let Ok(event) = event::read() {
            let Event::Key(key) = event else { continue };
            if key.kind == KeyEventKind::Press && sender.blocking_send(key.code).is_err() {
                return;
            }
        }
    });
    receiver
}
