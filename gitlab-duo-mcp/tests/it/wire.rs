//! Bare lines of JSON-RPC, for what a well-behaved client would never send.

use std::time::Duration;

use gitlab_duo_mcp::server::Server;
use gitlab_duo_mcp::server::stdio::serve;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

use crate::client::validate;

/// How long a test waits before it calls silence a failure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to a server in this process.
pub(crate) struct Wire {
    /// Calls of tools that are not answered yet: the id of the request, and the tool.
    asked: Vec<(Value, String)>,
    write: WriteHalf<DuplexStream>,
    read: BufReader<ReadHalf<DuplexStream>>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Wire {
    pub(crate) fn to(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(ours);
        let serving = tokio::spawn(serve(server, read, write));
        let (read, write) = tokio::io::split(theirs);
        Self { asked: Vec::new(), write, read: BufReader::new(read), serving }
    }

    /// A connection whose handshake is done.
    pub(crate) async fn begun(server: Server) -> Self {
        let mut wire = Self::to(server);
        wire.ask(initialize(json!("2025-11-25"))).await;
        wire.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
        wire
    }

    /// Sends a line as it is.
    pub(crate) async fn send(&mut self, line: &str) {
        if let Ok(message) = serde_json::from_str::<Value>(line)
            && message["method"] == "tools/call"
            && let Some(tool) = message["params"]["name"].as_str()
        {
            self.asked.push((message["id"].clone(), tool.to_owned()));
        }
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The next line of the server.
    pub(crate) async fn next(&mut self) -> Value {
        tokio::time::timeout(PATIENCE, self.next_at_any_time()).await.expect("an answer in time")
    }

    /// The next line of the server, for tests in which time jumps.
    pub(crate) async fn next_at_any_time(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.read.read_line(&mut line).await.unwrap(), 0, "the server has ended");
        let answer: Value = serde_json::from_str(&line).unwrap();
        if let Some(result) = answer.get("result")
            && let Some(place) = self.asked.iter().position(|(id, _)| *id == answer["id"])
        {
            validate(&self.asked.remove(place).1, result).await;
        }
        answer
    }

    /// Sends a message and gives the next line of the server.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        self.send(&message.to_string()).await;
        self.next().await
    }

    /// Ends the input and gives what the server returns, with what it still said.
    pub(crate) async fn end(mut self) -> (std::io::Result<()>, String) {
        self.write.shutdown().await.unwrap();
        let served = tokio::time::timeout(PATIENCE, self.serving).await.expect("an end in time").unwrap();
        drop(self.write);
        let mut rest = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut self.read, &mut rest).await.unwrap();
        (served, rest)
    }
}

pub(crate) fn initialize(version: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})
}

pub(crate) fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

pub(crate) fn cancelled(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}
