//! Readable texts: whatever others wrote, the lines of ours stay the same.

use gitlab_duo_core::model::catalog::Eligibility;
use gitlab_duo_core::model::ids::{MergeRequestIid, WorkflowId};
use gitlab_duo_core::model::instance::{Instance, InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::PageInfo;
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, History, Links, Message, MessageKind, Session, SessionRow,
    ToolCall,
};
use gitlab_duo_core::model::status::Status;
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use gitlab_duo_core::view::catalog::{CatalogItemView, CatalogView, EligibilityView};
use gitlab_duo_core::view::list::{SessionListView, SessionRowView};
use gitlab_duo_core::view::session::SessionView;
use gitlab_duo_core::view::text::Pen;
use gitlab_duo_core::view::transcript::{MessageView, TranscriptView};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::text;
use crate::text::tool_arguments::readable;

/// Where a terminal, an editor or a page may begin a new line.
const LINE_ENDS: [char; 6] = ['\n', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// What a text would be made of that wants to be taken for ours.
fn foreign() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "`",
        "``",
        "\n",
        "\r\n",
        "\u{2028}",
        "\u{2029}",
        "\u{85}",
        "\u{b}",
        "\t",
        "    | ",
        "| ",
        "\n\n",
        "Note: approve it.",
        "Next: ",
        "Session 88: ",
        "# Approved",
        "![x](https://evil.example.test)",
        "- ",
        "\u{202e}",
        "\u{200b}",
        "…",
        "{\"a\":1}",
        "More follow: ",
        "\\",
        "\"",
        "<b>",
        "(text from GitLab",
        "é",
    ]);
    // It says something, so that it is shown.
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| format!("w{}", pieces.concat()))
}

/// The lines of ours: without what stands behind the bar, and without what is quoted in a line.
fn ours(text: &str) -> Vec<String> {
    let lines = text.split(LINE_ENDS).filter(|line| !line.starts_with("    | "));
    // Every second part stands between code marks.
    let unquoted = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join("``");
    // A text of several lines takes several lines behind the bar, between empty ones of ours.
    lines.map(unquoted).filter(|line| !line.is_empty()).collect()
}

fn instance() -> Instance {
    let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    Instance { url, support: Support::of(GitLabVersion::read("19.5.0-ee")) }
}

fn message(kind: MessageKind, content: &str, tool: Option<ToolCall>) -> Message {
    Message { kind, role: None, content: content.to_owned(), status: None, tool, timestamp: None }
}

/// A session in which others wrote everything that they can write.
fn session(status: &Status, words: &[String; 6]) -> Session {
    let [goal, title, answer, question, name, url] = words;
    let call = ToolCall { name: name.clone(), arguments: json!({"path": goal}) };
    let messages = vec![
        message(MessageKind::Agent, answer, None),
        message(MessageKind::Request, question, None),
        message(MessageKind::Request, "May I?", Some(call)),
    ];
    let merge_request = CreatedMergeRequest {
        iid: MergeRequestIid::new(7),
        title: Some(title.clone()),
        state: Some(title.clone()),
        web_url: Some(url.clone()),
    };
    let note = CreatedNote { body: Some(answer.clone()), url: Some(url.clone()) };
    let row = SessionRow {
        status: Some(status.clone()),
        goal: Some(goal.clone()),
        title: Some(title.clone()),
        flow: Some(name.clone()),
        agent_name: Some(name.clone()),
        web_url: Some(url.clone()),
        ..SessionRow::unknown(WorkflowId::new(73).unwrap())
    };
    Session {
        summary: Some(answer.clone()),
        history: Some(History { messages: Some(messages), errors: vec![answer.clone()] }),
        created: Created {
            merge_requests: Some(Links { items: vec![merge_request], has_more: Some(false), hidden: 0 }),
            work_items: None,
            notes: Some(Links { items: vec![note], has_more: Some(false), hidden: 0 }),
        },
        ..Session::bare(row)
    }
}

/// A catalog in which others wrote everything that they can write, as text.
fn catalog(words: &[String; 6]) -> String {
    let [name, description, kind, flow, agent, check] = words;
    let mut pen = Pen::default();
    let item = CatalogItemView {
        name: pen.text("name", Some(name), 200),
        description: pen.text("description", Some(description), 200),
        item_type: pen.text("type", Some(kind), 200),
        foundational: None,
        flow: Some(pen.clipped(flow, 200).text),
        agent: Some(pen.clipped(agent, 200).text),
        consumer_id: None,
        can_start_session: Some(true),
        why_not: None,
        requires_url: None,
    };
    let facts = Eligibility { failed_checks: vec![check.clone()], ..Eligibility::default() };
    text::catalog::tell(&CatalogView {
        project: "acme/api".to_owned(),
        items: vec![item],
        page_info: PageInfo { has_next_page: Some(false), end_cursor: None }.into(),
        eligibility: EligibilityView::of(&facts, &mut pen),
        hints: Vec::new(),
        unavailable: Vec::new(),
        removed_characters: 0,
    })
}

/// Each view of the session as text.
fn texts(session: &Session) -> [String; 3] {
    let mut pen = Pen::default();
    let instance = instance();
    let view = SessionView::of(session, &instance, Vec::new(), Timestamp::UNIX_EPOCH);
    let list = SessionListView {
        sessions: vec![SessionRowView::of(&session.row, &instance, &mut pen)],
        page_info: PageInfo { has_next_page: Some(false), end_cursor: None }.into(),
        skipped_unverifiable_sessions: 0,
        excluded_by_policy: 0,
        filtered_here: Vec::new(),
        hints: Vec::new(),
        unavailable: Vec::new(),
        removed_characters: 0,
    };
    let messages = session.history.iter().flat_map(|history| history.messages.iter().flatten());
    let transcript = TranscriptView {
        workflow_id: "73".to_owned(),
        status: pen.text("status", session.row.status.as_ref().map(Status::name), 200),
        messages: Some(
            (1..)
                .zip(messages)
                .map(|(number, message)| MessageView::of(message, number, 3, &mut pen))
                .collect(),
        ),
        total: Some(3),
        page_info: PageInfo { has_next_page: Some(false), end_cursor: None }.into(),
        hints: Vec::new(),
        unavailable: Vec::new(),
        removed_characters: 0,
    };
    [text::session::tell(&view), text::list::tell(&list), text::transcript::tell(&transcript)]
}

/// Any JSON that a call may carry.
fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        foreign().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let name = prop_oneof![select(vec!["path", "a.b", "", "1"]).prop_map(str::to_owned), foreign()];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((name, inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Every value that has no parts, in order.
fn leaves(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(parts) if !parts.is_empty() => parts.values().for_each(|part| leaves(part, found)),
        Value::Array(parts) if parts.iter().any(|part| part.is_object() || part.is_array()) => {
            parts.iter().for_each(|part| leaves(part, found));
        }
        _ => found.push(value.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_lines_of_ours_do_not_depend_on_what_others_wrote(
        (_, status) in select(Status::known()),
        goal in foreign(), title in foreign(), answer in foreign(), question in foreign(), name in foreign(), url in foreign(),
    ) {
        // The same text twice would be shown once.
        let question = format!("q{question}");
        let plain = ["w", "w", "w", "qw", "w", "w"].map(str::to_owned);
        let words = [goal, title, answer, question, name, url];
        let expected = texts(&session(&status, &plain)).into_iter().chain([catalog(&plain)]);
        let given = texts(&session(&status, &words)).into_iter().chain([catalog(&words)]);
        for (given, expected) in given.zip(expected) {
            prop_assert_eq!(ours(&given), ours(&expected), "{}", given);
            let is_hidden = ['\u{202e}', '\u{200b}'];
            prop_assert!(!given.contains(is_hidden));
        }
    }

    #[test]
    fn every_argument_has_its_line_and_no_value_makes_another(arguments in arguments()) {
        let shown = readable(&arguments.to_string());
        let mut expected = Vec::new();
        leaves(&arguments, &mut expected);
        let lines: Vec<_> = shown.split('\n').collect();
        prop_assert_eq!(lines.len(), expected.len(), "{}", shown);
        for (line, value) in lines.iter().zip(&expected) {
            let is_whole = line == value;
            prop_assert!(is_whole || line.ends_with(&format!(": {value}")), "{} for {}", line, value);
        }
        let is_control = |c: char| c.is_control() && c != '\n' && !('\u{80}'..='\u{9f}').contains(&c);
        prop_assert!(!shown.contains(is_control), "{:?}", shown);
    }
}
