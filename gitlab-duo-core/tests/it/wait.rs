//! Waiting for a session.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use gitlab_duo_core::actions::wait_session::{Patience, WaitSeconds, WaitSession, wait_session};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{History, MessageKind, Permissions, Session};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::view::session::SessionView;
use jiff::Timestamp;

use crate::world::{gitlab, kind, message, noon, now_or_never, session, waiting, workflow};

/// A change that happens once so many seconds have passed.
type Change = Box<dyn Fn(&mut Session) + Send + Sync>;

/// Time that passes at once, a session that changes in it, and what was told about it.
struct Instantly {
    gitlab: MemoryGitLab,
    changes: Vec<(u64, Change)>,
    passed: Mutex<Duration>,
    told: Mutex<Vec<(u64, String)>>,
}

#[async_trait]
impl Patience for Instantly {
    fn now(&self) -> Timestamp {
        noon()
    }

    async fn pause(&self, time: Duration) {
        let mut passed = self.passed.lock().unwrap();
        let before = passed.as_secs();
        *passed += time;
        for (_, change) in self.changes.iter().filter(|(at, _)| (before + 1..=passed.as_secs()).contains(at))
        {
            change(&mut self.gitlab.world().sessions[0]);
        }
    }

    async fn waited(&self, waited: Duration, _limit: Duration, status: Option<&str>) {
        self.told.lock().unwrap().push((waited.as_secs(), status.unwrap_or_default().to_owned()));
    }
}

/// Waits for session 7; the view, the seconds that passed, and how often it was looked at.
fn wait(
    session: Session,
    seconds: u64,
    changes: Vec<(u64, Change)>,
) -> (SessionView, u64, usize, Vec<(u64, String)>) {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session);
    let patience =
        Instantly { gitlab: gitlab.clone(), changes, passed: Mutex::default(), told: Mutex::default() };
    let request = WaitSession { workflow_id: workflow(7), limit: WaitSeconds::new(seconds).unwrap() };
    let view = now_or_never(wait_session(&gitlab, &Scope::default(), request, &patience)).unwrap();
    let looks = gitlab.world().calls.iter().filter(|call| **call == "session").count();
    let passed = patience.passed.lock().unwrap().as_secs();
    let told = patience.told.lock().unwrap().clone();
    (view, passed, looks, told)
}

fn to(status: Status) -> Change {
    Box::new(move |session| session.row.status = Some(status.clone()))
}

#[test]
fn what_has_ended_or_can_be_answered_is_returned_at_once() {
    let question = vec![message(MessageKind::Request, "Both?", "null")];
    for session in [session(7, Status::Finished), waiting(7, Status::InputRequired, question)] {
        let (_, passed, looks, told) = wait(session, 300, Vec::new());
        assert_eq!((passed, looks, told.len()), (0, 1, 0));
    }
}

#[test]
fn the_first_change_of_the_status_ends_the_wait() {
    let (view, passed, looks, _) = wait(session(7, Status::Created), 300, vec![(6, to(Status::Running))]);
    assert_eq!(view.status.value(), Some("running"));
    // Looks after 0, 5 and 12 seconds: the change of second 6 is seen at the third.
    assert_eq!((passed, looks), (12, 3));
}

#[test]
fn a_question_that_becomes_answerable_is_a_change() {
    let mut asking = waiting(7, Status::InputRequired, vec![message(MessageKind::Request, "Both?", "null")]);
    asking.permissions.resume = Some(false);
    let done: Change =
        Box::new(|session| session.permissions = Permissions { resume: Some(true), update: Some(true) });
    let (view, passed, ..) = wait(asking, 60, vec![(4, done)]);
    assert_eq!(view.pending_input.and_then(|pending| pending.can_send), Some(true));
    assert_eq!(passed, 5);
}

#[test]
fn another_question_is_a_change_although_it_cannot_be_answered() {
    let mut asking = waiting(7, Status::InputRequired, vec![message(MessageKind::Request, "Both?", "null")]);
    asking.permissions = Permissions { resume: Some(false), update: Some(true) };
    let asked: Change = Box::new(|session| {
        let messages = vec![message(MessageKind::Request, "Which one?", "null")];
        session.history = Some(History { messages: Some(messages), errors: Vec::new() });
    });
    let (view, passed, ..) = wait(asking, 300, vec![(4, asked)]);
    let question = view.pending_input.and_then(|pending| pending.question.value().map(str::to_owned));
    assert_eq!((question.as_deref(), passed), (Some("Which one?"), 5));
}

#[test]
fn a_wait_is_refused_and_fails_as_a_single_look_does() {
    let rows = [(Some("session"), "server"), (None, "not_found")];
    for (failing, expected) in rows {
        let gitlab = gitlab("19.5.0");
        if let Some(method) = failing {
            let error = GatewayError::new(ErrorKind::Server, "no");
            gitlab.world().failures.push_back((method, error, Outcome::Refused));
        }
        let patience = Instantly {
            gitlab: gitlab.clone(),
            changes: Vec::new(),
            passed: Mutex::default(),
            told: Mutex::default(),
        };
        let request = WaitSession { workflow_id: workflow(7), limit: WaitSeconds::new(60).unwrap() };
        let refused = now_or_never(wait_session(&gitlab, &Scope::default(), request, &patience));
        assert_eq!(kind(refused), expected);
        assert_eq!(*patience.passed.lock().unwrap(), Duration::ZERO);
    }
}

#[test]
fn without_a_change_the_limit_ends_it_and_the_pauses_grow_to_their_bound() {
    let (view, passed, looks, told) = wait(session(7, Status::Running), 300, Vec::new());
    assert_eq!((view.status.value(), passed), (Some("running"), 300));
    assert!((11..=16).contains(&looks), "{looks}");
    let times: Vec<_> = told.iter().map(|(time, _)| *time).collect();
    assert!(times.is_sorted() && times.last() == Some(&300), "{times:?}");
    let pauses: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(times[0] == 5 && pauses.iter().all(|pause| *pause <= 30), "{times:?}");
    assert_eq!(told[0].1, "running");
}

#[test]
fn gitlab_is_never_asked_twice_within_five_seconds() {
    for seconds in 1..60 {
        let (_, passed, looks, _) = wait(session(7, Status::Running), seconds, Vec::new());
        assert_eq!(passed, seconds);
        assert!(looks as u64 <= 1 + seconds / 5, "{looks} looks in {seconds} seconds");
    }
}

#[test]
fn a_wait_is_1_to_300_seconds() {
    let rows = [(0, false), (1, true), (300, true), (301, false), (u64::MAX, false)];
    for (seconds, is_one) in rows {
        assert_eq!(WaitSeconds::new(seconds).is_some(), is_one, "{seconds}");
    }
}
