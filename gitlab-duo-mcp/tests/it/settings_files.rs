//! Settings that are files or programs, with the program itself: the settings file, `glab`,
//! certificates.

use std::path::{Path, PathBuf};

use fake_gitlab::{FakeGitLab, TokenSpec};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::process::{Run, lines, program, run};
use crate::wire::{call, initialize, request};

/// A directory of one test, gone with it.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gitlab-duo-program-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// A file with this text; the text of its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

/// Lists tools and sessions.
async fn converse(command: Command) -> (Value, Value, Run) {
    let input = lines(&[
        initialize(json!("2025-11-25")),
        request(2, "tools/list", json!({})),
        call(3, "browse_duo_sessions", json!({"action": "list"})),
    ]);
    let run = run(command, &input, 3).await;
    assert_eq!(run.code, Some(0), "{}", run.err);
    let answer =
        |id| run.messages().into_iter().find(|message| message["id"] == id).unwrap()["result"].clone();
    (answer(2)["tools"].clone(), answer(3)["structuredContent"].clone(), run)
}

#[tokio::test]
async fn a_settings_file_with_a_profile_is_enough() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let directory = Directory::new("profile");
    let token = directory.file("token", fake.token());
    let text = format!(
        "url = 'http://127.0.0.1:9'\n[profile.test]\nurl = '{}'\ntoken_file = '{token}'\nread_only_mode = true\n",
        fake.url()
    );
    directory.file(".config/gitlab-duo/gitlab-duo.toml", &text);
    let mut command = program(&[("HOME", directory.text()), ("GITLAB_READ_ONLY_MODE", "false")]);
    command.args(["--profile", "test", "--read-only-mode=false"]);
    let (tools, sessions, _) = converse(command).await;
    assert!(sessions["sessions"].is_array(), "{sessions}");
    assert_eq!(tools.as_array().map(Vec::len), Some(1), "what the file refuses stays refused");
}

#[tokio::test]
async fn a_file_in_the_working_directory_is_not_read() {
    let directory = Directory::new("repository");
    directory.file("gitlab-duo.toml", "nonsense");
    directory.file(".config/other.toml", "");
    let mut command = program(&[("HOME", directory.text())]);
    command.current_dir(directory.path());
    let (_, answer, _) = converse(command).await;
    assert_eq!(answer["error"]["kind"], "unauthorized");
}

#[tokio::test]
async fn a_wrong_file_stops_the_start_with_one_line() {
    let directory = Directory::new("wrong");
    let unknown = directory.file("unknown.toml", "tool = 'secret'\n");
    let broken = directory.file("broken.toml", "tools = 'compact'\nsecret\n");
    let pem = directory.file("secret.pem", "secret");
    let missing = format!("{}/secret-missing", directory.text());
    let rows: [(&[&str], &str); 8] = [
        (&["--config", &unknown], "`tool` in the settings file: no such setting"),
        (&["--config", &broken], "line 2 of the settings file"),
        (&["--config", &missing], "GITLAB_DUO_CONFIG / --config: there is no such file"),
        (&["--profile", "secret"], "GITLAB_DUO_PROFILE / --profile: "),
        (&["--ca-file", &missing], "GITLAB_CA_FILE / --ca-file: the file cannot be read"),
        (&["--ca-file", &pem], "GITLAB_CA_FILE / --ca-file: "),
        (&["--client-cert-file", &pem], "GITLAB_CLIENT_KEY_FILE / --client-key-file: it is not set"),
        (&["--client-cert-file", &pem, "--client-key-file", &pem], "GITLAB_CLIENT_CERT_FILE / "),
    ];
    for (flags, expected) in rows {
        let mut command = program(&[("GITLAB_TOKEN", "glpat-example")]);
        command.args(flags);
        let run = run(command, "", 0).await;
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{flags:?}");
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.contains(expected) && !run.err.contains("secret"), "{}", run.err);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_login_of_glab_is_used_for_the_host_and_asked_for_again_after_a_401() {
    use std::os::unix::fs::PermissionsExt;
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.add_token(TokenSpec::new("second-token", 88, &["api"]));
    let directory = Directory::new("glab");
    // Stands for glab: it knows one host, and its first answer is an expired token.
    let state = directory.file("asked", "");
    let script = format!(
        "#!/bin/sh\n[ \"$*\" = 'config get token --host 127.0.0.1' ] || exit 1\n[ -z \"$GITLAB_TOKEN\" ] || exit 1\n\
         if [ -s '{state}' ]; then echo second-token; else echo asked > '{state}'; echo stale-token; fi\n"
    );
    let glab = directory.file("bin/glab", &script);
    std::fs::set_permissions(&glab, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}/bin:/usr/bin:/bin", directory.text());
    let settings = [("GITLAB_URL", fake.url()), ("PATH", &path), ("GITLAB_TOKEN", "of-another-host")];
    let mut command = program(&settings);
    command.arg("--use-glab");
    let (_, sessions, run) = converse(command).await;
    assert!(sessions["sessions"].is_array(), "{sessions} {}", run.err);
    let tokens: Vec<_> = fake
        .requests()
        .iter()
        .filter_map(|request| request.header("authorization").map(str::to_owned))
        .collect();
    assert!(!tokens.iter().any(|token| token.contains("of-another-host")), "{tokens:?}");
}
