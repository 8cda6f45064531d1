//! The program itself: its streams, its exit codes, its end.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::{Duration, timeout};

use crate::wire::{PATIENCE, call, initialize, request};

/// More than the second that the program has, less than any time limit inside it.
const END: Duration = Duration::from_secs(3);

pub(crate) fn program(settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gitlab-duo-mcp"));
    command.env_clear().envs(settings.iter().copied()).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn messages(&self) -> Vec<Value> {
        let read = |line: &str| {
            let message: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            message
        };
        self.out.lines().map(read).collect()
    }
}

/// Runs the program on `input`, which ends only when `answers` lines have come.
pub(crate) async fn run(mut command: Command, input: &str, answers: usize) -> Run {
    let mut child = command.spawn().unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut stdout = BufReader::new(stdout);
    let mut stderr = child.stderr.take().unwrap();
    let mut out = String::new();
    let talking = async {
        let written = stdin.write_all(input.as_bytes()).await;
        for _ in 0..answers {
            stdout.read_line(&mut out).await.unwrap();
        }
        drop(stdin);
        stdout.read_to_string(&mut out).await.unwrap();
        written
    };
    let mut err = String::new();
    let ending = async {
        let (written, read) = tokio::join!(talking, stderr.read_to_string(&mut err));
        read.unwrap();
        (written, child.wait().await.unwrap())
    };
    let (written, status) = timeout(PATIENCE, ending).await.expect("the program ends");
    // A program that refuses its settings does not read its input.
    assert!(written.is_ok() || status.code() == Some(2), "{err}");
    Run { code: status.code(), out, err }
}

pub(crate) fn lines(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

#[tokio::test]
async fn without_a_token_it_starts_lists_its_tools_and_says_how_to_set_one() {
    let arguments = json!({"action": "list"});
    let input = lines(&[
        initialize(json!("2025-11-25")),
        request(2, "tools/list", json!({})),
        call(3, "browse_duo_sessions", arguments),
    ]);
    let run = run(program(&[]), &input, 3).await;
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let messages = run.messages();
    let answer = |id: u64| messages.iter().find(|message| message["id"] == id).unwrap();
    assert_eq!(answer(2)["result"]["tools"].as_array().unwrap().len(), 2);
    assert_eq!(answer(3)["result"]["structuredContent"]["error"]["kind"], "unauthorized");
}

#[tokio::test]
async fn only_messages_reach_standard_output_at_the_highest_log_level() {
    let input = format!(
        "\r\n\n{}\r\nnonsense\n{{\"broken\n{}{}",
        initialize(json!("2025-06-18")),
        lines(&[call(3, "browse_duo_sessions", json!({"action": "get", "workflow_id": "73"}))]),
        lines(&[request(4, "no/method", json!({})), request(5, "ping", json!({}))]),
    );
    // Nothing listens there: the call fails, with everything that is logged about it.
    let settings = [
        ("GITLAB_DUO_LOG", "trace"),
        ("GITLAB_URL", "http://127.0.0.1:9"),
        ("GITLAB_TOKEN", "glpat-not-to-be-seen"),
        ("RUST_BACKTRACE", "1"),
    ];
    let run = run(program(&settings), &input, 4).await;
    assert_eq!(run.code, Some(0), "{}", run.err);
    let ids: Vec<_> = run.messages().iter().filter_map(|message| message["id"].as_u64()).collect();
    for id in [1, 3, 4, 5] {
        assert!(ids.contains(&id), "{id} in {ids:?}");
    }
    assert!(run.err.contains("TRACE") || run.err.contains("DEBUG"), "logs go to standard error");
    assert!(!run.err.contains("glpat-not") && !run.out.contains("glpat-not"), "no part of a token anywhere");
}

#[tokio::test]
async fn a_wrong_setting_stops_the_start_with_one_line() {
    type Settings = &'static [(&'static str, &'static str)];
    let rows: [(Settings, &[&str], &str); 12] = [
        (&[("GITLAB_URL", "ftp://git.example.test")], &[], "GITLAB_URL"),
        (&[("GITLAB_URL", "http://git.example.test")], &[], "GITLAB_URL"),
        (&[("GITLAB_DUO_TOOLS", "everything")], &[], "GITLAB_DUO_TOOLS"),
        (&[], &["--tools", "both"], "accepted: compact, gitlab"),
        (&[("GITLAB_ALLOWED_PROJECT_IDS", "4021,x")], &[], "GITLAB_ALLOWED_PROJECT_IDS"),
        (&[("USE_DUO", "perhaps")], &[], "USE_DUO"),
        (&[("GITLAB_TOKEN", "glpat secret")], &[], "GITLAB_TOKEN"),
        (&[("GITLAB_DUO_LOG", "x=y=z")], &[], "GITLAB_DUO_LOG"),
        (&[], &["--timeout-seconds", "0"], "--timeout-seconds"),
        (&[], &["--token", "glpat-secret"], "GITLAB_TOKEN"),
        (&[], &["--nothing=secret"], "--nothing"),
        (&[], &["glpat-secret"], "the command line"),
    ];
    for (settings, flags, expected) in rows {
        let mut command = program(settings);
        command.args(flags);
        let run = run(command, "", 0).await;
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{settings:?} {flags:?}");
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.contains(expected) && !run.err.contains("secret"), "{}", run.err);
    }
}

#[tokio::test]
async fn a_flag_comes_before_its_variable_and_blank_variables_are_not_set() {
    let blank =
        [("GITLAB_URL", ""), ("GITLAB_TOKEN", ""), ("GITLAB_READ_ONLY_MODE", " "), ("USE_DUO", "false")];
    let input = lines(&[initialize(json!("2025-11-25")), request(2, "tools/list", json!({}))]);
    let mut command = program(&blank);
    command.args(["--use-duo", "--read-only-mode"]);
    let run = run(command, &input, 2).await;
    assert_eq!(run.code, Some(0), "{}", run.err);
    let tools = run.messages()[1]["result"]["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(1), "{tools}");
}

#[tokio::test]
async fn a_client_that_says_nothing_ends_it() {
    let run = run(program(&[]), "", 0).await;
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
}

#[tokio::test]
async fn it_ends_with_its_input_although_gitlab_never_answers() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let mut child = program(&[("GITLAB_URL", &url), ("GITLAB_TOKEN", "glpat-example")]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input =
        lines(&[initialize(json!("2025-11-25")), call(3, "browse_duo_sessions", json!({"action": "list"}))]);
    stdin.write_all(input.as_bytes()).await.unwrap();
    let asked = timeout(PATIENCE, silent.accept()).await.expect("GitLab is asked").unwrap();
    drop(stdin);
    let status = timeout(END, child.wait()).await.expect("it ends within a second or so").unwrap();
    assert_eq!(status.code(), Some(0));
    drop(asked);
}

#[tokio::test]
async fn help_names_every_setting_and_no_value() {
    let mut command = program(&[("GITLAB_URL", "https://seen.example.test")]);
    command.arg("--help");
    let run = run(command, "", 0).await;
    assert_eq!(run.code, Some(0));
    for setting in ["GITLAB_URL", "GITLAB_TOKEN", "GITLAB_DUO_TOOLS", "GITLAB_DUO_SCOPE_SUBGROUPS", "USE_DUO"]
    {
        assert!(run.out.contains(setting), "{setting}");
    }
    assert!(!run.out.contains("seen.example.test"));
}

#[tokio::test]
async fn the_token_may_come_from_a_file() {
    let gitlab = fake_gitlab::FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    gitlab.add_token(fake_gitlab::TokenSpec::new("second-token", 88, &["api"]));
    let path = std::env::temp_dir().join(format!("gitlab-duo-program-token-{}", std::process::id()));
    std::fs::write(&path, "stale-token\n").unwrap();
    let file = path.to_str().unwrap();
    let input =
        lines(&[initialize(json!("2025-11-25")), call(2, "browse_duo_sessions", json!({"action": "list"}))]);
    let stale = run(program(&[("GITLAB_URL", gitlab.url()), ("GITLAB_TOKEN_FILE", file)]), &input, 2).await;
    let answer =
        |run: &Run| run.messages().into_iter().find(|message| message["id"] == 2).unwrap()["result"].clone();
    assert_eq!(answer(&stale)["structuredContent"]["error"]["kind"], "unauthorized");
    std::fs::write(&path, "second-token\n").unwrap();
    let fresh = run(program(&[("GITLAB_URL", gitlab.url()), ("GITLAB_TOKEN_FILE", file)]), &input, 2).await;
    std::fs::remove_file(&path).unwrap();
    assert!(answer(&fresh)["structuredContent"]["sessions"].is_array(), "{}", fresh.out);
    assert!(!stale.out.contains("stale-token") && !stale.err.contains("stale-token"));
}
