//! Readable texts: whatever others wrote, the lines of ours stay the same.

use futures_util::FutureExt;
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::actions::read_transcript::{ReadTranscript, read_transcript};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, FoundationalAgent, ItemType};
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId, MergeRequestIid, ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::{PageInfo, PageSize};
use gitlab_duo_core::model::project::{Project, ProjectPath, ProjectRef};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{AgentReference, FlowReference};
use gitlab_duo_core::model::session::{
    Created, CreatedMergeRequest, CreatedNote, History, Links, Message, MessageKind, Session, SessionRow,
    ToolCall,
};
use gitlab_duo_core::model::status::Status;
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

fn instance() -> InstanceUrl {
    InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap()
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

/// A GitLab with this session in a project.
fn gitlab(session: Option<Session>) -> MemoryGitLab {
    let gitlab = MemoryGitLab::new(instance(), "19.5.0-ee");
    let path = ProjectPath::parse("acme/api").unwrap();
    gitlab.world().projects = vec![Project { id: ProjectId::new(4021).unwrap(), path, web_url: None }];
    gitlab.world().sessions = session.into_iter().collect();
    gitlab.world().page_info = PageInfo { has_next_page: Some(false), end_cursor: None };
    gitlab
}

/// What the double answers is there at once.
fn now<T>(answer: impl Future<Output = Result<T, DuoError>>) -> T {
    answer.now_or_never().unwrap().unwrap()
}

/// A catalog in which others wrote everything that they can write, as text.
fn catalog(words: &[String; 6]) -> String {
    let [name, description, kind, flow, agent, check] = words;
    let gitlab = gitlab(None);
    let item = CatalogItem {
        id: CatalogItemId::new(5),
        name: Some(name.clone()),
        description: Some(description.clone()),
        item_type: Some(ItemType::Other(kind.clone())),
        foundational: None,
        flow: FlowReference::new(flow),
    };
    let consumer = Consumer {
        id: ConsumerId::new(6),
        enabled: Some(true),
        item: Some(item),
        project_path: ProjectPath::parse("acme/api").ok(),
        released: Some(true),
        may_execute: Some(true),
    };
    let reference = AgentReference::new(agent).unwrap();
    let agent = FoundationalAgent { name: Some(name.clone()), description: None, reference };
    {
        let mut world = gitlab.world();
        world.consumers = vec![consumer];
        world.agents = vec![agent];
        world.eligibility.failed_checks = vec![check.clone()];
    }
    let request = AgentsAndFlows {
        project: ProjectRef::Id(ProjectId::new(4021).unwrap()),
        item_type: None,
        first: PageSize::default(),
        after: None,
    };
    text::catalog::tell(&now(agents_and_flows(&gitlab, &Scope::default(), request)))
}

/// Each view of the session as text.
fn texts(session: &Session) -> [String; 3] {
    let gitlab = gitlab(Some(session.clone()));
    let (scope, workflow_id) = (Scope::default(), session.row.id);
    let get = GetSession { workflow_id, now: Timestamp::UNIX_EPOCH };
    let read = ReadTranscript { workflow_id, first: PageSize::default(), after: None };
    [
        text::session::tell(&now(get_session(&gitlab, &scope, get))),
        text::list::tell(&now(list_sessions(&gitlab, &scope, ListSessions::default()))),
        text::transcript::tell(&now(read_transcript(&gitlab, &scope, read))),
    ]
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
