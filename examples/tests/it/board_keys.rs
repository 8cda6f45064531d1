//! The board, driven by keys and read from its screen.

use fake_gitlab::FakeGitLab;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_graphql::gateway::GitLab;
use ratatui::crossterm::event::KeyCode;

use crate::desk::{carried_out, waiting};
use crate::screen::{Board, Wish};
use crate::support::Stage;

struct Play {
    stage: Stage,
    duo: Duo<GitLab>,
    board: Board,
}

impl Play {
    async fn begin() -> Self {
        let stage = Stage::on(FakeGitLab::builder().with_example_sessions()).await.unwrap();
        let duo = stage.duo();
        let board = Board::of(waiting(&duo).await.unwrap());
        Self { stage, duo, board }
    }

    /// Presses keys and does what they mean; whether the last one ends the program.
    async fn press(&mut self, keys: impl IntoIterator<Item = KeyCode>) -> bool {
        let mut is_over = false;
        for key in keys {
            match self.board.on_key(key) {
                Some(Wish::Quit) => is_over = true,
                Some(wish) => carried_out(&self.duo, &mut self.board, wish).await,
                None => {}
            }
        }
        is_over
    }

    fn screen(&self) -> String {
        self.board.as_text(110, 40).unwrap()
    }

    fn fake(&self) -> &FakeGitLab {
        self.stage.embedded.as_ref().unwrap()
    }

    /// The bodies that were sent as answers.
    fn sent(&self) -> Vec<(String, bool)> {
        let writes = self.fake().writes();
        let said_yes = |body: &serde_json::Value| body["human_approval"].as_bool() == Some(true);
        writes.iter().map(|request| (request.path.clone(), said_yes(&request.json()))).collect()
    }
}

fn letters(text: &str) -> Vec<KeyCode> {
    text.chars().map(KeyCode::Char).collect()
}

/// Keys down to the session whose row shows `kind`.
fn way_to(screen: &str, kind: &str) -> Vec<KeyCode> {
    let rows: Vec<_> = screen.lines().skip(1).take_while(|row| !row.starts_with('└')).collect();
    let place = rows.iter().position(|row| row.contains(kind)).unwrap();
    vec![KeyCode::Down; place]
}

#[tokio::test]
async fn the_board_shows_who_waits_and_exactly_what_is_asked() {
    let mut play = Play::begin().await;
    let screen = play.screen();
    for expected in
        ["4 sessions wait for somebody", "736", "741", "742", "743", "tool_call_approval", "a approve"]
    {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    play.press(way_to(&screen, "tool_call_approval")).await;
    let shown = play.board.as_text(110, 40).unwrap();
    assert_eq!(shown.lines().filter(|line| line.contains("> ")).count(), 2, "{shown}");
    // Looking sends nothing, and moving on past the end stays there.
    play.press(vec![KeyCode::Down; 9]).await;
    play.press(vec![KeyCode::PageDown, KeyCode::PageUp]).await;
    assert!(play.fake().writes().is_empty());
}

#[tokio::test]
async fn a_yes_is_asked_for_once_more_and_sent_once() {
    let mut play = Play::begin().await;
    let way = way_to(&play.screen(), "tool_call_approval");
    play.press(way).await;
    play.press(letters("a")).await;
    assert!(play.screen().contains("approve exactly this?"), "{}", play.screen());
    play.press(letters("n")).await;
    assert!(play.fake().writes().is_empty());
    play.press(letters("ay")).await;
    let sent = play.sent();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert!(sent[0].0.contains("742") && sent[0].1, "{sent:?}");
    assert!(play.screen().contains("approved: the session goes on"), "{}", play.screen());
}

#[tokio::test]
async fn a_no_is_sent_without_approval() {
    let mut play = Play::begin().await;
    let way = way_to(&play.screen(), "plan_approval");
    play.press(way).await;
    play.press(letters("xy")).await;
    let sent = play.sent();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert!(sent[0].0.contains("741") && !sent[0].1, "{sent:?}");
}

#[tokio::test]
async fn what_has_changed_since_it_was_shown_is_not_approved() {
    let mut play = Play::begin().await;
    let way = way_to(&play.screen(), "tool_call_approval");
    play.press(way).await;
    play.press(letters("a")).await;
    play.fake().state(|world| {
        let session = world.sessions.get_mut(&742).unwrap();
        session.messages.as_mut().unwrap().pop();
    });
    play.press(letters("y")).await;
    assert!(play.fake().writes().is_empty());
    assert!(play.screen().contains("does not ask any more what was shown"), "{}", play.screen());
}

#[tokio::test]
async fn a_question_does_not_outlive_what_it_was_about() {
    let mut play = Play::begin().await;
    let way = way_to(&play.screen(), "tool_call_approval");
    play.press(way).await;
    play.press(letters("a")).await;
    carried_out(&play.duo, &mut play.board, Wish::Refresh).await;
    play.press(letters("y")).await;
    assert!(play.fake().writes().is_empty());
}

#[tokio::test]
async fn an_empty_board_and_odd_keys_do_nothing() {
    let mut play = Play::begin().await;
    play.board = Board::of(Vec::new());
    let all = [KeyCode::Up, KeyCode::Down, KeyCode::PageDown, KeyCode::Enter, KeyCode::Tab];
    play.press(all).await;
    play.press(letters("ayxyz")).await;
    assert!(play.fake().writes().is_empty());
    assert!(play.screen().contains("0 sessions wait for somebody"));
    assert!(play.press(letters("q")).await);
    assert!(play.press([KeyCode::Esc]).await);
    for (width, height) in [(1, 1), (3, 2), (20, 5)] {
        assert_eq!(play.board.as_text(width, height).unwrap().lines().count(), usize::from(height));
    }
}
