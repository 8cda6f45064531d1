//! Arguments as nobody should send them: understood, or refused by name.

use std::fmt;

use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Number, Value, json};

use crate::arguments::door::Door;
use crate::arguments::parse::parse;
use crate::spec::compact::{BROWSE, MANAGE};
use crate::spec::gitlab::{DISCOVER, GET, LIST, SEND_INPUT, START, STOP};
use crate::spec::tool::ToolSpec;

const NAMES: [&str; 20] = [
    "action",
    "project_id",
    "workflow_id",
    "item_type",
    "status_group",
    "statuses",
    "first",
    "after",
    "flow",
    "consumer_id",
    "ai_catalog_item_consumer_id",
    "flow_item_id",
    "agent",
    "goal",
    "url",
    "dry_run",
    "allow_duplicate",
    "human_approval",
    "human_message",
    "wait",
];

/// A tool, told by its name.
#[derive(Clone, Copy)]
struct Tool(&'static ToolSpec);

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name)
    }
}

fn tool() -> impl Strategy<Value = Tool> {
    let own = [&DISCOVER, &LIST, &GET, &START, &SEND_INPUT, &STOP];
    select([&BROWSE, &MANAGE].into_iter().chain(own).map(Tool).collect::<Vec<_>>())
}

fn parsed(tool: Tool, arguments: &Map<String, Value>) -> Result<String, DuoError> {
    let instance = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    let scope = Scope::default();
    let door = Door { instance: &instance, scope: &scope, now: Timestamp::UNIX_EPOCH };
    parse(tool.0, arguments, &[], &door).map(|call| format!("{call:?}"))
}

/// Values of every type, most of them near something that is understood.
fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        select(vec![
            json!(null),
            json!(true),
            json!(false),
            json!(""),
            json!(" "),
            json!("null"),
            json!("true"),
            json!("FALSE"),
            json!(0),
            json!(-1),
            json!(1),
            json!(100),
            json!(101),
            json!(73),
            json!(73.0),
            json!(7.5),
            json!(1e300),
            json!("73"),
            json!(u64::MAX),
            json!(i64::MAX),
            json!([]),
            json!({}),
            json!(["running"]),
            json!([null]),
            json!("[\"running\"]"),
            json!("["),
            json!("list"),
            json!("get"),
            json!("start"),
            json!("send_input"),
            json!("stop"),
            json!("acme/api"),
            json!("active"),
            json!("developer/v1"),
            json!("https://git.example.test/acme/api/-/pipelines/7"),
        ]),
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        (1_900_usize..2_100).prop_map(|chars| Value::from("ä".repeat(chars))),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![9 => select(&NAMES[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

/// A call that is understood.
fn good() -> impl Strategy<Value = (Tool, Value)> {
    select(vec![
        (Tool(&BROWSE), json!({"action": "agents_and_flows", "project_id": "acme/api"})),
        (Tool(&BROWSE), json!({"action": "list"})),
        (Tool(&BROWSE), json!({"action": "get", "workflow_id": "73"})),
        (
            Tool(&MANAGE),
            json!({"action": "start", "project_id": "acme/api", "consumer_id": "91", "goal": "tidy up"}),
        ),
        (Tool(&MANAGE), json!({"action": "send_input", "workflow_id": "73", "human_approval": false})),
        (Tool(&MANAGE), json!({"action": "stop", "workflow_id": "73"})),
        (Tool(&DISCOVER), json!({"project_id": "acme/api"})),
        (Tool(&LIST), json!({})),
        (Tool(&GET), json!({"workflow_id": 73})),
        (Tool(&START), json!({"url": "https://git.example.test/acme/api", "goal": "tidy up"})),
        (Tool(&START), json!({"project_id": 4021, "flow_item_id": 390, "goal": "tidy up"})),
        (Tool(&SEND_INPUT), json!({"workflow_id": 73, "human_approval": false})),
        (Tool(&STOP), json!({"workflow_id": 73})),
    ])
}

fn check_refusal(error: &DuoError) -> Result<(), TestCaseError> {
    prop_assert_eq!(error.kind.name(), "invalid_arguments");
    prop_assert!((1..1_200).contains(&error.message.chars().count()), "{}", error.message);
    let is_hidden =
        |c: char| c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    prop_assert!(!error.message.contains(is_hidden), "{:?}", error.message);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_are_understood_or_refused_by_name(
        tool in tool(), fields in proptest::collection::vec((name(), odd_value()), 0..7),
    ) {
        if let Err(error) = parsed(tool, &fields.into_iter().collect()) {
            check_refusal(&error)?;
        }
    }

    #[test]
    fn one_odd_argument_spoils_nothing_else((tool, call) in good(), name in name(), value in odd_value()) {
        let mut call = call.as_object().unwrap().clone();
        call.insert(name, value);
        if let Err(error) = parsed(tool, &call) {
            check_refusal(&error)?;
        }
    }

    #[test]
    fn null_and_blank_are_absence((tool, call) in good(), name in select(&NAMES[..19]), blank in select(vec!["", " ", "\n"])) {
        let with = |value: Option<Value>| {
            let mut call = call.as_object().unwrap().clone();
            call.remove(name);
            call.extend(value.map(|value| (name.to_owned(), value)));
            parsed(tool, &call).map_err(|error| error.kind)
        };
        let absent = with(None);
        // A name that this tool does not have is refused whatever it holds.
        if tool.0.actions.iter().any(|action| action.takes(name)) {
            prop_assert_eq!(with(Some(Value::Null)), absent.clone());
            prop_assert_eq!(with(Some(Value::from(blank))), absent);
        }
    }

    #[test]
    fn a_decision_is_never_guessed(value in odd_value()) {
        let own = json!({"workflow_id": "73", "human_approval": value});
        let mut call = own.clone();
        call["action"] = json!("send_input");
        let is_decision = match &value {
            Value::Bool(_) => true,
            Value::String(text) => matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "false"),
            _ => false,
        };
        for (tool, call) in [(&MANAGE, call), (&SEND_INPUT, own)] {
            prop_assert_eq!(parsed(Tool(tool), call.as_object().unwrap()).is_ok(), is_decision);
        }
    }

    #[test]
    fn an_id_is_the_same_as_number_and_as_text(id in prop_oneof![any::<u64>(), 1_u64..100]) {
        let call = |id: Value| {
            let call = json!({"action": "get", "workflow_id": id});
            parsed(Tool(&BROWSE), call.as_object().unwrap()).map_err(|error| error.kind)
        };
        let by_number = call(json!(id));
        prop_assert_eq!(by_number.is_ok(), (1..=i64::MAX as u64).contains(&id));
        prop_assert_eq!(&by_number, &call(json!(id.to_string())));
        if let Ok(call) = by_number {
            let exact = format!("WorkflowId({id})");
            prop_assert!(call.contains(&exact));
        }
    }

    #[test]
    fn a_cursor_goes_as_it_came(cursor in "[!-~äöü]{1,60}") {
        prop_assume!(!["null", "none", "undefined"].contains(&cursor.to_ascii_lowercase().as_str()));
        let call = json!({"action": "list", "after": cursor});
        let expected = format!("Cursor({cursor:?})");
        prop_assert!(parsed(Tool(&BROWSE), call.as_object().unwrap()).unwrap().contains(&expected));
    }

    #[test]
    fn an_unknown_argument_is_refused((tool, call) in good(), name in "[a-z_]{1,12}", value in odd_value()) {
        prop_assume!(!NAMES[..19].contains(&name.as_str()));
        let mut call = call.as_object().unwrap().clone();
        call.insert(name.clone(), value);
        let error = parsed(tool, &call).unwrap_err();
        check_refusal(&error)?;
        let shown = format!("`{name}`");
        prop_assert!(error.message.contains(&shown), "{}", error.message);
    }
}
