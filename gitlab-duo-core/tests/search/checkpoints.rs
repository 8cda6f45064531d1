//! What a waiting session waits for.

use gitlab_duo_core::model::checkpoint::{Checkpoint, agent_began, failure_reason, latest_answer};
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::session::{History, Message, MessageKind, Session, SessionRow, ToolCall};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::texts::{json, odd_text};

fn tool_info() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("null".to_owned()),
        3 => (select(vec!["run_command", "edit_file", ""]), json())
            .prop_map(|(name, args)| json!({"name": name, "args": args}).to_string()),
        1 => json().prop_map(|value| value.to_string()),
        1 => odd_text(),
        // Cut in the middle, and nested deeper than is read.
        1 => select(vec![r#"{"name":"run_command","args":{"program":"#.to_owned(),
            format!(r#"{{"name":"rm","args":{}1{}}}"#, "[".repeat(200), "]".repeat(200))]),
    ]
}

pub(crate) fn message() -> impl Strategy<Value = Message> {
    let kind = select(vec!["request", "request", "agent", "tool", "user", "workflow_end", "", "Request"]);
    let role = proptest::option::of(select(vec!["assistant", "user", "tool", ""]).prop_map(str::to_owned));
    let status = proptest::option::of(select(vec!["success", "failure", "pending"]).prop_map(str::to_owned));
    (kind, role, prop_oneof![Just(String::new()), Just("  ".to_owned()), odd_text()], status, tool_info())
        .prop_map(|(kind, role, content, status, tool_info)| Message {
            kind: MessageKind::read(kind),
            role,
            content,
            status,
            tool: ToolCall::read(&tool_info),
            timestamp: None,
        })
}

fn waiting(status: Status, messages: Vec<Message>) -> Session {
    let row = SessionRow { status: Some(status), ..SessionRow::unknown(WorkflowId::new(73).unwrap()) };
    let history = Some(History { messages: Some(messages), errors: Vec::new() });
    Session { history, ..Session::bare(row) }
}

fn checkpoint(session: &Session) -> Option<Checkpoint> {
    Checkpoint::of(session, &Support::of(GitLabVersion::read("19.5.0-ee")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_tool_call_is_read_or_shown_as_it_came(text in tool_info()) {
        let call = ToolCall::read(&text);
        match serde_json::from_str::<Value>(&text) {
            Ok(Value::Object(info)) => {
                let call = call.unwrap();
                prop_assert_eq!(&call.arguments, info.get("args").unwrap_or(&Value::Null));
                if let Some(name) = info.get("name").and_then(Value::as_str) {
                    prop_assert_eq!(call.name, name);
                }
            }
            // GitLab's definition: a pending call is one whose `toolInfo` is an object.
            Ok(_) => prop_assert_eq!(call, None),
            Err(_) if text.trim().is_empty() => prop_assert_eq!(call, None),
            Err(_) => prop_assert_eq!(call.map(|call| call.arguments), Some(Value::String(text))),
        }
    }

    #[test]
    fn every_call_of_the_trailing_requests_is_shown(messages in proptest::collection::vec(message(), 0..7)) {
        let calls = checkpoint(&waiting(Status::ToolCallApprovalRequired, messages.clone())).unwrap().tool_calls.unwrap();
        let mut expected: Vec<_> = messages
            .iter()
            .rev()
            .take_while(|message| message.kind == MessageKind::Request)
            .map_while(|message| message.tool.clone())
            .collect();
        expected.reverse();
        prop_assert_eq!(calls, expected);
    }

    #[test]
    fn only_the_kind_of_the_checkpoint_decides_what_is_shown(
        (_, status) in select(Status::known()), messages in proptest::collection::vec(message(), 0..5),
    ) {
        let is_waiting = status.group().is_some_and(|group| group.name() == "awaiting_input");
        let found = checkpoint(&waiting(status.clone(), messages));
        prop_assert_eq!(found.is_some(), is_waiting);
        let Some(found) = found else { return Ok(()) };
        prop_assert_eq!(found.tool_calls.is_some(), status == Status::ToolCallApprovalRequired);
        prop_assert!(found.plan.is_none() || status == Status::PlanApprovalRequired);
    }

    #[test]
    fn the_question_and_the_answer_are_texts_of_the_session(messages in proptest::collection::vec(message(), 0..7)) {
        let contents: Vec<_> = messages.iter().map(|message| message.content.as_str()).collect();
        let session = waiting(Status::InputRequired, messages.clone());
        let found = checkpoint(&session).unwrap();
        prop_assert!(found.question.as_deref().is_none_or(|question| contents.contains(&question)));
        let answer = latest_answer(&messages);
        prop_assert!(answer.is_none_or(|answer| !answer.trim().is_empty() && contents.contains(&answer)));
        let has_agent = messages.iter().any(|message| message.kind == MessageKind::Agent && !message.content.trim().is_empty());
        prop_assert!(answer.is_some() || !has_agent);
        prop_assert_ne!(agent_began(&session), Some(false));
        let reason = failure_reason(session.history.as_ref().unwrap());
        prop_assert!(reason.is_none_or(|reason| contents.contains(&reason.as_str())));
    }
}
