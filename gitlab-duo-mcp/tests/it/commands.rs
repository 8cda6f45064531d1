//! The commands beside serving, with the program itself and a home of their own.

use std::path::Path;

use serde_json::{Value, json};

use crate::process::{Run, program, run};
use crate::settings_files::Directory;

/// No part of it may be written anywhere.
const TOKEN: &str = "glpat-not-to-be-seen";

async fn told(home: &Directory, words: &[&str], settings: &[(&str, &str)]) -> Run {
    let all = [&[("HOME", home.text()), ("GITLAB_TOKEN", TOKEN)], settings].concat();
    let mut command = program(&all);
    command.args(words);
    let run = run(command, "", 0).await;
    assert!(!run.out.contains("glpat") && !run.err.contains("glpat"), "{words:?}: {} {}", run.out, run.err);
    run
}

fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn tools_prints_what_a_client_would_list() {
    let home = Directory::new("tools");
    let json = told(&home, &["tools", "--json"], &[]).await;
    let tools: Value = serde_json::from_str(&json.out).unwrap();
    let names = |tools: &Value| {
        let tools = tools["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&tools), ["browse_duo_sessions", "manage_duo_session"]);
    assert!(tools["tools"][0]["inputSchema"]["properties"]["action"].is_object());
    let gitlab = told(&home, &["tools", "--json", "--tools", "gitlab", "--read-only-mode"], &[]).await;
    let tools: Value = serde_json::from_str(&gitlab.out).unwrap();
    assert_eq!(names(&tools), ["list_duo_agents_and_flows", "list_duo_sessions", "get_duo_session"]);
    let human = told(&home, &["tools"], &[]).await;
    assert!(human.out.contains("manage_duo_session (writes): "), "{}", human.out);
    let off = told(&home, &["tools"], &[("USE_DUO", "false")]).await;
    assert_eq!(off.out, "There are no tools: they are switched off in the settings.\n");
    let wrong = told(&home, &["tools"], &[("GITLAB_DUO_TOOLS", "all")]).await;
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
}

#[tokio::test]
async fn completions_and_the_manual_know_flags_and_commands() {
    let home = Directory::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let run = told(&home, &["completions", shell], &[]).await;
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        for word in ["allowed-project-ids", "setup", "completions"] {
            assert!(run.out.contains(word), "{shell}: {word}");
        }
    }
    let manual = told(&home, &["man"], &[("GITLAB_URL", "not looked at")]).await;
    assert_eq!(manual.code, Some(0));
    assert!(manual.out.starts_with(".ie") || manual.out.starts_with(".TH"), "{}", manual.out);
    assert!(manual.out.contains("GITLAB_ALLOWED_PROJECT_IDS"));
}

#[tokio::test]
async fn setup_prints_and_changes_nothing() {
    let home = Directory::new("print");
    let clients = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "zed", "jetbrains"];
    for client in clients {
        let run = told(&home, &["setup", client, "--url", "https://git.example.test"], &[]).await;
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(
            run.out.contains("https://git.example.test") && run.out.contains("gitlab-duo-mcp"),
            "{}",
            run.out
        );
        assert!(run.err.contains("--write") && run.err.contains("token"), "{}", run.err);
        let table = run.out.parse::<toml::Table>().is_ok();
        assert_eq!(table, client == "codex", "{}", run.out);
        assert_eq!(serde_json::from_str::<Value>(&run.out).is_ok(), client != "codex", "{}", run.out);
    }
    assert_eq!(files(home.path()), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn setup_writes_where_each_client_looks() {
    let home = Directory::new("write");
    let rows = [
        ("claude-code", ".claude.json"),
        ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".config/Code/User/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("zed", ".config/zed/settings.json"),
        ("jetbrains", ".junie/mcp/mcp.json"),
    ];
    for (client, file) in rows {
        let run = told(&home, &["setup", client, "--write"], &[]).await;
        assert_eq!(run.code, Some(0), "{}", run.err);
        let text = std::fs::read_to_string(home.path().join(file)).unwrap();
        assert!(text.contains("gitlab-duo") && text.contains("https://gitlab.com"), "{text}");
        assert!(!text.contains("glpat"), "{text}");
        assert!(run.out.contains(file) && run.out.contains(" is new."), "{}", run.out);
        let again = told(&home, &["setup", client, "--write"], &[]).await;
        assert!(again.out.contains("set up already"), "{}", again.out);
        let directory = home.path().join(file).parent().unwrap().to_owned();
        assert!(!files(&directory).iter().any(|name| name.contains("backup") || name.contains("new")));
    }
    let elsewhere =
        told(&home, &["setup", "codex", "--write"], &[("CODEX_HOME", &home.file("c/x", ""))]).await;
    assert_eq!(elsewhere.code, Some(1), "a file is in the way of the directory");
}

#[cfg(unix)]
#[tokio::test]
async fn setup_keeps_a_backup_permissions_links_and_what_else_is_there() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Directory::new("backup");
    let before =
        "{\n  \"mcpServers\": {\"other\": {\"command\": \"x\", \"env\": {\"KEY\": \"theirs\"}}}\n}\n";
    let real = home.file("dotfiles/mcp.json", before);
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::create_dir_all(home.path().join(".cursor")).unwrap();
    symlink(&real, home.path().join(".cursor/mcp.json")).unwrap();
    for expected in [1, 2] {
        let url = format!("https://git{expected}.example.test");
        let run = told(&home, &["setup", "cursor", "--write", "--url", &url], &[]).await;
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(files(&home.path().join("dotfiles")).len(), 1 + expected, "a backup each time");
    }
    let link = std::fs::symlink_metadata(home.path().join(".cursor/mcp.json")).unwrap();
    assert!(link.file_type().is_symlink());
    let after: Value = serde_json::from_str(&std::fs::read_to_string(&real).unwrap()).unwrap();
    assert_eq!(after["mcpServers"]["other"]["env"]["KEY"], "theirs");
    let ours = &after["mcpServers"]["gitlab-duo"]["env"];
    assert_eq!(
        ours,
        &json!({"GITLAB_URL": "https://git2.example.test", "GITLAB_TOKEN": "${env:GITLAB_TOKEN}"})
    );
    let backup = format!("{real}.backup");
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), before);
    for path in [&real, &backup] {
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o640, "{path}");
    }
}

#[tokio::test]
async fn setup_leaves_a_file_alone_that_it_cannot_read() {
    let home = Directory::new("unreadable");
    let text = "{ // mine\n}";
    let path = home.file(".cursor/mcp.json", text);
    let run = told(&home, &["setup", "cursor", "--write"], &[]).await;
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("nothing was changed") && run.out.contains("mcpServers"),
        "{} {}",
        run.out,
        run.err
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(files(&home.path().join(".cursor")), ["mcp.json"]);
}

#[tokio::test]
async fn setup_writes_down_what_it_was_told_and_where_the_token_is() {
    let home = Directory::new("told");
    let token = home.file("token", TOKEN);
    let mut command = program(&[("HOME", home.text()), ("GITLAB_DUO_SCOPE", "acme")]);
    command.args(["setup", "claude-desktop", "--token-file", "token", "--read-only-mode", "--http", "8080"]);
    command.current_dir(home.path());
    let run = run(command, "", 0).await;
    let entry: Value = serde_json::from_str(&run.out).unwrap();
    let directory = std::fs::canonicalize(home.path()).unwrap();
    let expected = json!({
        "GITLAB_URL": "https://gitlab.com",
        "GITLAB_TOKEN_FILE": directory.join("token").to_str().unwrap(),
        "GITLAB_READ_ONLY_MODE": "true",
        "GITLAB_DUO_SCOPE": "acme",
    });
    assert_eq!(entry["mcpServers"]["gitlab-duo"]["env"], expected, "{token}");
}

#[tokio::test]
async fn a_placeholder_that_a_client_did_not_replace_stops_the_start() {
    for placeholder in ["${GITLAB_TOKEN}", "${env:GITLAB_TOKEN}", "${input:gitlab-token}"] {
        let run = run(program(&[("GITLAB_TOKEN", placeholder)]), "", 0).await;
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("GITLAB_TOKEN: it holds the name of a variable"), "{}", run.err);
    }
}
