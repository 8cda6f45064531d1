//! Conversations through clients that are not ours: the official Inspector and the official
//! SDKs of Python and TypeScript, each in the oldest and the newest revision that it speaks.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};

const INSPECTOR: &str = "@modelcontextprotocol/inspector@2.12.0";
const TYPESCRIPT_SDK: &str = "@modelcontextprotocol/sdk@1.32.2";
const PYTHON_SDK: &str = "mcp==2.3.0";
/// How much faster than real time the fake's sessions live: half a minute of CI is a tenth of a second.
const SPEED: &str = "300";

/// Installs the clients below `target/clients` when they are missing, and runs their conversations
/// with the server against a fake GitLab.
///
/// # Errors
/// What does not install, or the conversation that failed.
pub(crate) fn run() -> Result<()> {
    let home = root().join("target/clients");
    std::fs::create_dir_all(&home)?;
    succeed(Command::new("cargo").args(["build", "-p", "gitlab-duo-mcp", "-p", "fake-gitlab"]))?;
    let server = root().join("target/debug/gitlab-duo-mcp");
    let scripts = root().join("gitlab-duo-mcp/tests/clients");

    let python = install_python_sdk(&home)?;
    let inspector = install_inspector(&home)?;
    // Apart from the Inspector, which brings an SDK of its own.
    let typescript = install_typescript_sdk(&home.join("typescript"))?;
    let gitlab = Gitlab::start()?;
    let script = scripts.join("typescript_sdk.mjs");
    succeed(gitlab.known_to(Command::new("node").arg(script).args([&typescript, &server])))?;
    succeed(gitlab.known_to(Command::new(&python).arg(scripts.join("python_sdk.py")).arg(&server)))?;
    succeed(
        gitlab.known_to(Command::new(&python).arg(scripts.join("inspector.py")).args([&inspector, &server])),
    )
}

fn install_python_sdk(home: &Path) -> Result<PathBuf> {
    let python = home.join("venv/bin/python");
    if !python.is_file() {
        succeed(Command::new("python3").args(["-m", "venv"]).arg(home.join("venv")))?;
    }
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", PYTHON_SDK]))?;
    Ok(python)
}

fn install_inspector(home: &Path) -> Result<PathBuf> {
    let inspector = home.join("node_modules/.bin/mcp-inspector");
    if !inspector.is_file() {
        install_from_npm(home, INSPECTOR)?;
    }
    Ok(inspector)
}

fn install_typescript_sdk(home: &Path) -> Result<PathBuf> {
    if !home.join("node_modules/@modelcontextprotocol/sdk").is_dir() {
        std::fs::create_dir_all(home)?;
        install_from_npm(home, TYPESCRIPT_SDK)?;
    }
    Ok(home.to_owned())
}

pub(crate) fn install_from_npm(home: &Path, package: &str) -> Result<()> {
    let options = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"];
    succeed(Command::new("npm").args(options).arg(home).arg(package))
}

/// A running fake GitLab; ends with this value.
pub(crate) struct Gitlab {
    process: Child,
    /// Kept open: the fake would end when nobody can read what it says.
    _out: BufReader<ChildStdout>,
    url: String,
    token: String,
}

impl Gitlab {
    pub(crate) fn start() -> Result<Self> {
        Self::told(&["--empty", "--speed", SPEED])
    }

    /// One with example sessions, which live as slowly as real ones.
    pub(crate) fn with_sessions() -> Result<Self> {
        Self::told(&["--speed", "1"])
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    fn told(options: &[&str]) -> Result<Self> {
        let mut process = Command::new(root().join("target/debug/fake-gitlab"))
            .args(["--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .context("the fake GitLab does not start")?;
        let mut out = BufReader::new(process.stdout.take().context("the fake GitLab has an output")?);
        let (mut url, mut token) = (None, None);
        for line in out.by_ref().lines() {
            let line = line?;
            let setting = |name: &str| line.trim().strip_prefix(name).map(str::to_owned);
            url = url.or_else(|| setting("export GITLAB_URL="));
            token = token.or_else(|| setting("export GITLAB_TOKEN="));
            if url.is_some() && token.is_some() {
                break;
            }
        }
        let (url, token) = url.zip(token).context("the fake GitLab does not tell its address and token")?;
        Ok(Self { process, _out: out, url, token })
    }

    pub(crate) fn known_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("GITLAB_URL", &self.url).env("GITLAB_TOKEN", &self.token)
    }
}

impl Drop for Gitlab {
    fn drop(&mut self) {
        // Nothing is left to do when it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.current_dir(root()).status().with_context(|| format!("{command:?} does not run"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
