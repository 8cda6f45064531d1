//! Whole calls: JSON in, a request of core or a refusal by name out.

use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use jiff::Timestamp;
use serde_json::json;

use super::*;
use crate::spec::compact::{BROWSE, MANAGE};

fn parsed(spec: &ToolSpec, arguments: Value, scope: &Scope) -> Result<String, DuoError> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let instance = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    let door = Door { instance: &instance, scope, now: Timestamp::UNIX_EPOCH };
    parse(spec, &arguments, &[], &door).map(|call| format!("{call:?}"))
}

/// The call holds every part of `expected`.
fn accepts(spec: &ToolSpec, arguments: Value, expected: &[&str]) {
    let call = parsed(spec, arguments.clone(), &Scope::default());
    let call = call.unwrap_or_else(|error| panic!("{arguments}: {}", error.message));
    for part in expected {
        assert!(call.contains(part), "{arguments}: {call} lacks {part}");
    }
}

/// The refusal's sentence holds every part of `expected`.
fn refuses(spec: &ToolSpec, arguments: Value, expected: &[&str]) {
    let error = parsed(spec, arguments.clone(), &Scope::default()).expect_err("a refusal");
    assert_eq!(error.kind.name(), "invalid_arguments", "{arguments}");
    for part in expected {
        assert!(error.message.contains(part), "{arguments}: {} lacks {part}", error.message);
    }
}

fn only_project(id: u64) -> Scope {
    Scope { allowed_projects: Some([ProjectId::new(id).unwrap()].into()), ..Scope::default() }
}

#[test]
fn a_list_takes_nulls_and_blanks_for_nothing() {
    let nothing = json!({"action": "list", "project_id": null, "after": null, "first": null});
    accepts(&BROWSE, nothing, &["ListSessions", "project: None", "after: None", "PageSize(20)"]);
    let blanks = json!({"action": "list", "project_id": "", "after": "", "statuses": "", "status_group": ""});
    accepts(&BROWSE, blanks, &["project: None", "status_group: None", "statuses: []"]);
}

#[test]
fn a_list_is_narrowed_by_project_and_status() {
    let arguments =
        json!({"action": "list", "project_id": 4711, "statuses": "running,input_required", "first": "5"});
    let expected = ["ProjectId(4711)", "statuses: [Running, InputRequired]", "PageSize(5)"];
    accepts(&BROWSE, arguments, &expected);
    let arguments = json!({"action": "LIST", "project_id": "acme%2Fapi", "status_group": "AWAITING_INPUT"});
    accepts(&BROWSE, arguments, &["acme/api", "Some(AwaitingInput)"]);
    refuses(
        &BROWSE,
        json!({"action": "list", "status_group": "waiting"}),
        &["`status_group`", "`awaiting_input`"],
    );
    refuses(&BROWSE, json!({"action": "list", "after": "null"}), &["`after` is the word `null`"]);
}

#[test]
fn a_cursor_is_kept_exactly_as_received() {
    accepts(&BROWSE, json!({"action": "list", "after": " eyJpZCI6IjEifQ== "}), &["\" eyJpZCI6IjEifQ== \""]);
}

#[test]
fn the_word_null_is_no_project_and_no_session() {
    for word in ["null", "None", "undefined", "NULL"] {
        let project = json!({"action": "agents_and_flows", "project_id": word});
        refuses(&BROWSE, project, &["`project_id` is the word"]);
        refuses(&BROWSE, json!({"action": "get", "workflow_id": word}), &["`workflow_id` is the word"]);
    }
}

#[test]
fn a_session_is_named_by_text_number_or_global_id() {
    for id in [json!("73"), json!(73), json!(" 73 "), json!("gid://gitlab/Ai::DuoWorkflows::Workflow/73")] {
        accepts(&BROWSE, json!({"action": "get", "workflow_id": id}), &["GetSession", "WorkflowId(73)"]);
    }
    let beyond_doubles = json!({"action": "get", "workflow_id": 9_007_199_254_740_993_u64});
    accepts(&BROWSE, beyond_doubles, &["WorkflowId(9007199254740993)"]);
    refuses(&BROWSE, json!({"action": "get"}), &["`workflow_id` is missing"]);
    refuses(&BROWSE, json!({"action": "get", "workflow_id": 0}), &["`workflow_id`", "not a session id"]);
}

#[test]
fn a_wait_is_whole_seconds_up_to_300_and_zero_is_none() {
    let get = |wait: Value| json!({"action": "get", "workflow_id": "73", "wait_seconds": wait});
    for none in [json!(0), json!("0"), json!(null), json!("")] {
        accepts(&BROWSE, get(none), &["GetSession"]);
    }
    for wait in [json!(45), json!("45"), json!(45.0)] {
        accepts(&BROWSE, get(wait), &["WaitSession", "WaitSeconds(45)"]);
    }
    for wrong in [json!(301), json!(-1), json!(1.5), json!("soon"), json!(true), json!([5])] {
        refuses(&BROWSE, get(wrong), &["`wait_seconds` must be a whole number of seconds from 0 to 300"]);
    }
    refuses(&BROWSE, json!({"action": "list", "wait_seconds": 5}), &["`wait_seconds`"]);
}

#[test]
fn a_transcript_takes_a_page_and_a_cursor() {
    let arguments =
        json!({"action": "transcript", "workflow_id": 73, "first": "5", "after": "transcript-73-9"});
    accepts(&BROWSE, arguments, &["ReadTranscript", "WorkflowId(73)", "PageSize(5)", "transcript-73-9"]);
}

#[test]
fn an_action_is_named_and_belongs_to_its_tool() {
    refuses(&BROWSE, json!({}), &["`action` is missing", "`agents_and_flows`, `list`, `get`"]);
    refuses(&BROWSE, json!({"action": null}), &["`action` is missing"]);
    refuses(&BROWSE, json!({"action": 3}), &["`action` must be text"]);
    refuses(&BROWSE, json!({"action": "history"}), &["`history` is no action of `browse_duo_sessions`"]);
    let arguments = json!({"action": "stop", "workflow_id": "73"});
    let error = parsed(&BROWSE, arguments, &Scope::default()).unwrap_err();
    assert!(error.next_step.contains("`manage_duo_session`"), "{}", error.next_step);
}

#[test]
fn unknown_arguments_are_refused_by_name_with_the_accepted_ones() {
    let unknown = json!({"action": "get", "workflow_id": "73", "session": "73"});
    refuses(&BROWSE, unknown, &["`session` is no argument", "`get` takes `workflow_id`"]);
    // A typing error is one also when its value is null.
    let unknown = json!({"action": "get", "workflow_id": "73", "sesion": null});
    refuses(&BROWSE, unknown, &["`sesion`"]);
}

#[test]
fn arguments_of_another_action_are_refused_unless_they_say_nothing() {
    let filled_in =
        json!({"action": "get", "workflow_id": "73", "project_id": null, "item_type": "", "first": null});
    accepts(&BROWSE, filled_in, &["GetSession"]);
    let foreign = json!({"action": "get", "workflow_id": "73", "first": 5});
    refuses(&BROWSE, foreign, &["`first` is an argument of `agents_and_flows`, `list`", "`get` takes"]);
}

#[test]
fn exactly_one_selector_says_what_to_start() {
    let start = |selectors: Value| {
        let mut arguments = json!({"action": "start", "project_id": "acme/api", "goal": "tidy up"});
        let Value::Object(selectors) = selectors else { panic!("selectors are an object") };
        arguments.as_object_mut().unwrap().extend(selectors);
        arguments
    };
    let one = start(json!({"consumer_id": "91", "flow": null, "agent": ""}));
    accepts(
        &MANAGE,
        one,
        &["StartSession(", "Consumer(ConsumerId(91))", "Some(\"tidy up\")", "duplicates: Refuse"],
    );
    accepts(&MANAGE, start(json!({"flow": "developer/v1"})), &["Flow(FlowReference(\"developer/v1\"))"]);
    accepts(&MANAGE, start(json!({"agent": "duo_planner/v1"})), &["Agent("]);
    refuses(&MANAGE, start(json!({})), &["exactly one of `flow`, `consumer_id`, `agent`"]);
    let two = start(json!({"flow": "developer/v1", "consumer_id": 91}));
    refuses(&MANAGE, two, &["`flow`, `consumer_id` are given together"]);
    refuses(&MANAGE, start(json!({"flow": "null"})), &["`flow` is the word `null`"]);
    refuses(
        &MANAGE,
        start(json!({"agent": "None", "flow": "developer/v1"})),
        &["`agent` is the word `None`"],
    );
}

#[test]
fn a_start_is_planned_or_doubled_only_when_told() {
    let arguments = |extra: Value| {
        let mut arguments =
            json!({"action": "start", "project_id": 4021, "flow": "developer/v1", "goal": "null"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        arguments
    };
    accepts(&MANAGE, arguments(json!({"dry_run": "true"})), &["PlanStart", "goal: Some(\"null\")"]);
    accepts(
        &MANAGE,
        arguments(json!({"dry_run": false, "allow_duplicate": true})),
        &["StartSession(", "Allow"],
    );
    refuses(&MANAGE, arguments(json!({"dry_run": "maybe"})), &["`dry_run` must be true or false"]);
    refuses(&MANAGE, arguments(json!({"goal": ["tidy"]})), &["`goal` must be text, not a list"]);
}

#[test]
fn the_project_of_a_start_is_that_of_its_page_when_none_is_named() {
    let page = "https://git.example.test/acme/api/-/pipelines/50512";
    let arguments = json!({"action": "start", "flow": "fix_pipeline/v1", "url": page});
    accepts(&MANAGE, arguments, &["ProjectPath(\"acme/api\")", "goal: None"]);
    let elsewhere = "https://other.example.test/acme/api/-/pipelines/50512";
    let arguments = json!({"action": "start", "flow": "fix_pipeline/v1", "url": elsewhere});
    refuses(&MANAGE, arguments, &["`project_id` is missing"]);
}

#[test]
fn the_only_allowed_project_is_the_default_one() {
    let rows = [
        (&BROWSE, json!({"action": "agents_and_flows"})),
        (&BROWSE, json!({"action": "list"})),
        (&MANAGE, json!({"action": "start", "flow": "developer/v1", "goal": "tidy up"})),
    ];
    for (spec, arguments) in rows {
        let call = parsed(spec, arguments.clone(), &only_project(4021)).unwrap();
        assert!(call.contains("ProjectId(4021)"), "{call}");
    }
    let call = parsed(&BROWSE, json!({"action": "list", "project_id": 17}), &only_project(4021)).unwrap();
    assert!(call.contains("ProjectId(17)"), "what is named is left to policy: {call}");
    // Of several none is meant: a list then shows all that they admit.
    let ids = [17, 4021].into_iter().filter_map(ProjectId::new).collect();
    let several = Scope { allowed_projects: Some(ids), ..Scope::default() };
    let error = parsed(&BROWSE, json!({"action": "agents_and_flows"}), &several).unwrap_err();
    assert!(error.message.starts_with("`project_id` is missing"), "{}", error.message);
    let call = parsed(&BROWSE, json!({"action": "list"}), &several).unwrap();
    assert!(call.contains("project: None"), "{call}");
    refuses(&BROWSE, json!({"action": "agents_and_flows"}), &["`project_id` is missing"]);
}

#[test]
fn a_decision_is_given_and_never_guessed() {
    let decision = |approval: Value, message: Value| json!({"action": "send_input", "workflow_id": "73", "human_approval": approval, "human_message": message});
    accepts(&MANAGE, decision(json!(true), json!(null)), &["input: Approve"]);
    accepts(&MANAGE, decision(json!("true"), json!("")), &["input: Approve"]);
    accepts(&MANAGE, decision(json!(false), json!(null)), &["input: Reply(None)"]);
    accepts(&MANAGE, decision(json!(false), json!("None")), &["input: Reply(Some(\"None\"))"]);
    for missing in [json!(null), json!("")] {
        refuses(&MANAGE, decision(missing, json!("yes")), &["`human_approval` is missing"]);
    }
    refuses(&MANAGE, json!({"action": "send_input", "workflow_id": "73"}), &["`human_approval` is missing"]);
    for odd in [json!("null"), json!(1), json!("yes")] {
        refuses(&MANAGE, decision(odd, json!(null)), &["`human_approval` must be true or false"]);
    }
    refuses(&MANAGE, decision(json!(true), json!("go on")), &["cannot go with `human_approval` true"]);
}

#[test]
fn a_message_has_at_most_two_thousand_characters() {
    let message = |text: String| json!({"action": "send_input", "workflow_id": 73, "human_approval": false, "human_message": text});
    accepts(&MANAGE, message("ä".repeat(2_000)), &["Reply(Some("]);
    refuses(&MANAGE, message("ä".repeat(2_001)), &["2001 characters", "at most 2000"]);
}
