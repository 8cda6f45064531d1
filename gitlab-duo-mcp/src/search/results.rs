//! Results of sessions and transcripts of any size: within the bound, and never refused for their size.

use gitlab_duo_core::model::ids::{MergeRequestIid, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{Instance, InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::PageInfo;
use gitlab_duo_core::model::project::{ProjectLink, ProjectPath};
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, CreatedWorkItem, History, Links, Message, MessageKind,
    Session, SessionRow, ToolCall,
};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_core::view::text::Pen;
use gitlab_duo_core::view::transcript::{MessageView, TranscriptView};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::limits::RESULT_BYTES;
use crate::reply::reply;
use crate::text;
use crate::tools::revision::Revision;
use crate::tools::run::Answer;

/// A text of any length, in a script of one to four bytes, or of characters that JSON writes as two.
fn text() -> impl Strategy<Value = String> {
    let unit = select(vec!["x", "a b\n", "ä", "中", "🚒", "\"", "\\", "/-"]);
    (unit, select(vec![0_usize, 1, 30, 250, 1_100, 5_000])).prop_map(|(unit, times)| unit.repeat(times))
}

fn links<T: Clone>(item: T, count: usize) -> Option<Links<T>> {
    Some(Links { items: vec![item; count], has_more: Some(false), hidden: 0 })
}

prop_compose! {
    fn session()(
        (_, status) in select(Status::known()),
        [goal, title, flow, state, url, body] in [text(), text(), text(), text(), text(), text()],
        [content, summary, name, arguments, log, error] in [text(), text(), text(), text(), text(), text()],
        path in select(vec![10_usize, 980]), calls in select(vec![0_usize, 1, 20, 60]), items in select(vec![0_usize, 3, 25]),
    ) -> Session {
        let path = ProjectPath::parse(&format!("acme/{}", "ä".repeat(path))).ok();
        let row = SessionRow {
            status: Some(status), goal: Some(goal), flow: Some(flow.clone()), agent_name: Some(flow), web_url: Some(url.clone()),
            title: Some(title.clone()), project: ProjectLink { id: ProjectId::new(1), path, web_url: None },
            ..SessionRow::unknown(WorkflowId::new(73).unwrap())
        };
        let message = Message {
            kind: MessageKind::Agent, role: None, content, status: Some("failure".to_owned()), tool: None, timestamp: None,
        };
        let call = Message { kind: MessageKind::Request, tool: Some(ToolCall { name, arguments: arguments.into() }), ..message.clone() };
        let messages: Vec<_> = std::iter::once(message).chain(vec![call; calls]).collect();
        let (title, state, web_url) = (Some(title), Some(state), Some(url));
        let merge_request = CreatedMergeRequest {
            iid: MergeRequestIid::new(7), title: title.clone(), state: state.clone(), web_url: web_url.clone(),
        };
        let work_item = CreatedWorkItem { iid: Some(7), title, state, web_url: web_url.clone() };
        let created = Created {
            merge_requests: links(merge_request, items), work_items: links(work_item, items),
            notes: links(CreatedNote { body: Some(body), url: web_url }, items),
        };
        Session {
            summary: Some(summary), created, job_logs: vec![log; items],
            history: Some(History { messages: Some(messages), errors: vec![error] }),
            ..Session::bare(row)
        }
    }
}

/// The whole result: within its bound, and no refusal.
fn told(structured: Value, text: String, revision: Revision) -> Result<Value, TestCaseError> {
    let result =
        serde_json::to_value(reply(Ok(Answer { structured, text, started: None }), revision)).unwrap();
    let bytes = result.to_string().len();
    prop_assert!(bytes <= RESULT_BYTES, "{} bytes", bytes);
    prop_assert!(result["isError"] != true, "{}", result);
    Ok(result)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_page_of_a_transcript_fits_into_a_result(
        [content, kind, name, arguments, status, time] in [text(), text(), text(), text(), text(), text()],
        rows in select(vec![1_usize, 20, 100]),
    ) {
        let message = Message {
            kind: MessageKind::read(&kind), role: None, content, status: Some(status), timestamp: Some(time),
            tool: Some(ToolCall { name, arguments: arguments.into() }),
        };
        let mut pen = Pen::default();
        let view = TranscriptView {
            workflow_id: "73".to_owned(),
            status: pen.text("status", Some("running"), 200),
            messages: Some((1..=rows).map(|number| MessageView::of(&message, number, rows, &mut pen)).collect()),
            total: Some(rows),
            page_info: PageInfo::default().into(),
            hints: Vec::new(),
            unavailable: Vec::new(),
            removed_characters: 0,
        };
        for revision in [Revision::Structured, Revision::Plain] {
            let result = told(serde_json::to_value(&view).unwrap(), text::transcript::tell(&view), revision)?;
            let shown = &result["structuredContent"]["messages"];
            prop_assert!(shown.is_null() || shown.as_array().is_some_and(|messages| messages.len() == rows));
        }
    }

    #[test]
    fn every_session_fits_into_a_result(session in session()) {
        let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
        let instance = Instance { url, support: Support::of(GitLabVersion::read("19.5.0-ee")) };
        let view = SessionView::of(&session, &instance, Vec::new(), Timestamp::UNIX_EPOCH);
        for revision in [Revision::Structured, Revision::Plain] {
            told(serde_json::to_value(&view).unwrap(), text::session::tell(&view), revision)?;
        }
    }
}
