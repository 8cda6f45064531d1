//! The client: streams over pages, a watched session, starts that cannot be built wrong.

use std::time::Duration;

use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::client::testing::{EXAMPLE_PROJECT, EXAMPLE_SESSION, FastTime, duo_in_memory};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::{HumanInput, Run};
use gitlab_duo_core::gateway::testing::{MemoryGitLab, World};
use gitlab_duo_core::model::catalog::ItemFilter;
use gitlab_duo_core::model::error::{Effect, ErrorKind};
use gitlab_duo_core::model::ids::{ConsumerId, WorkflowId};
use gitlab_duo_core::model::page::{Cursor, PageInfo, PageSize};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::Selector;
use gitlab_duo_core::model::session::MessageKind;
use gitlab_duo_core::model::status::{Status, StatusGroup};
use gitlab_duo_core::rules::policy::Access;

use crate::world::{gitlab, message, now_or_never, session, waiting, workflow};

fn duo(gitlab: &MemoryGitLab) -> Duo<MemoryGitLab> {
    Duo::over(gitlab.clone(), FastTime::of(gitlab))
}

fn with_sessions(count: u64) -> MemoryGitLab {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions = (1..=count).rev().map(|id| session(id, Status::Finished)).collect();
    gitlab
}

fn calls(gitlab: &MemoryGitLab, method: &str) -> usize {
    gitlab.world().calls.iter().filter(|call| **call == method).count()
}

fn pages_of(rows: u32) -> ListSessions {
    ListSessions { first: PageSize::new(rows).unwrap(), ..ListSessions::default() }
}

/// The ids that a stream gives, and the kind of the error that ends it.
fn listed(gitlab: &MemoryGitLab, request: ListSessions) -> (Vec<u64>, Option<ErrorKind>) {
    let mut stream = duo(gitlab).sessions(request);
    let mut ids = Vec::new();
    loop {
        match now_or_never(stream.next()) {
            Some(Ok(row)) => ids.push(row.id().number()),
            Some(Err(error)) => {
                assert!(now_or_never(stream.next()).is_none(), "something came after an error");
                return (ids, Some(error.kind));
            }
            None => {
                assert!(now_or_never(stream.next()).is_none(), "something came after the end");
                return (ids, None);
            }
        }
    }
}

#[test]
fn sessions_come_from_every_page_in_order_and_a_page_is_read_when_it_is_wanted() {
    let gitlab = with_sessions(7);
    assert_eq!(listed(&gitlab, pages_of(3)), ((1..=7).rev().collect(), None));
    assert_eq!(calls(&gitlab, "sessions"), 3);

    let gitlab = with_sessions(7);
    let mut stream = duo(&gitlab).sessions(pages_of(3));
    assert_eq!(calls(&gitlab, "sessions"), 0);
    for _ in 0..3 {
        now_or_never(stream.try_next()).unwrap();
    }
    assert_eq!(calls(&gitlab, "sessions"), 1);
    drop(stream);
    assert_eq!(calls(&gitlab, "sessions"), 1);
}

#[test]
fn a_page_without_rows_does_not_end_the_list() {
    let gitlab = with_sessions(7);
    // The instance cannot filter: the rows are left out here, and whole pages with them.
    gitlab.world().unknown_filters = vec![gitlab_duo_core::gateway::request::SessionFilter::StatusGroup];
    for index in [0, 6] {
        gitlab.world().sessions[index].row.status = Some(Status::InputRequired);
    }
    let request = ListSessions { status_group: Some(StatusGroup::AwaitingInput), ..pages_of(1) };
    assert_eq!(listed(&gitlab, request), (vec![7, 1], None));
    assert_eq!(calls(&gitlab, "sessions"), 7);
}

#[test]
fn a_failure_is_the_last_item() {
    let gitlab = with_sessions(7);
    let mut stream = duo(&gitlab).sessions(pages_of(3));
    for _ in 0..3 {
        assert!(now_or_never(stream.try_next()).unwrap().is_some());
    }
    fail(&gitlab, "sessions", ErrorKind::Server, 1);
    assert_eq!(now_or_never(stream.try_next()).unwrap_err().kind, ErrorKind::Server);
    assert!(now_or_never(stream.try_next()).unwrap().is_none());
}

#[test]
fn a_list_that_leads_nowhere_or_too_far_says_so() {
    let going_on = |cursor: Option<&str>| PageInfo {
        has_next_page: Some(true),
        end_cursor: cursor.map(Cursor::received),
    };
    let rows = [
        // On the second page the cursor is the one that led there.
        (going_on(Some("x")), 4, Some(ErrorKind::Unreadable)),
        (going_on(None), 2, Some(ErrorKind::Unreadable)),
        (going_on(Some("")), 2, Some(ErrorKind::Unreadable)),
        (PageInfo { has_next_page: None, end_cursor: None }, 2, None),
        (PageInfo { has_next_page: Some(false), end_cursor: Some(Cursor::received("x")) }, 2, None),
    ];
    for (page_info, count, ended_by) in rows {
        let gitlab = with_sessions(2);
        gitlab.world().page_info = page_info.clone();
        let (ids, error) = listed(&gitlab, pages_of(20));
        assert_eq!((ids.len(), error), (count, ended_by), "{page_info:?}");
    }
    let gitlab = with_sessions(101);
    let (ids, error) = listed(&gitlab, pages_of(1));
    assert_eq!((ids.len(), error), (100, Some(ErrorKind::TooLarge)));
    let exactly = with_sessions(100);
    assert_eq!(listed(&exactly, pages_of(1)).1, None);
}

#[test]
fn pages_tell_what_rows_cannot() {
    let gitlab = with_sessions(3);
    let elsewhere = Scope { allowed_projects: Some([].into()), ..Scope::default() };
    let mut pages = duo(&gitlab).within(elsewhere).session_pages(ListSessions::default());
    let page = now_or_never(pages.try_next()).unwrap().unwrap();
    assert_eq!((page.sessions.len(), page.excluded_by_policy), (0, 3));
}

#[test]
fn the_catalog_is_a_stream_whose_rows_can_be_started() {
    let gitlab = gitlab("19.5.0");
    let duo = duo(&gitlab);
    let mut catalog = duo.catalog(EXAMPLE_PROJECT, None);
    let mut selectors = Vec::new();
    while let Some(item) = now_or_never(catalog.try_next()).unwrap() {
        selectors.extend(item.selector());
    }
    let consumers = [723, 725, 718, 91].map(|id| Selector::Consumer(ConsumerId::new(id).unwrap()));
    assert!(consumers.iter().all(|consumer| selectors.contains(consumer)), "{selectors:?}");
    // The two entries of the chat cannot be started.
    assert_eq!(selectors.iter().filter(|selector| matches!(selector, Selector::Agent(_))).count(), 1);

    now_or_never(duo.start(EXAMPLE_PROJECT).selected(selectors.pop().unwrap()).goal("Go").send()).unwrap();
    assert_eq!(gitlab.world().started[0].run, Run::Consumer(ConsumerId::new(91).unwrap()));

    let mut flows = duo.catalog("no/such/project", ItemFilter::Flow);
    assert_eq!(now_or_never(flows.try_next()).unwrap_err().kind, ErrorKind::NotFound);
}

fn fail(gitlab: &MemoryGitLab, method: &'static str, kind: ErrorKind, times: usize) {
    let error = GatewayError { retry_after_seconds: Some(200), ..GatewayError::new(kind, "why") };
    let failures = std::iter::repeat_n((method, error, Outcome::Refused), times);
    gitlab.world().failures.extend(failures);
}

fn to(status: Status) -> impl FnOnce(&mut World) + Send + 'static {
    move |world| world.sessions[0].row.status = Some(status)
}

/// The statuses that a watcher sees, and what ends it.
fn watched(gitlab: &MemoryGitLab, time: FastTime) -> (Vec<Status>, Option<ErrorKind>) {
    let mut states = Duo::over(gitlab.clone(), time).watch(workflow(7));
    let mut seen = Vec::new();
    loop {
        match now_or_never(states.next()) {
            Some(Ok(session)) => seen.push(session.typed_status().unwrap()),
            Some(Err(error)) => return (seen, Some(error.kind)),
            None => return (seen, None),
        }
    }
}

#[test]
fn a_watcher_sees_the_present_state_then_each_change_and_the_end() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Created));
    let seconds = Duration::from_secs;
    let time = FastTime::of(&gitlab)
        .then(seconds(40), to(Status::Running))
        .then(seconds(400), to(Status::InputRequired))
        .then(seconds(1_000), to(Status::Running))
        .then(seconds(2_000), to(Status::Finished));
    let (seen, ended_by) = watched(&gitlab, time);
    let running = Status::Running;
    assert_eq!(seen, [Status::Created, running.clone(), Status::InputRequired, running, Status::Finished]);
    assert_eq!(ended_by, None);
    // 2,000 seconds at 30 to 120 a look, and a few short steps after each change.
    let looks = calls(&gitlab, "session");
    assert!((35..=75).contains(&looks), "{looks}");
}

#[test]
fn what_has_ended_is_seen_once_without_waiting() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Stopped));
    assert_eq!(watched(&gitlab, FastTime::of(&gitlab)), (vec![Status::Stopped], None));
    assert_eq!(calls(&gitlab, "session"), 1);
}

#[test]
fn a_watcher_outlasts_what_passes_and_ends_with_what_does_not() {
    let rows = [
        (ErrorKind::Server, 5, None),
        (ErrorKind::RateLimited, 5, None),
        (ErrorKind::Network, 6, Some(ErrorKind::Network)),
        (ErrorKind::Unauthorized, 1, Some(ErrorKind::Unauthorized)),
        (ErrorKind::NotFound, 1, Some(ErrorKind::NotFound)),
    ];
    for (kind, times, ended_by) in rows {
        let gitlab = gitlab("19.5.0");
        gitlab.world().sessions.push(session(7, Status::Running));
        let failing = gitlab.clone();
        let time = FastTime::of(&gitlab)
            .then(Duration::from_secs(5), move |world| {
                let error = GatewayError::new(kind, "why");
                world.failures.extend(std::iter::repeat_n(("session", error, Outcome::Refused), times));
            })
            .then(Duration::from_secs(3_000), to(Status::Finished));
        let (seen, error) = watched(&failing, time);
        assert_eq!(error, ended_by, "{kind:?} {times}");
        assert_eq!(seen.len(), if ended_by.is_some() { 1 } else { 2 });
    }
    // The first look is not repeated: nobody would know what is going on.
    let gitlab = gitlab("19.5.0");
    fail(&gitlab, "session", ErrorKind::Server, 1);
    assert_eq!(watched(&gitlab, FastTime::of(&gitlab)), (vec![], Some(ErrorKind::Server)));
}

#[test]
fn a_start_is_resolved_checked_and_sent_once() {
    let (duo, gitlab) = duo_in_memory();
    let start = || duo.start(EXAMPLE_PROJECT).flow("developer/v1").goal("Tidy up");
    assert_eq!(now_or_never(start().plan()).unwrap().would_start.ai_catalog_item_consumer_id, Some(723));
    assert_eq!(gitlab.world().writes(), 0);
    let started = now_or_never(start().send()).unwrap();
    assert_eq!((started.id(), started.typed_status()), (WorkflowId::new(74).unwrap(), Some(Status::Created)));
    let created_at = gitlab.world().sessions[1].row.created_at;
    gitlab.world().sessions[0].row.created_at = created_at;
    let again = now_or_never(start().send()).unwrap_err();
    assert_eq!(
        (again.kind, again.workflow_id, again.effect),
        (ErrorKind::Duplicate, Some(started.id()), Effect::Nothing)
    );
    now_or_never(start().even_if_duplicate().send()).unwrap();
    assert_eq!(gitlab.world().started.len(), 2);
}

#[test]
fn names_that_name_nothing_are_refused_before_anything_is_read() {
    let (duo, gitlab) = duo_in_memory();
    let rows = [
        duo.start(EXAMPLE_PROJECT).flow(" ").goal("Go"),
        duo.start(EXAMPLE_PROJECT).agent("").goal("Go"),
        duo.start("backend").flow("developer/v1").goal("Go"),
        duo.start("https://elsewhere.example.com/example-group/backend").flow("developer/v1").goal("Go"),
    ];
    for (number, start) in rows.into_iter().enumerate() {
        let error = now_or_never(start.send()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidArguments, "row {number}");
    }
    assert!(gitlab.world().calls.iter().all(|call| *call == "instance"), "{:?}", gitlab.world().calls);
}

#[test]
fn settings_narrow_and_never_widen() {
    let (duo, gitlab) = duo_in_memory();
    let with = |access| Scope { access, ..Scope::default() };
    let off = duo.clone().within(with(Access::Off)).within(with(Access::Full));
    assert_eq!(now_or_never(off.session(EXAMPLE_SESSION)).unwrap_err().kind, ErrorKind::Policy);
    let looking = duo.within(with(Access::ReadOnly));
    for written in [
        now_or_never(looking.approve(EXAMPLE_SESSION)),
        now_or_never(looking.answer(EXAMPLE_SESSION, "Both.")),
        now_or_never(looking.reject(EXAMPLE_SESSION, None)),
        now_or_never(looking.stop(EXAMPLE_SESSION)),
    ] {
        assert_eq!(written.unwrap_err().kind, ErrorKind::Policy);
    }
    assert!(gitlab.world().calls.is_empty());
    assert!(now_or_never(looking.session(EXAMPLE_SESSION)).is_ok());
}

fn asking(tool: &str) -> MemoryGitLab {
    let gitlab = gitlab("19.5.0");
    let call = format!(r#"{{"name":"{tool}","args":{{}}}}"#);
    let messages = vec![message(MessageKind::Request, "May I?", &call)];
    gitlab.world().sessions.push(waiting(7, Status::ToolCallApprovalRequired, messages));
    gitlab
}

#[test]
fn only_what_was_shown_is_approved() {
    let gitlab = asking("list_files");
    let duo = duo(&gitlab);
    let shown = now_or_never(duo.session(workflow(7))).unwrap();
    assert_eq!(shown.can_be_answered(), Some(true));
    let other = asking("delete_everything").world().sessions.remove(0);
    let same = std::mem::replace(&mut gitlab.world().sessions[0], other);
    let refused = now_or_never(duo.approve_shown(&shown)).unwrap_err();
    assert_eq!((refused.kind, gitlab.world().writes()), (ErrorKind::NotWaiting, 0));
    gitlab.world().sessions[0] = same;
    now_or_never(duo.approve_shown(&shown)).unwrap();
    assert_eq!(gitlab.world().answered, [(workflow(7), HumanInput::Approve)]);
    gitlab.world().sessions[0].row.status = Some(Status::Running);
    let refused = now_or_never(duo.approve_shown(&shown)).unwrap_err();
    assert_eq!((refused.kind, gitlab.world().writes()), (ErrorKind::NotWaiting, 1));
}

#[test]
fn a_message_is_one_that_gitlab_takes() {
    let reply = |text: Option<&str>| HumanInput::Reply(text.map(str::to_owned));
    let long = "ä".repeat(2_000);
    let gitlab = asking("list_files");
    let duo = duo(&gitlab);
    now_or_never(duo.answer(workflow(7), &long)).unwrap();
    now_or_never(duo.reject(workflow(7), Some("Not these."))).unwrap();
    now_or_never(duo.reject(workflow(7), Some(" "))).unwrap();
    now_or_never(duo.reject(workflow(7), None)).unwrap();
    let answers: Vec<_> = gitlab.world().answered.drain(..).map(|(_, input)| input).collect();
    assert_eq!(answers, [reply(Some(&long)), reply(Some("Not these.")), reply(None), reply(None)]);
    let too_long = format!("{long}x");
    for refused in [
        now_or_never(duo.answer(workflow(7), &too_long)),
        now_or_never(duo.answer(workflow(7), " \n")),
        now_or_never(duo.reject(workflow(7), Some(&too_long))),
    ] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::InvalidArguments);
    }
    assert_eq!(gitlab.world().writes(), 0);
}

#[test]
fn a_failed_write_tells_what_it_changed() {
    let rows = [
        (Outcome::Refused, Effect::Nothing, ErrorKind::Timeout, true),
        (Outcome::Unknown, Effect::Unknown, ErrorKind::OutcomeUnknown, false),
        (Outcome::Accepted, Effect::Accepted, ErrorKind::Unreadable, false),
    ];
    for (outcome, effect, kind, is_retryable) in rows {
        let (duo, gitlab) = duo_in_memory();
        let error = GatewayError::new(ErrorKind::Timeout, "too slow");
        gitlab.world().failures.push_back(("stop_session", error, outcome));
        let error = now_or_never(duo.stop(EXAMPLE_SESSION)).unwrap_err();
        assert_eq!((error.effect, error.kind, error.is_retryable_read()), (effect, kind, is_retryable));
        assert_eq!(error.outcome_is_unknown(), effect == Effect::Unknown);
    }
}

#[test]
fn a_whole_transcript_is_one_read_and_oldest_first() {
    let gitlab = gitlab("19.5.0");
    let messages: Vec<_> =
        (1..=150).map(|number| message(MessageKind::Agent, &"x".repeat(number * 20), "null")).collect();
    gitlab.world().sessions.push(waiting(7, Status::Running, messages));
    let transcript = now_or_never(duo(&gitlab).transcript(workflow(7))).unwrap();
    let messages = transcript.messages.unwrap();
    assert_eq!((messages.len(), transcript.total, calls(&gitlab, "session")), (150, Some(150), 1));
    let numbers: Vec<_> = messages.iter().map(|message| message.number).collect();
    assert_eq!(numbers, (1..=150).collect::<Vec<_>>());
    assert!(messages.iter().all(|message| !message.content.is_cut()));
    assert_eq!(messages[149].content.value().unwrap().len(), 3_000);
    assert_eq!(messages[0].typed_kind(), Some(MessageKind::Agent));
    assert_eq!(transcript.page_info.has_next_page, Some(false));

    gitlab.world().sessions[0].history = None;
    let missing = now_or_never(duo(&gitlab).transcript(workflow(7))).unwrap();
    assert_eq!((missing.messages, missing.total, missing.page_info.has_next_page), (None, None, None));
}
