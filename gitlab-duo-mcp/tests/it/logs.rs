//! What the program writes beside the protocol: a line per call, per request and per write; and never
//! a secret or a text of a session, whatever door it came through.

use fake_gitlab::{FakeGitLab, Fault, TokenSpec};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::process::{Run, lines, program, run};
use crate::settings_files::Directory;
use crate::wire::{call, initialize};

/// Runs tool calls, numbered from 2.
async fn converse(command: Command, calls: &[(&str, Value)]) -> Run {
    let calls = calls.iter().zip(2..).map(|((tool, arguments), id)| call(id, tool, arguments.clone()));
    let messages: Vec<_> = std::iter::once(initialize(json!("2025-11-25"))).chain(calls).collect();
    run(command, &lines(&messages), messages.len()).await
}

fn json_lines(run: &Run) -> Vec<Value> {
    run.err.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

fn start(goal: &str) -> Value {
    json!({"action": "start", "project_id": "4021", "flow": "developer/v1", "goal": goal, "allow_duplicate": true})
}

#[tokio::test]
async fn each_call_each_request_and_each_write_is_a_line() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let settings = [
        ("GITLAB_URL", fake.url()),
        ("GITLAB_TOKEN", fake.token()),
        ("GITLAB_DUO_LOG", "info"),
        ("GITLAB_DUO_LOG_FORMAT", "json"),
    ];
    let run = converse(program(&settings), &[("manage_duo_session", start("Tidy up the garden shed"))]).await;
    let lines = json_lines(&run);
    let of = |message: &str| lines.iter().filter(|line| line["message"] == message).collect::<Vec<_>>();
    let [ended] = *of("tool call") else { panic!("one line: {}", run.err) };
    let answer = run.messages().into_iter().find(|message| message["id"] == 2).unwrap();
    let id = answer["result"]["structuredContent"]["workflow_id"].clone();
    assert_eq!((&ended["tool"], &ended["action"]), (&json!("manage_duo_session"), &json!("start")));
    assert_eq!((&ended["outcome"], &ended["project_id"]), (&json!("ok"), &json!("4021")));
    assert_eq!(ended["workflow_id"], id);
    assert!(ended["ms"].is_u64() && ended["timestamp"].is_string());
    let requests = of("GitLab answered");
    assert_eq!(requests.len(), fake.requests().len(), "{}", run.err);
    for request in requests {
        assert!(request["operation"].is_string() && request["status"].is_u64() && request["bytes"].is_u64());
    }
    let audit: Vec<_> = lines.iter().filter(|line| line["target"] == "gitlab_duo_audit").collect();
    let [write] = *audit else { panic!("one write: {}", run.err) };
    assert_eq!((&write["write"], &write["outcome"]), (&json!("start"), &json!("accepted")));
    assert_eq!((&write["project_id"], &write["workflow_id"]), (&json!("4021"), &id));
    assert!(!run.err.contains("garden"), "{}", run.err);
}

#[tokio::test]
async fn a_write_is_told_whatever_the_filter_and_the_outcome() {
    for (filter, fault, outcome) in [
        ("warn", None, "accepted"),
        ("off", None, "accepted"),
        ("gitlab_duo_audit=off", None, "accepted"),
        ("warn", Some(Fault::forbidden()), "refused"),
        ("warn", Some(Fault::executed_then_close()), "unknown"),
        ("warn", Some(Fault::empty_201()), "accepted"),
    ] {
        let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
        fault.into_iter().for_each(|fault| fake.inject(fault.on_method("POST").on_path("/ai/").always()));
        let settings = [
            ("GITLAB_URL", fake.url()),
            ("GITLAB_TOKEN", fake.token()),
            ("GITLAB_DUO_LOG", filter),
            ("GITLAB_DUO_LOG_FORMAT", "json"),
        ];
        let run = converse(program(&settings), &[("manage_duo_session", start("Tidy up"))]).await;
        let lines = json_lines(&run);
        let audit: Vec<_> = lines.iter().filter(|line| line["target"] == "gitlab_duo_audit").collect();
        let [write] = *audit else { panic!("{filter} {outcome}: {}", run.err) };
        assert_eq!(write["outcome"], outcome, "{filter}");
    }
}

#[tokio::test]
async fn answers_and_stops_are_told_without_their_words() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let settings = [("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token())];
    let answer = json!({"action": "send_input", "workflow_id": "736", "human_approval": false, "human_message": "Wisteria"});
    let stop = json!({"action": "stop", "workflow_id": "736"});
    let run = converse(program(&settings), &[("manage_duo_session", answer)]).await;
    assert!(
        run.err.contains(r#"write="send_input" workflow_id="736" approved=false outcome="accepted""#),
        "{}",
        run.err
    );
    let second = converse(program(&settings), &[("manage_duo_session", stop)]).await;
    assert!(second.err.contains(r#"write="stop" workflow_id="736" outcome="accepted""#), "{}", second.err);
    assert!(!run.err.contains("Wisteria"), "{}", run.err);
}

/// Parts of it that are long enough to be told from chance.
fn parts(secret: &str) -> Vec<&str> {
    const LENGTH: usize = 6;
    (0..=secret.len().saturating_sub(LENGTH)).filter_map(|start| secret.get(start..start + LENGTH)).collect()
}

fn assert_unseen(run: &Run, secrets: &[&str], door: &str) {
    for part in secrets.iter().flat_map(|secret| parts(secret)) {
        assert!(!run.out.contains(part), "{door}: {part} in {}", run.out);
        assert!(!run.err.contains(part), "{door}: {part} in {}", run.err);
    }
}

const SECRET: &str = "glpat-QzXjVkWbYhFmTnRd";
const LOUD: [(&str, &str); 3] = [("RUST_LOG", "trace"), ("GITLAB_DUO_LOG", "trace"), ("RUST_BACKTRACE", "1")];

/// Lists, starts, and asks with arguments that look like headers.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("browse_duo_sessions", json!({"action": "list"})),
        ("manage_duo_session", start("Tidy up")),
        ("browse_duo_sessions", json!({"action": "list", "Authorization": format!("Bearer {SECRET}")})),
        ("browse_duo_sessions", json!({"action": "list", "private_token": SECRET, "PRIVATE-TOKEN": SECRET})),
        ("browse_duo_sessions", json!({"action": "get", "workflow_id": "736"})),
    ]
}

#[tokio::test]
async fn no_secret_is_seen_whatever_door_it_came_through() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.add_token(TokenSpec::new(SECRET, 88, &["api"]));
    let directory = Directory::new("doors");
    let file = directory.file("token", SECRET);
    let command = format!("cat '{file}'");
    let config = directory.file("config.toml", &format!("token = '{SECRET}'\nurl = '{}'\n", fake.url()));
    private(&config);
    let doors: [(&str, Vec<(&str, &str)>); 4] = [
        ("variable", vec![("GITLAB_TOKEN", SECRET), ("GITLAB_URL", fake.url())]),
        ("file", vec![("GITLAB_TOKEN_FILE", &file), ("GITLAB_URL", fake.url())]),
        (
            "command",
            vec![("GITLAB_TOKEN_COMMAND", &command), ("GITLAB_URL", fake.url()), ("PATH", "/usr/bin:/bin")],
        ),
        ("settings file", vec![("GITLAB_DUO_CONFIG", &config)]),
    ];
    for (door, settings) in doors {
        for format in ["human", "json"] {
            let all = [&LOUD[..], &settings[..], &[("GITLAB_DUO_LOG_FORMAT", format)]].concat();
            let run = converse(program(&all), &calls()).await;
            assert_eq!(run.code, Some(0), "{door}: {}", run.err);
            assert!(run.out.contains("workflow_id") && run.err.contains("DEBUG"), "{door}: {}", run.err);
            assert_unseen(&run, &[SECRET], door);
        }
    }
}

#[tokio::test]
async fn no_secret_is_seen_when_gitlab_refuses_it_or_cannot_be_reached() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let proxy_secret = "ProxyPassQpLmZw";
    let through = fake.url().replace("http://", &format!("http://worker:{proxy_secret}@"));
    let nobody = format!("http://worker:{proxy_secret}@127.0.0.1:9");
    let token = ("GITLAB_TOKEN", SECRET);
    let rows: [(&str, Vec<(&str, &str)>); 4] = [
        ("refused", vec![token, ("GITLAB_URL", fake.url())]),
        ("unreachable", vec![token, ("GITLAB_URL", "http://127.0.0.1:9")]),
        ("through a proxy", vec![token, ("GITLAB_URL", "http://git.localhost:9"), ("HTTP_PROXY", &through)]),
        ("through no proxy", vec![token, ("GITLAB_URL", "http://git.localhost:9"), ("ALL_PROXY", &nobody)]),
    ];
    for (door, settings) in rows {
        let run = converse(program(&[&LOUD[..], &settings[..]].concat()), &calls()).await;
        assert_eq!(run.code, Some(0), "{door}: {}", run.err);
        assert_unseen(&run, &[SECRET, proxy_secret], door);
    }
}

#[tokio::test]
async fn no_secret_is_seen_in_what_stops_the_start() {
    let directory = Directory::new("stops");
    let url = format!("https://user:{SECRET}@git.example.test");
    let rows = [
        format!("token = '{SECRET} and more'\n"),
        format!("url = '{url}'\n"),
        format!("token_file = [\n'{SECRET}'\n"),
        format!("{SECRET} = 'x'\n"),
        format!("[profile.'{SECRET}']\nurl = 1\n"),
        format!("token_command = '{SECRET} \"open'\n"),
        format!("http = '{SECRET}'\n"),
    ];
    for text in rows {
        let config = directory.file("config.toml", &text);
        private(&config);
        let mut settings = LOUD.to_vec();
        settings.push(("GITLAB_DUO_CONFIG", &config));
        let run = run(program(&settings), "", 0).await;
        assert_eq!(run.code, Some(2), "{text}");
        assert_unseen(&run, &[SECRET], &text);
    }
    let flags: [&[&str]; 7] = [
        &["--token", SECRET],
        &["--token-command", SECRET, "--token-file", SECRET],
        &["--url", &url],
        &["--profile", SECRET],
        &["--config", SECRET],
        &[SECRET],
        &["setup", SECRET],
    ];
    for words in flags {
        let mut command = program(&LOUD);
        command.args(words);
        let run = run(command, "", 0).await;
        assert_eq!(run.code, Some(2), "{words:?}");
        assert_unseen(&run, &[SECRET], words.first().unwrap());
    }
}

fn private(path: &str) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    #[cfg(not(unix))]
    let _private_by_itself = path;
}
