//! The view of a session is bounded, however large the session.

use gitlab_duo_core::model::ids::{MergeRequestIid, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{Instance, InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{ProjectLink, ProjectPath};
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, CreatedWorkItem, History, Links, Message, Permissions,
    Session, SessionRow, ToolCall,
};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use gitlab_duo_core::view::session::SessionView;
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::checkpoints::message;
use crate::texts::{long_text, odd_text};

/// Mostly around the limits of titles and links; a few of any length.
fn long() -> impl Strategy<Value = Option<String>> {
    let text = prop_oneof![9 => long_text(400), 3 => long_text(1_500), 1 => long_text(9_000)];
    proptest::option::weighted(0.9, text)
}

fn links<T: Clone + std::fmt::Debug>(
    item: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<Links<T>>> {
    let count = select(vec![0_usize, 1, 20, 21]);
    let links = (item, count, any::<Option<bool>>(), 0_usize..3)
        .prop_map(|(item, count, has_more, hidden)| Links { items: vec![item; count], has_more, hidden });
    proptest::option::of(links)
}

fn created() -> impl Strategy<Value = Created> {
    let merge_request = (long(), long(), long()).prop_map(|(title, state, web_url)| CreatedMergeRequest {
        iid: MergeRequestIid::new(317),
        title,
        state,
        web_url,
    });
    let work_item = (any::<Option<u64>>(), long(), long(), long())
        .prop_map(|(iid, title, state, web_url)| CreatedWorkItem { iid, title, state, web_url });
    let note = (long(), long()).prop_map(|(body, url)| CreatedNote { body, url });
    (links(merge_request), links(work_item), links(note))
        .prop_map(|(merge_requests, work_items, notes)| Created { merge_requests, work_items, notes })
}

fn messages() -> impl Strategy<Value = Vec<Message>> {
    let call = (long_text(400), long_text(3_000))
        .prop_map(|(name, arguments)| ToolCall { name, arguments: arguments.into() });
    (proptest::collection::vec(message(), 1..5), long(), call, select(vec![0_usize, 1, 8, 50, 70])).prop_map(
        |(mut messages, content, call, calls)| {
            let last = messages.last().cloned().unwrap();
            messages.push(Message { content: content.unwrap_or_default(), ..last.clone() });
            let kind = gitlab_duo_core::model::session::MessageKind::Request;
            messages.extend(vec![Message { kind, tool: Some(call), ..last }; calls]);
            messages
        },
    )
}

fn row() -> impl Strategy<Value = SessionRow> {
    let status = prop_oneof![
        3 => select(Status::known()).prop_map(|(_, status)| status.clone()),
        1 => long_text(2_000).prop_map(|text| Status::read(&text)),
    ];
    let path = "[a-z]{1,9}(/[a-z]{1,9}){1,3}".prop_map(|path| ProjectPath::parse(&path).ok());
    let wide_path =
        (1_usize..4_000).prop_map(|times| ProjectPath::parse(&format!("acme/{}", "x".repeat(times))).ok());
    let time = (0_i64..4_000_000_000).prop_map(|second| Timestamp::from_second(second).ok());
    (
        (1_u64..=i64::MAX as u64, status, time),
        prop_oneof![path, wide_path],
        [long(), long(), long(), long(), long(), long()],
    )
        .prop_map(
            |((id, status, created_at), path, [goal, title, flow, agent_name, project_url, web_url])| {
                SessionRow {
                    status: Some(status),
                    goal,
                    title,
                    flow,
                    agent_name,
                    project: ProjectLink { id: ProjectId::new(4021), path, web_url: project_url },
                    web_url,
                    created_at,
                    ..SessionRow::unknown(WorkflowId::new(id).unwrap())
                }
            },
        )
}

fn session() -> impl Strategy<Value = Session> {
    let errors = proptest::collection::vec(long_text(2_000), 0..3);
    let job_logs = (long_text(1_500), 0_usize..30).prop_map(|(url, count)| vec![url; count]);
    let may = (any::<Option<bool>>(), any::<Option<bool>>())
        .prop_map(|(resume, update)| Permissions { resume, update });
    (
        row(),
        long(),
        may,
        proptest::option::of((proptest::option::of(messages()), errors)),
        created(),
        job_logs,
    )
        .prop_map(|(row, summary, permissions, history, created, job_logs)| Session {
            summary,
            permissions,
            history: history.map(|(messages, errors)| History { messages, errors }),
            created,
            job_logs,
            ..Session::bare(row)
        })
}

fn instance() -> Instance {
    let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    Instance { url, support: Support::of(GitLabVersion::read("19.5.0-ee")) }
}

/// Most characters of a text, by the name of its field.
fn limit(name: &str) -> usize {
    match name {
        "goal" | "body" => 160,
        "status" | "status_group" | "title" | "flow" | "agent" | "state" | "name" => 200,
        "answer" | "question" | "plan" => 4_000,
        "arguments" => 2_000,
        _ => 1_000,
    }
}

/// Every text within its limit; the characters of all of them.
fn texts_within(name: &str, value: &Value) -> Result<usize, TestCaseError> {
    match value {
        Value::String(text) => {
            let chars = text.chars().count();
            prop_assert!(chars <= limit(name), "{}: {}", name, chars);
            Ok(chars)
        }
        Value::Array(items) => {
            let most = match name {
                "tool_calls" => 50,
                "job_logs" => 10,
                _ => 20,
            };
            prop_assert!(items.len() <= most, "{}: {}", name, items.len());
            items.iter().map(|item| texts_within(name, item)).sum()
        }
        Value::Object(fields) => {
            for (name, chars) in
                fields.iter().filter_map(|(name, chars)| Some((name.strip_suffix("_chars")?, chars)))
            {
                prop_assert_eq!(&fields[&format!("{name}_truncated")], &Value::Bool(true));
                prop_assert!(chars.as_u64().unwrap() as usize > limit(name).min(320), "{}", name);
            }
            fields.iter().map(|(name, value)| texts_within(name, value)).sum()
        }
        _ => Ok(0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_text_of_a_session_is_within_its_limit(session in session()) {
        let now = Timestamp::from_second(4_000_000_000).unwrap();
        let view = SessionView::of(&session, &instance(), Vec::new(), now);
        let written = serde_json::to_value(&view).unwrap();
        texts_within("", &written)?;
        let arguments: usize = written["pending_input"]["tool_calls"].as_array().into_iter().flatten()
            .map(|call| call["arguments"].as_str().unwrap().chars().count()).sum();
        prop_assert!(arguments <= 16_000, "{}", arguments);
        prop_assert_eq!(written["workflow_id"].as_str().unwrap(), session.row.id.to_string());
        // Seconds since then, never negative.
        prop_assert!(written["created_for_seconds"].as_i64().is_none_or(|seconds| seconds >= 0));
    }

    #[test]
    fn nothing_of_a_session_becomes_a_hint(
        mut session in session(), mark in odd_text().prop_map(|text| format!("zq{text}")),
    ) {
        let hints = |session: &Session| SessionView::of(session, &instance(), Vec::new(), Timestamp::UNIX_EPOCH).hints;
        let before = hints(&session);
        session.row.goal = Some(mark.clone());
        session.row.title = Some(mark.clone());
        session.summary = Some(mark);
        prop_assert_eq!(hints(&session), before);
    }
}
