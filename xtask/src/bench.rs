//! The whole program in release beside a floor, the least that a server over rmcp can do: `cargo xtask bench`.
//! Ratios count, since machines differ: both are measured in turns, and medians are told.

mod program;
mod report;
mod rows;
mod sizes;
mod upstream;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::clients::{Gitlab, root, succeed};
use program::Program;
use upstream::Upstream;

/// The path that the floor gets.
const FLOOR_PATH: &str = "/floor";
/// Calls of a round at one caller; memory is read after them.
const FIRST_CALLS: usize = 1_000;
/// Callers at one time, with the calls that they share in a round.
const CROWDS: [(usize, usize); 3] = [(1, FIRST_CALLS), (16, 2_000), (64, 4_000)];
/// Callers and calls while the upstream waits.
const SLOW: (usize, usize, Duration) = (64, 1_280, Duration::from_millis(50));

/// What was measured, by name.
type Figures = BTreeMap<String, f64>;

/// Builds and measures both programs and prints the table.
///
/// # Errors
/// What does not build, start or answer. A target that is missed is no error.
pub(crate) fn run(rounds: u32, profile: &str) -> Result<()> {
    let build = ["build", "--profile", profile, "-p", "gitlab-duo-mcp", "-p", "bench-floor"];
    succeed(Command::new("cargo").args(build))?;
    let built = root().join("target").join(profile);
    succeed(Command::new("cargo").args(["build", "-p", "fake-gitlab"]))?;
    let gitlab = Gitlab::with_sessions()?;
    let upstream = Upstream::start(gitlab.address())?;
    let (sizes, get) = sizes::measure(Program::start(&mut ours(&built, &gitlab, &upstream))?, &upstream)?;
    let (mut floors, mut all) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        let nothing = json!({"name": "get"});
        floors.push(measure(&mut floor(&built, &upstream), &nothing, &upstream)?);
        all.push(measure(&mut ours(&built, &gitlab, &upstream), &get, &upstream)?);
    }
    report::print(&report::medians(&floors), &report::medians(&all), &sizes)
}

fn ours(built: &Path, gitlab: &Gitlab, upstream: &Upstream) -> Command {
    let mut command = Command::new(built.join("gitlab-duo-mcp"));
    gitlab.known_to(&mut command).env("GITLAB_URL", &upstream.url);
    command
}

fn floor(built: &Path, upstream: &Upstream) -> Command {
    let mut command = Command::new(built.join("bench-floor"));
    command.env("FLOOR_URL", format!("{}{FLOOR_PATH}", upstream.url));
    command
}

fn measure(command: &mut Command, call: &Value, upstream: &Upstream) -> Result<Figures> {
    let mut figures = Figures::new();
    let mut note = |name: &str, value: f64| figures.insert(name.to_owned(), value);
    let before = upstream.used();
    let mut program = Program::start(command)?;
    program.initialize()?;
    program.request("tools/list", &json!({}))?;
    note("listed", program.spawned.elapsed().as_secs_f64() * 1e3);
    note("early", (upstream.used().requests - before.requests) as f64);
    program.request("tools/call", call)?;
    note("first", program.spawned.elapsed().as_secs_f64() * 1e3);
    drop(program);

    // Another process, so that what it uses idle is read before its first call.
    let mut program = Program::start(command)?;
    program.initialize()?;
    program.request("tools/list", &json!({}))?;
    note("idle", program.memory()?);
    program.request("tools/call", call)?;
    let (before, processor) = (upstream.used(), program.processor()?);
    let mut calls = 0;
    for (callers, share) in CROWDS {
        let load = program.load(call, share, callers)?;
        calls += share;
        note(&format!("p50 {callers}"), load.percentile(50));
        note(&format!("p99 {callers}"), load.percentile(99));
        note(&format!("rate {callers}"), load.calls_per_second());
        if callers == 1 {
            note("used", program.memory()?);
        }
    }
    let calls = f64::from(u32::try_from(calls)?);
    note("crowded", program.memory()?);
    note("processor", (program.processor()? - processor) / calls * 1e3);
    note("requests", (upstream.used().requests - before.requests) as f64 / calls);
    note("connections", (upstream.used().connections - before.connections) as f64);
    let (callers, share, delay) = SLOW;
    upstream.wait_before_answers(delay);
    let load = program.load(call, share, callers);
    upstream.wait_before_answers(Duration::ZERO);
    note("slow", load?.calls_per_second());
    Ok(figures)
}

/// The structured result of a call of the tool that reads.
fn browse(program: &mut Program, arguments: &Value) -> Result<Value> {
    let result = program.request("tools/call", &call(arguments))?;
    let structured = result.get("structuredContent").cloned().context("no structured result")?;
    ensure!(structured.is_object(), "the result is {structured}");
    Ok(structured)
}

/// The parameters of a call of the tool that reads.
fn call(arguments: &Value) -> Value {
    json!({"name": "browse_duo_sessions", "arguments": arguments})
}
