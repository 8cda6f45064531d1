//! What the board shows, and what a key means: no GitLab and no terminal in here.

use anyhow::Result;
use gitlab_duo_core::view::checkpoint::{PendingInputView, ToolCallsView};
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_core::view::text::TextField;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, List, ListState, Paragraph, Wrap};
use ratatui::{Frame, Terminal};

const HELP: &str = "↑ ↓ choose   PgUp PgDn scroll   a approve   x reject   r read again   q end";
/// Lines that one key scrolls.
const SCROLL_LINES: u16 = 5;

/// The board.
pub struct Board {
    sessions: Vec<SessionView>,
    chosen: usize,
    /// What the next `y` would do.
    question: Option<Question>,
    told: String,
    /// Lines of the text that are above the pane.
    scrolled: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Approve,
    Reject,
}

/// What the person wants.
pub enum Wish {
    /// Approve what this session asked when it was shown.
    Approve(Box<SessionView>),
    /// Reject it. The session goes on without it.
    Reject(Box<SessionView>),
    /// Read the board again.
    Refresh,
    /// No more.
    Quit,
}

impl Board {
    /// A board of these sessions.
    pub fn of(sessions: Vec<SessionView>) -> Self {
        Self { sessions, chosen: 0, question: None, told: String::new(), scrolled: 0 }
    }

    /// Shows other sessions; the chosen one stays so if it is still there. A question that is open is
    /// forgotten: it was about what stood here before.
    pub fn replace(&mut self, sessions: Vec<SessionView>) {
        let id = self.session().map(SessionView::id);
        let place = sessions.iter().position(|session| Some(session.id()) == id);
        self.chosen = place.unwrap_or(self.chosen).min(sessions.len().saturating_sub(1));
        self.sessions = sessions;
        self.question = None;
    }

    /// Says something in the last line.
    pub fn say(&mut self, text: &str) {
        text.clone_into(&mut self.told);
    }

    fn session(&self) -> Option<&SessionView> {
        self.sessions.get(self.chosen)
    }

    /// What a key means. A yes is asked for once more: it costs, and it changes a project.
    pub fn on_key(&mut self, key: KeyCode) -> Option<Wish> {
        self.told.clear();
        if let Some(question) = self.question.take() {
            return self.confirmed(question, key);
        }
        match key {
            KeyCode::Char('q') | KeyCode::Esc => return Some(Wish::Quit),
            KeyCode::Char('r') => return Some(Wish::Refresh),
            KeyCode::Up => self.choose(self.chosen.saturating_sub(1)),
            KeyCode::Down => self.choose((self.chosen + 1).min(self.sessions.len().saturating_sub(1))),
            KeyCode::PageUp => self.scrolled = self.scrolled.saturating_sub(SCROLL_LINES),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_add(SCROLL_LINES),
            KeyCode::Char('a') => self.ask(Question::Approve),
            KeyCode::Char('x') => self.ask(Question::Reject),
            _ => {}
        }
        None
    }

    fn choose(&mut self, place: usize) {
        self.chosen = place;
        self.scrolled = 0;
    }

    fn ask(&mut self, question: Question) {
        let Some(pending) = self.session().and_then(|session| session.pending_input.as_ref()) else { return };
        // What GitLab might refuse is for GitLab to refuse.
        match (pending.can_send, &pending.why_not) {
            (Some(false), why) => self.told = why.clone().unwrap_or_default(),
            _ => self.question = Some(question),
        }
    }

    fn confirmed(&self, question: Question, key: KeyCode) -> Option<Wish> {
        if key != KeyCode::Char('y') {
            return None;
        }
        let shown = Box::new(self.session()?.clone());
        Some(match question {
            Question::Approve => Wish::Approve(shown),
            Question::Reject => Wish::Reject(shown),
        })
    }

    /// Draws the whole board.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([Constraint::Fill(1), Constraint::Fill(2), Constraint::Length(1)]);
        let [list, detail, last] = rows.areas(frame.area());
        let title = format!(" {} sessions wait for somebody ", self.sessions.len());
        let names = List::new(self.sessions.iter().map(name))
            .block(Block::bordered().title(title))
            .highlight_style(Style::new().add_modifier(Modifier::REVERSED));
        let mut state = ListState::default().with_selected(self.session().map(|_| self.chosen));
        frame.render_stateful_widget(names, list, &mut state);
        let text = self.session().map(asked).unwrap_or_default();
        let asked = Paragraph::new(text).wrap(Wrap { trim: false }).scroll((self.scrolled, 0));
        frame.render_widget(asked.block(Block::bordered().title(" It asks ")), detail);
        frame.render_widget(self.last_line(), last);
    }

    fn last_line(&self) -> &str {
        match self.question {
            Some(Question::Approve) => "approve exactly this? y: yes, any other key: no",
            Some(Question::Reject) => {
                "reject this? the session goes on without it. y: yes, any other key: no"
            }
            None if self.told.is_empty() => HELP,
            None => &self.told,
        }
    }

    /// The board as plain text, for where there is no terminal.
    ///
    /// # Errors
    /// None that is known: this terminal is in memory.
    pub fn as_text(&self, width: u16, height: u16) -> Result<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height))?;
        terminal.draw(|frame| self.draw(frame))?;
        let buffer = terminal.backend().buffer();
        let cells = buffer.content().chunks(width.max(1).into());
        Ok(cells.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n").collect())
    }
}

fn name(session: &SessionView) -> String {
    let title = session.title.value().or(session.goal.value()).unwrap_or("(no title is known)");
    let kind = session.pending_input.as_ref().map_or("nothing", |pending| pending.kind);
    format!("{:>8}  {kind:18}  {}", session.id(), title.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn asked(session: &SessionView) -> String {
    let Some(pending) = &session.pending_input else { return "Nothing any more.".to_owned() };
    let mut lines = vec![session.project.clone().unwrap_or_default()];
    lines.extend(
        [&pending.question, &pending.plan].into_iter().filter(|text| text.value().is_some()).map(whole),
    );
    lines.extend(calls(pending));
    lines.extend(pending.why_not.as_ref().map(|why| format!("Not now: {why}")));
    lines.join("\n\n")
}

fn calls(pending: &PendingInputView) -> Vec<String> {
    let ToolCallsView::Calls(calls) = &pending.tool_calls else { return Vec::new() };
    let mut lines: Vec<_> =
        calls.iter().map(|call| format!("> {} {}", whole(&call.name), whole(&call.arguments))).collect();
    if pending.tool_calls_not_shown > 0 {
        lines.push(format!("… and {} more calls", pending.tool_calls_not_shown));
    }
    lines
}

/// A text, and whether it goes on where nobody sees it.
fn whole(text: &TextField) -> String {
    let shown = text.value().unwrap_or("(not known)");
    if text.is_cut() { format!("{shown} … (cut here: its page shows all of it)") } else { shown.to_owned() }
}
