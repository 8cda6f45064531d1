//! What the board reads from GitLab and sends to it.

use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::status::StatusGroup;
use gitlab_duo_core::view::session::SessionView;

use super::screen::{Board, Wish};

/// Sessions on the board; whoever has more answers these first.
const MOST: usize = 20;

/// The caller's own sessions that wait for somebody, with what they ask.
pub async fn waiting<G: DuoWriter + 'static>(duo: &Duo<G>) -> Result<Vec<SessionView>, DuoError> {
    let request = ListSessions { status_group: Some(StatusGroup::AwaitingInput), ..ListSessions::default() };
    let mut rows = duo.sessions(request);
    let mut sessions = Vec::new();
    while sessions.len() < MOST {
        let Some(row) = rows.try_next().await? else { break };
        sessions.push(duo.session(row.id()).await?);
    }
    Ok(sessions)
}

/// Does what the person wants, shows what became of it, and reads the board anew.
pub async fn carried_out<G: DuoWriter + 'static>(duo: &Duo<G>, board: &mut Board, wish: Wish) {
    let told = match wish {
        Wish::Quit => return,
        Wish::Refresh => String::new(),
        // Only what the person has seen: GitLab is read again, and what else waits now is refused.
        Wish::Approve(shown) => told(duo.approve_shown(&shown).await.map(|done| done.hints)),
        Wish::Reject(shown) => told(duo.reject(shown.id(), None).await.map(|done| done.hints)),
    };
    match waiting(duo).await {
        Ok(sessions) => board.replace(sessions),
        Err(error) => return board.say(&format!("{told} {error}: {}", error.next_step)),
    }
    board.say(&told);
}

fn told(outcome: Result<Vec<String>, DuoError>) -> String {
    match outcome {
        Ok(hints) => hints.join("; "),
        Err(error) => format!("{error}: {}", error.next_step),
    }
}
