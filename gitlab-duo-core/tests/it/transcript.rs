//! Reading the messages of a session.

use gitlab_duo_core::actions::read_transcript::{ReadTranscript, read_transcript};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{Message, MessageKind};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::policy::Access;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{gitlab, json as to_json, kind, message, now_or_never, session, waiting, workflow};

fn with(messages: Vec<Message>) -> MemoryGitLab {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(waiting(7, Status::Running, messages));
    gitlab
}

fn request(first: u32, after: Option<&str>) -> ReadTranscript {
    let after = after.map(Cursor::received);
    ReadTranscript { workflow_id: workflow(7), first: PageSize::new(first).unwrap(), after }
}

fn read(gitlab: &MemoryGitLab, first: u32, after: Option<&str>) -> Value {
    to_json(&now_or_never(read_transcript(gitlab, &Scope::default(), request(first, after))).unwrap())
}

fn numbers(view: &Value) -> Vec<u64> {
    view["messages"].as_array().unwrap().iter().map(|message| message["number"].as_u64().unwrap()).collect()
}

#[test]
fn the_newest_page_comes_first_and_new_messages_shift_nothing() {
    let messages = |count| vec![message(MessageKind::Agent, "said", "null"); count];
    let gitlab = with(messages(7));
    let newest = read(&gitlab, 3, None);
    assert_eq!((numbers(&newest), &newest["total"]), (vec![5, 6, 7], &json!(7)));
    let cursor = newest["pageInfo"]["endCursor"].as_str().unwrap().to_owned();
    gitlab.world().sessions[0] = waiting(7, Status::Running, messages(9));
    let older = read(&gitlab, 3, Some(&cursor));
    assert_eq!((numbers(&older), &older["total"]), (vec![2, 3, 4], &json!(9)));
    let cursor = older["pageInfo"]["endCursor"].as_str().unwrap().to_owned();
    let oldest = read(&gitlab, 3, Some(&cursor));
    assert_eq!(numbers(&oldest), [1]);
    assert_eq!(oldest["pageInfo"], json!({"hasNextPage": false, "endCursor": null}));
}

#[test]
fn a_message_shows_what_it_is_about_and_is_cut_with_marks() {
    let call = r#"{"name":"run_command","args":{"program":"ls"}}"#;
    let gitlab = with(vec![message(MessageKind::Tool, &"x".repeat(5_000), call)]);
    let view = read(&gitlab, 20, None)["messages"][0].clone();
    assert_eq!(
        (&view["kind"], &view["tool"], &view["arguments"]),
        (&json!("tool"), &json!("run_command"), &json!(r#"{"program":"ls"}"#))
    );
    assert_eq!((&view["content_truncated"], &view["content_chars"]), (&json!(true), &json!(5_000)));
}

#[test]
fn three_thousand_long_messages_give_a_bounded_page() {
    let gitlab = with(vec![message(MessageKind::Agent, &"ä".repeat(9_000), "null"); 3_000]);
    let view = read(&gitlab, 100, None);
    assert_eq!((numbers(&view).len(), &view["total"]), (100, &json!(3_000)));
    assert!(view.to_string().len() < 48 * 1024, "{}", view.to_string().len());
}

#[test]
fn a_cursor_of_another_list_or_session_is_refused_before_any_request() {
    let gitlab = with(Vec::new());
    for cursor in ["MjA", "transcript-8-3", "transcript-7-", "transcript-7--1", "transcript-7-x"] {
        let refused = now_or_never(read_transcript(&gitlab, &Scope::default(), request(20, Some(cursor))));
        assert_eq!(kind(refused), "invalid_arguments", "{cursor}");
    }
    assert!(gitlab.world().calls.is_empty());
}

#[test]
fn missing_history_is_unknown_and_an_empty_one_is_empty() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Failed));
    let missing = read(&gitlab, 20, None);
    assert_eq!(
        (&missing["messages"], &missing["total"], &missing["pageInfo"]["hasNextPage"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert!(missing["hints"][0].as_str().unwrap().contains("unknown, not empty"));
    let empty = read(&with(Vec::new()), 20, None);
    assert_eq!((&empty["messages"], &empty["pageInfo"]["hasNextPage"]), (&json!([]), &json!(false)));
}

#[test]
fn refusals_come_before_any_message_is_read() {
    let gitlab = with(Vec::new());
    let off = Scope { access: Access::Off, ..Scope::default() };
    assert_eq!(kind(now_or_never(read_transcript(&gitlab, &off, request(20, None)))), "policy");
    assert!(gitlab.world().calls.is_empty());
    let old = crate::world::gitlab("17.2.0");
    assert_eq!(kind(now_or_never(read_transcript(&old, &Scope::default(), request(20, None)))), "version");
    assert_eq!(old.world().calls, ["instance"]);
}

#[test]
fn messages_of_another_session_are_never_shown_and_missing_details_are_listed() {
    let other = Through { session: |session| session.row.id = workflow(8), ..Through::new(with(Vec::new())) };
    let read = now_or_never(read_transcript(&other, &Scope::default(), request(20, None)));
    assert_eq!(kind(read), "unreadable");
    let through = Through::new(with(Vec::new()));
    let view = now_or_never(read_transcript(&through, &Scope::default(), request(20, None))).unwrap();
    assert_eq!(to_json(&view)["unavailable"], json!([{"detail": "of_the_session", "since": "19.5"}]));
}

#[test]
fn no_message_is_fetched_before_the_project_is_admitted() {
    let gitlab = with(Vec::new());
    let elsewhere = Scope { allowed_projects: Some([ProjectId::new(1).unwrap()].into()), ..Scope::default() };
    assert_eq!(kind(now_or_never(read_transcript(&gitlab, &elsewhere, request(20, None)))), "policy");
    assert_eq!(gitlab.world().calls, ["instance", "session_project"]);
}
