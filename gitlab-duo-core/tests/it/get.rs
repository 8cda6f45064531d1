//! Reading a session.

use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::project::ProjectLink;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{CreatedNote, History, Links, MessageKind, Permissions, Session};
use gitlab_duo_core::model::status::Status;
use serde_json::{Value, json};

use crate::through::Through;
use crate::world::{gitlab, json as to_json, message, noon, now_or_never, session, waiting, workflow};

fn view(version: &str, session: Session) -> Value {
    let gitlab = gitlab(version);
    gitlab.world().sessions.push(session);
    get(&gitlab, &Scope::default())
}

pub(crate) fn get(gitlab: &MemoryGitLab, scope: &Scope) -> Value {
    let id = gitlab.world().sessions[0].row.id;
    let result = now_or_never(get_session(gitlab, scope, GetSession { workflow_id: id, now: noon() }));
    result.map_or_else(|error| json!({"error": error.kind.name()}), |view| to_json(&view))
}

pub(crate) fn request(id: u64) -> GetSession {
    GetSession { workflow_id: workflow(id), now: noon() }
}

#[test]
fn each_status_has_its_group_end_and_poll_hint() {
    let rows = [
        (Status::Created, json!(["created", "active", false, 120])),
        (Status::Running, json!(["running", "active", false, 30])),
        (Status::Paused, json!(["paused", "paused", false, null])),
        (Status::Finished, json!(["finished", "completed", true, null])),
        (Status::Failed, json!(["failed", "failed", true, null])),
        (Status::Stopped, json!(["stopped", "canceled", true, null])),
        (Status::InputRequired, json!(["input_required", "awaiting_input", false, null])),
        (Status::PlanApprovalRequired, json!(["plan_approval_required", "awaiting_input", false, null])),
        (
            Status::ToolCallApprovalRequired,
            json!(["tool_call_approval_required", "awaiting_input", false, null]),
        ),
        (Status::Other("compacting".to_owned()), json!(["compacting", null, null, null])),
    ];
    for (status, expected) in rows {
        let view = view("19.5.0", session(7, status));
        let found =
            json!([view["status"], view["status_group"], view["terminal"], view["poll_after_seconds"]]);
        assert_eq!(found, expected);
    }
}

#[test]
fn what_gitlab_tells_about_a_session_is_shown_under_its_name() {
    let mut told = session(7, Status::Finished);
    told.row.title = Some("Repair".to_owned());
    told.row.flow = Some("ai_catalog_agent".to_owned());
    told.row.agent_name = Some("Invoice keeper".to_owned());
    told.row.web_url = Some("https://gitlab.example.com/of/gitlab".to_owned());
    told.row.updated_at = Some(crate::world::at("2026-10-20T11:40:00Z"));
    told.summary = Some("Repaired.".to_owned());
    told.job_logs = (0..12).map(|job| format!("https://gitlab.example.com/jobs/{job}")).collect();
    let logs: Vec<_> = told.job_logs[..10].to_vec();
    let view = view("19.5.0", told);
    let expected = json!({
        "workflow_id": "7", "title": "Repair", "goal": "Investigate and repair the failing unit tests",
        "flow": "ai_catalog_agent", "agent": "Invoice keeper", "project": "example-group/backend",
        "project_id": "4021", "web_url": "https://gitlab.example.com/of/gitlab", "summary": "Repaired.",
        "created_at": "2026-10-20T11:10:00Z", "updated_at": "2026-10-20T11:40:00Z", "job_logs": logs,
        "pending_input": null, "agent_began": null,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&view[name], value, "{name}");
    }
    assert_eq!((view.get("failure_reason"), view.get("created_for_seconds")), (None, None));
}

/// Each text with the limit that is promised for it: one more character is cut, and said so.
#[test]
fn each_text_is_cut_at_its_own_limit_and_says_so() {
    let long = |chars: usize| "ä".repeat(chars + 1);
    let cut = |value: &Value, name: &str, chars: usize| {
        let marks = [&value[name], &value[format!("{name}_truncated")], &value[format!("{name}_chars")]];
        assert_eq!(marks, [&json!("ä".repeat(chars)), &json!(true), &json!(chars + 1)], "{name}");
    };
    let mut failed = session(7, Status::Failed);
    failed.row.goal = Some(long(160));
    failed.summary = Some(long(1_000));
    failed.history = Some(History { messages: Some(Vec::new()), errors: vec![long(1_000)] });
    let note = CreatedNote { body: Some(long(160)), url: None };
    failed.created.notes = Some(Links { items: vec![note], has_more: Some(false), hidden: 0 });
    let view = view("19.5.0", failed);
    cut(&view, "goal", 160);
    cut(&view, "summary", 1_000);
    cut(&view, "failure_reason", 1_000);
    cut(&view["created"]["notes"]["items"][0], "body", 160);
    let call = json!({"name": "x", "args": long(2_000)}).to_string();
    let messages = vec![
        message(MessageKind::Agent, &long(4_000), "null"),
        message(MessageKind::Request, &long(4_000), "null"),
    ];
    let plan = crate::get::view("19.5.0", waiting(7, Status::PlanApprovalRequired, messages));
    cut(&plan["pending_input"], "plan", 4_000);
    cut(&plan["pending_input"], "question", 4_000);
    let messages = vec![message(MessageKind::Request, "May I?", &call)];
    let calls = crate::get::view("19.5.0", waiting(7, Status::ToolCallApprovalRequired, messages));
    let call = &calls["pending_input"]["tool_calls"][0];
    assert_eq!(call["arguments"].as_str().unwrap().chars().count(), 2_000);
    assert_eq!((&call["arguments_truncated"], &call["arguments_chars"]), (&json!(true), &json!(2_003)));
}

#[test]
fn each_checkpoint_says_what_may_be_sent() {
    let rows = [
        (Status::InputRequired, ["false with the answer", "just go on"]),
        (Status::PlanApprovalRequired, ["true accepts the plan", "does not stop"]),
        (Status::ToolCallApprovalRequired, ["true runs every listed call", "does not stop"]),
    ];
    for (status, words) in rows {
        let view = view("19.5.0", waiting(7, status, Vec::new()));
        let how = view["pending_input"]["how_to_answer"].as_str().unwrap();
        assert!(words.iter().all(|word| how.contains(word)), "{how}");
    }
}

#[test]
fn calls_of_a_missing_history_are_unknown_and_none_of_an_empty_one() {
    let mut missing = waiting(7, Status::ToolCallApprovalRequired, Vec::new());
    assert_eq!(view("19.5.0", missing.clone())["pending_input"]["tool_calls"], json!([]));
    missing.history = None;
    let pending = view("19.5.0", missing)["pending_input"].clone();
    assert_eq!((&pending["tool_calls"], &pending["question"]), (&Value::Null, &Value::Null));
}

#[test]
fn the_reason_why_it_cannot_be_answered_fits_the_case() {
    let with = |resume, update| Session {
        permissions: Permissions { resume, update },
        ..waiting(7, Status::InputRequired, Vec::new())
    };
    let rows = [
        (with(Some(false), Some(true)), "look again in a minute"),
        (with(Some(false), Some(false)), "only the person who started"),
        (with(None, None), "did not say"),
        (Session { has_item_version: Some(false), ..with(Some(true), Some(true)) }, "without a catalog item"),
    ];
    for (session, words) in rows {
        let why = view("19.5.0", session)["pending_input"]["why_not"].clone();
        assert!(why.as_str().unwrap().contains(words), "{why}");
    }
}

#[test]
fn a_page_is_built_from_the_project_when_gitlab_sends_none() {
    let found = view("19.5.0", session(7, Status::Running));
    assert_eq!(
        found["web_url"],
        "https://gitlab.example.com/example-group/backend/-/automate/agent-sessions/7"
    );
    let mut without_page = session(7, Status::Running);
    without_page.row.project.web_url = None;
    assert_eq!(view("19.5.0", without_page)["web_url"], found["web_url"]);
    let mut of_group = session(7, Status::Running);
    of_group.row.project = ProjectLink::default();
    assert_eq!(view("19.5.0", of_group)["web_url"], Value::Null);
}

#[test]
fn a_question_can_be_answered_when_version_permission_and_item_version_allow() {
    let ask =
        || waiting(7, Status::InputRequired, vec![message(MessageKind::Request, "Both modules?", "null")]);
    let with = |resume, update, has_item_version| Session {
        permissions: Permissions { resume, update },
        has_item_version,
        ..ask()
    };
    let rows = [
        ("19.5.0", ask(), json!(true)),
        ("19.4.0", ask(), json!(true)),
        ("19.3.0", ask(), json!(false)),
        ("19.5.0", with(Some(false), Some(true), Some(true)), json!(false)),
        ("19.5.0", with(Some(false), Some(false), Some(true)), json!(false)),
        ("19.5.0", with(None, None, Some(true)), Value::Null),
        ("19.5.0", with(Some(true), Some(true), Some(false)), json!(false)),
        ("19.5.0", with(Some(true), Some(true), None), json!(true)),
        (
            "19.5.0",
            Session { environment: Some("ambient".to_owned()), ..with(Some(true), Some(true), Some(false)) },
            Value::Null,
        ),
    ];
    for (version, session, can_send) in rows {
        let pending = view(version, session)["pending_input"].clone();
        assert_eq!(pending["kind"], "input");
        assert_eq!(pending["question"], "Both modules?");
        assert_eq!(pending["can_send"], can_send, "{pending}");
        assert_eq!(pending.get("why_not").is_some(), can_send != json!(true), "{pending}");
    }
}

#[test]
fn a_plan_is_shown_whole_and_waits_for_19_5() {
    let messages = vec![
        message(MessageKind::Agent, "Plan:\n1. Reproduce\n2. Correct", "null"),
        message(MessageKind::Request, "Please review the plan.", "null"),
    ];
    let pending = |version| {
        view(version, waiting(7, Status::PlanApprovalRequired, messages.clone()))["pending_input"].clone()
    };
    assert_eq!(pending("19.5.0")["plan"], "Plan:\n1. Reproduce\n2. Correct");
    assert_eq!(pending("19.5.0")["question"], "Please review the plan.");
    assert_eq!(pending("19.5.0")["can_send"], true);
    assert_eq!(pending("19.4.0")["can_send"], false);
    assert!(pending("19.4.0")["why_not"].as_str().unwrap().contains("19.5"));
}

#[test]
fn every_call_of_the_trailing_run_is_pending_and_none_before_it() {
    let call = |name: &str| format!(r#"{{"name":"{name}","args":{{"title":"x"}}}}"#);
    let messages = vec![
        message(MessageKind::Request, "Earlier?", &call("done_before")),
        message(MessageKind::Agent, "Now this.", "null"),
        message(MessageKind::Request, "Tool requires approval.", &call("create_merge_request")),
        message(MessageKind::Request, "Tool requires approval.", &call("create_note")),
    ];
    let pending =
        view("19.5.0", waiting(7, Status::ToolCallApprovalRequired, messages))["pending_input"].clone();
    assert_eq!(
        pending["tool_calls"],
        json!([
            {"name": "create_merge_request", "arguments": r#"{"title":"x"}"#},
            {"name": "create_note", "arguments": r#"{"title":"x"}"#},
        ])
    );
}

#[test]
fn sixty_long_calls_stay_bounded_and_say_so() {
    let call = format!(r#"{{"name":"run_command","args":{{"text":"{}"}}}}"#, "x".repeat(5_000));
    let messages = vec![message(MessageKind::Request, "Run?", &call); 60];
    let view = view("19.5.0", waiting(7, Status::ToolCallApprovalRequired, messages));
    let pending = &view["pending_input"];
    assert_eq!(pending["tool_calls"].as_array().unwrap().len(), 50);
    assert_eq!(pending["tool_calls_not_shown"], 10);
    assert_eq!(pending["tool_calls"][0]["arguments_truncated"], true);
    assert!(view.to_string().len() < 48 * 1024);
}

#[test]
fn the_answer_is_found_behind_trailing_tool_messages_and_cut_at_its_bound() {
    let long = "ä".repeat(4_001);
    let messages = vec![
        message(MessageKind::Agent, &long, "null"),
        message(MessageKind::Tool, "Read file", r#"{"name":"read_file","args":{}}"#),
        message(MessageKind::WorkflowEnd, "Workflow completed", "null"),
    ];
    let view = view("19.5.0", waiting(7, Status::Finished, messages));
    assert_eq!(view["answer"].as_str().unwrap().chars().count(), 4_000);
    assert_eq!((&view["answer_truncated"], &view["answer_chars"]), (&json!(true), &json!(4_001)));
    assert_eq!(view["agent_began"], true);
}

#[test]
fn missing_history_is_unknown_and_a_failure_promises_nothing() {
    let failed = view("19.5.0", session(7, Status::Failed));
    assert_eq!((&failed["answer"], &failed["agent_began"]), (&Value::Null, &Value::Null));
    let hints = failed["hints"].to_string();
    assert!(hints.contains("may have changed things") && hints.contains("unknown, not empty"), "{hints}");
    let created = view("19.5.0", session(7, Status::Created));
    assert_eq!(created["agent_began"], false);
}

#[test]
fn a_failure_reason_comes_from_the_engine_or_the_last_failed_message() {
    let reason = |history| {
        let session = Session { history: Some(history), ..session(7, Status::Failed) };
        view("19.5.0", session)["failure_reason"].clone()
    };
    let mut failed = message(MessageKind::Agent, "The model did not answer.", "null");
    failed.status = Some("failure".to_owned());
    let messages = Some(vec![failed]);
    assert_eq!(
        reason(History { messages: messages.clone(), errors: Vec::new() }),
        "The model did not answer."
    );
    assert_eq!(reason(History { messages, errors: vec!["boom".to_owned()] }), "boom");
    assert_eq!(reason(History { messages: Some(Vec::new()), errors: Vec::new() }), Value::Null);
    // An error on the way is no reason for a failure that did not happen.
    let history = History { messages: Some(Vec::new()), errors: vec!["boom".to_owned()] };
    let finished = Session { history: Some(history), ..session(7, Status::Finished) };
    assert_eq!(view("19.5.0", finished).get("failure_reason"), None);
}

#[test]
fn a_session_that_never_starts_says_for_how_long_and_names_usual_causes() {
    let view = view("19.5.0", session(7, Status::Created));
    assert_eq!(view["created_for_seconds"], 50 * 60);
    assert!(view["hints"][0].as_str().unwrap().contains("50 minutes"));
    let rows = [("11:55:01", None), ("11:55:00", Some("5 minutes")), ("11:59:59", None), ("12:00:30", None)];
    for (time, words) in rows {
        let mut fresh = session(7, Status::Created);
        fresh.row.created_at = Some(crate::world::at(&format!("2026-10-20T{time}Z")));
        let view = crate::get::view("19.5.0", fresh);
        assert_eq!(view.get("hints").is_some(), words.is_some(), "{time}: {view}");
        assert!(view["hints"].to_string().contains(words.unwrap_or("null")), "{time}: {view}");
        assert_eq!(view["poll_after_seconds"], 120);
    }
}

#[test]
fn created_objects_are_bounded_and_hidden_ones_counted() {
    let notes = vec![CreatedNote { body: Some("n".repeat(200)), url: None }; 25];
    let mut session = session(7, Status::Finished);
    session.created.notes = Some(Links { items: notes, has_more: Some(false), hidden: 3 });
    let created = view("19.5.0", session)["created"].clone();
    assert_eq!(created["merge_requests"], Value::Null);
    assert_eq!(created["notes"]["items"].as_array().unwrap().len(), 20);
    assert_eq!((&created["notes"]["has_more"], &created["notes"]["hidden"]), (&json!(true), &json!(3)));
    assert_eq!(created["notes"]["items"][0]["body_chars"], 200);
}

#[test]
fn invisible_characters_of_all_texts_are_removed_and_counted_together() {
    let mut session = session(7, Status::Finished);
    session.row.goal = Some("a\u{202e}b".to_owned());
    session.summary = Some("c\u{200b}\u{1b}d".to_owned());
    let view = view("19.5.0", session);
    assert_eq!(
        (&view["goal"], &view["summary"], &view["removed_characters"]),
        (&json!("ab"), &json!("cd"), &json!(3))
    );
}

#[test]
fn details_that_an_instance_lacks_are_listed() {
    let gitlab = gitlab("19.5.0");
    gitlab.world().sessions.push(session(7, Status::Running));
    let through = Through::new(gitlab);
    let view = now_or_never(get_session(&through, &Scope::default(), request(7))).unwrap();
    assert_eq!(to_json(&view)["unavailable"], json!([{"detail": "of_the_session", "since": "19.5"}]));
}

#[test]
fn an_unreadable_version_counts_as_the_oldest_and_says_so() {
    let found = view("nonsense", session(7, Status::Running));
    assert!(found["hints"].to_string().contains("17.3"), "{found}");
}
