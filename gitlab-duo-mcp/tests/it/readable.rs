//! The text that a person sees: short, in sentences, with the links, and never a second copy of the JSON.

use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::page::{Cursor, PageInfo};
use gitlab_duo_core::model::session::MessageKind;
use gitlab_duo_core::model::status::Status;
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::world::{NEWEST, gitlab, message, server_of, session};

/// Bytes of a text that is short enough for a client's window.
const SHORT: usize = 2_048;

/// A call of each ability and outcome, by tool and arguments.
fn calls(surface: Surface) -> Vec<(&'static str, Value)> {
    let start = json!({"project_id": 4021, "flow": "developer/v1", "goal": "tidy up"});
    let with = |more: Value| {
        let mut arguments = start.clone();
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let planned = with(json!({"dry_run": true}));
    let ids = [72, 73, 74, 75, 76, 999].map(|id| json!({"workflow_id": id}));
    let answers = [
        json!({"workflow_id": 74, "human_approval": false, "human_message": "src/lib.rs"}),
        json!({"workflow_id": 75, "human_approval": true}),
        json!({"workflow_id": 73, "human_approval": true}),
    ];
    let stops = [72, 73].map(|id| json!({"workflow_id": id}));
    let starts =
        [start.clone(), planned, with(json!({"flow": "unknown/v1"})), with(json!({"goal": {"a": 1}}))];
    let tool = |compact: &'static str, action: &'static str, own: &'static str| match surface {
        Surface::Compact => (compact, Some(action)),
        _ => (own, None),
    };
    let browse = "browse_duo_sessions";
    let manage = "manage_duo_session";
    let mut calls = Vec::new();
    let mut add = |(name, action): (&'static str, Option<&str>), all: Vec<Value>| {
        for mut arguments in all {
            if let Some(action) = action {
                arguments["action"] = json!(action);
            }
            calls.push((name, arguments));
        }
    };
    let project = json!({"project_id": 4021});
    add(tool(browse, "agents_and_flows", "list_duo_agents_and_flows"), vec![project.clone()]);
    add(tool(browse, "list", "list_duo_sessions"), vec![json!({}), project, json!({"after": "null"})]);
    add(tool(browse, "get", "get_duo_session"), ids.to_vec());
    add(tool(manage, "start", "start_duo_session"), starts.to_vec());
    add(tool(manage, "send_input", "send_duo_session_input"), answers.to_vec());
    add(tool(manage, "stop", "stop_duo_session"), stops.to_vec());
    if surface == Surface::Compact {
        add((browse, Some("transcript")), ids.to_vec());
    }
    calls
}

/// Every object and every list of objects in a result, as JSON writes it.
fn blobs(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(value.to_string());
            fields.values().for_each(|field| blobs(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| blobs(item, found)),
        _ => {}
    }
}

fn check(tool: &str, arguments: &Value, result: &Value) {
    let (text, structured) = (text(result), &result["structuredContent"]);
    let case = format!("{tool} {arguments}: {text}");
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{case}");
    assert!((20..SHORT).contains(&text.len()), "{case}");
    assert!(!text.contains("{\"") && !text.contains("[{"), "{case}");
    let mut parts = Vec::new();
    blobs(structured, &mut parts);
    assert!(parts.iter().all(|part| part == "{}" || !text.contains(part.as_str())), "{case}");
    // Sentences: the first line begins with a capital or a number and ends as a sentence does.
    let first = text.lines().next().unwrap();
    assert!(first.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '`'), "{case}");
    assert!(first.ends_with('.'), "{case}");
    for url in links(structured) {
        assert!(text.contains(&url), "{url} is not in {case}");
    }
    match structured.get("error") {
        Some(error) => {
            assert!(text.contains("\nNext: "), "{case}");
            let message = error["message"].as_str().unwrap();
            // The sentence of the error begins with a capital there.
            assert!(text.contains(&message[1..]), "{case}");
        }
        None => assert!(!text.contains("null") && !text.contains("None"), "{case}"),
    }
}

/// The pages of the sessions and of what they created.
fn links(structured: &Value) -> Vec<String> {
    let of = |value: &Value| value["web_url"].as_str().map(str::to_owned);
    let rows = structured["sessions"].as_array().into_iter().flatten();
    let created = &structured["created"];
    let kinds = ["merge_requests", "work_items", "notes"];
    let created = kinds.iter().filter_map(|kind| created[kind]["items"].as_array()).flatten();
    std::iter::once(structured).chain(rows).chain(created).filter_map(of).collect()
}

#[tokio::test]
async fn each_text_is_short_plain_and_linked_and_repeats_no_json() {
    for surface in [Surface::Compact, Surface::GitLab] {
        for (tool, arguments) in calls(surface) {
            let gitlab = gitlab(NEWEST);
            let mut failed = session(76, Status::Failed, &[message(MessageKind::Agent, "I tried.", "null")]);
            failed.summary = Some("It failed.".to_owned());
            gitlab.world().sessions.push(failed);
            let client = Client::new(server_of(&gitlab, surface)).await;
            let result = client.call(tool, arguments.clone()).await;
            check(tool, &arguments, &result);
        }
    }
}

#[tokio::test]
async fn each_kind_of_error_is_told_in_sentences() {
    for surface in [Surface::Compact, Surface::GitLab] {
        for kind in ErrorKind::ALL {
            let gitlab = gitlab(NEWEST);
            let mut error = GatewayError::new(kind, "GitLab said no");
            error.gitlab_message = Some("403 Forbidden".to_owned());
            error.retry_after_seconds = Some(37);
            gitlab.world().failures.push_back(("sessions", error, Outcome::Refused));
            let client = Client::new(server_of(&gitlab, surface)).await;
            let (tool, arguments) = calls(surface).swap_remove(1);
            let result = client.call(tool, arguments.clone()).await;
            assert_eq!(result["structuredContent"]["error"]["kind"], kind.name());
            check(tool, &arguments, &result);
            assert!(text(&result).contains("Wait 37 seconds."), "{}", text(&result));
            assert!(
                text(&result).ends_with("    | 403 Forbidden\n")
                    || text(&result).ends_with("    | 403 Forbidden")
            );
        }
    }
}

#[tokio::test]
async fn what_a_call_would_run_is_shown_line_by_line() {
    let gitlab = gitlab(NEWEST);
    let call =
        json!({"name": "run_command", "args": {"program": "rm", "arguments": ["-r", "a\nprogram: ls"]}});
    let asked = [message(MessageKind::Request, "May I?", &call.to_string())];
    gitlab.world().sessions = vec![session(75, Status::ToolCallApprovalRequired, &asked)];
    for (surface, tool, arguments) in [
        (Surface::Compact, "browse_duo_sessions", json!({"action": "get", "workflow_id": 75})),
        (Surface::GitLab, "get_duo_session", json!({"workflow_id": 75})),
    ] {
        let client = Client::new(server_of(&gitlab, surface)).await;
        let result = client.call(tool, arguments).await;
        let shown = "    | arguments: [\"-r\",\"a\\nprogram: ls\"]\n    | program: \"rm\"\n";
        assert!(text(&result).contains(shown), "{}", text(&result));
    }
}

/// Rows are removed after paging: an empty page is no empty catalog, and its text does not say so.
#[tokio::test]
async fn an_empty_page_that_is_not_the_last_says_that_more_follow() {
    let all = ["browse_duo_sessions", "list_duo_agents_and_flows", "list_duo_sessions"];
    let rows = [
        (
            Surface::Compact,
            all[0],
            json!({"action": "agents_and_flows", "project_id": 4021, "item_type": "flow"}),
        ),
        (Surface::Compact, all[0], json!({"action": "list"})),
        (Surface::GitLab, all[1], json!({"project_id": 4021, "item_type": "flow"})),
        (Surface::GitLab, all[2], json!({})),
    ];
    for (surface, tool, arguments) in rows {
        let gitlab = gitlab(NEWEST);
        gitlab.world().consumers.iter_mut().for_each(|consumer| consumer.enabled = Some(false));
        gitlab.world().sessions.clear();
        let cursor = Some(Cursor::received("c1"));
        gitlab.world().page_info = PageInfo { has_next_page: Some(true), end_cursor: cursor };
        let client = Client::new(server_of(&gitlab, surface)).await;
        let result = client.call(tool, arguments.clone()).await;
        let shown = text(&result);
        assert!(shown.contains("More follow: call again with `after` = `c1`."), "{arguments}: {shown}");
        assert!(shown.contains("more pages follow") && !shown.to_lowercase().contains("no flows"), "{shown}");
        let page = json!({"hasNextPage": true, "endCursor": "c1"});
        assert_eq!(result["structuredContent"]["pageInfo"], page, "{arguments}");
    }
}
