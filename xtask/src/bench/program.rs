//! A server under measure: spoken to over its standard streams, watched through `/proc`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// Clock ticks of a second in `/proc/PID/stat`: the same on every Linux that matters.
const TICKS: f64 = 100.0;

/// A running server; ends with this value.
pub(super) struct Program {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    pub(super) spawned: Instant,
}

/// What many calls took.
pub(super) struct Load {
    pub(super) latencies: Vec<Duration>,
    pub(super) whole: Duration,
}

impl Program {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let spawned = Instant::now();
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().with_context(|| format!("{command:?} does not start"))?;
        let input = process.stdin.take().context("it has an input")?;
        let output = BufReader::new(process.stdout.take().context("it has an output")?);
        Ok(Self { process, input, output, next: 0, spawned })
    }

    /// The handshake of the last revision that has one.
    pub(super) fn initialize(&mut self) -> Result<()> {
        let client = json!({"name": "bench", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        self.request("initialize", &params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())
    }

    /// Sends a request and waits for its result.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.ask(method, params)?;
        let line = self.line()?;
        ensure!(id_of(&line) == Some(id), "{method} is not answered but: {line}");
        let answer: Value = serde_json::from_str(&line)?;
        let result = answer.get("result").cloned();
        let result = result.with_context(|| format!("{method} is refused: {line}"))?;
        ensure!(result.get("isError") != Some(&Value::Bool(true)), "{method} fails: {line}");
        Ok(result)
    }

    /// Makes `calls` calls of a tool, `callers` of them at any time.
    pub(super) fn load(&mut self, call: &Value, calls: usize, callers: usize) -> Result<Load> {
        let (begun, mut asked) = (Instant::now(), HashMap::new());
        let mut latencies = Vec::with_capacity(calls);
        let mut left = calls;
        while left > 0 && asked.len() < callers {
            asked.insert(self.ask("tools/call", call)?, Instant::now());
            left -= 1;
        }
        while !asked.is_empty() {
            let line = self.line()?;
            let sent = id_of(&line).and_then(|id| asked.remove(&id));
            latencies.push(sent.with_context(|| format!("nobody asked for {line}"))?.elapsed());
            ensure!(!line.contains(r#""isError":true"#), "a call fails: {line}");
            if left > 0 {
                asked.insert(self.ask("tools/call", call)?, Instant::now());
                left -= 1;
            }
        }
        latencies.sort_unstable();
        Ok(Load { latencies, whole: begun.elapsed() })
    }

    /// Resident memory in megabytes of 1,048,576 bytes.
    pub(super) fn memory(&self) -> Result<f64> {
        let status = self.proc("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1_024.0)
    }

    /// Seconds of processor time until now.
    pub(super) fn processor(&self) -> Result<f64> {
        let stat = self.proc("stat")?;
        // After the name, which may hold anything, fields 14 and 15 are the 12th and 13th.
        let fields = stat.rsplit_once(')').context("no name in stat")?.1;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        Ok(ticks.sum::<Result<f64, _>>()? / TICKS)
    }

    fn proc(&self, file: &str) -> Result<String> {
        let path = format!("/proc/{}/{file}", self.process.id());
        std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read: this needs Linux"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())?;
        Ok(id)
    }

    fn send(&mut self, message: &str) -> Result<()> {
        Ok(self.input.write_all(format!("{message}\n").as_bytes())?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.output.read_line(&mut line)? > 0, "the server has ended");
        Ok(line)
    }
}

impl Load {
    /// The latency that this part of the calls did not exceed, in milliseconds.
    pub(super) fn percentile(&self, percent: usize) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        let at = self.latencies.get((self.latencies.len() * percent / 100).min(last));
        at.map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
    }

    pub(super) fn calls_per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.whole.as_secs_f64()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Nothing is left to do when it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The id of an answer without parsing all of it, which would cost more than what is measured.
fn id_of(line: &str) -> Option<u64> {
    let after = line.split_once(r#""id":"#)?.1;
    after.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
}
