//! The official conformance suite, against the program over HTTP with a fake GitLab behind it, in the
//! last revision of either generation of the protocol.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::clients::{Gitlab, install_from_npm, root, succeed};

const SUITE: &str = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/// The suite needs it, whatever else is installed.
const NODE: &str = "node@22.23.3";
/// The revisions, each with the list of scenarios that do not apply.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Installs the suite below `target/conformance` when it is missing, and runs every server scenario.
///
/// # Errors
/// What does not install, a scenario that fails and is not listed, or a listed one that passes.
pub(crate) fn run() -> Result<()> {
    let home = root().join("target/conformance");
    let modules = home.join("node_modules");
    let suite = modules.join("@modelcontextprotocol/conformance/dist/index.js");
    let node = modules.join("node/bin/node");
    if !suite.is_file() || !node.is_file() {
        std::fs::create_dir_all(&home)?;
        install_from_npm(&home, SUITE)?;
        install_from_npm(&home, NODE)?;
    }
    succeed(Command::new("cargo").args(["build", "-p", "gitlab-duo-mcp", "-p", "fake-gitlab"]))?;
    let gitlab = Gitlab::start()?;
    let server = Server::start(&gitlab)?;
    let lists = root().join("gitlab-duo-mcp/tests/clients/conformance");
    for revision in REVISIONS {
        let mut command = Command::new(&node);
        command.arg(&suite).args(["server", "--url", &server.url, "--suite", "all"]);
        command.args(["--spec-version", revision, "--expected-failures"]);
        succeed(command.arg(lists.join(format!("{revision}.yml"))))?;
    }
    Ok(())
}

/// A running server that shares its token, since the suite brings none; ends with this value.
struct Server {
    process: Child,
    /// Kept open: the server would have nowhere to write its log.
    _err: BufReader<ChildStderr>,
    url: String,
}

impl Server {
    fn start(gitlab: &Gitlab) -> Result<Self> {
        let mut command = Command::new(root().join("target/debug/gitlab-duo-mcp"));
        command.args(["--http", "127.0.0.1:0", "--http-share-token", "true", "--log", "off"]);
        let spawned = gitlab.known_to(&mut command).stderr(Stdio::piped()).spawn();
        let mut process = spawned.context("the server does not start")?;
        let mut err = BufReader::new(process.stderr.take().context("the server has an error output")?);
        let mut line = String::new();
        err.read_line(&mut line)?;
        let url = line.trim().split_once("served at ").map(|(_, url)| url.to_owned());
        ensure!(url.is_some(), "the server does not tell its address: {line}");
        Ok(Self { process, _err: err, url: url.unwrap_or_default() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing is left to do when it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
