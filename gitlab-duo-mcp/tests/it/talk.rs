//! The same requests in both generations of the protocol, line by line.

use std::time::Duration;

use gitlab_duo_mcp::server::Server;
use serde_json::{Value, json};

use crate::wire::{Wire, cancelled, request};

/// How long silence may last before it counts as a failure; a paused clock jumps over it.
const SILENCE: Duration = Duration::from_secs(1_800);

/// A generation of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// With a handshake, up to 2025-11-25.
    Legacy,
    /// Every request carries all it needs, from 2026-07-28 on.
    Modern,
}

/// Both generations.
pub(crate) const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

/// A conversation. What the server tells unasked is kept apart from its answers.
pub(crate) struct Talk {
    wire: Wire,
    era: Era,
    next_id: u64,
    told: Vec<Value>,
}

impl Talk {
    pub(crate) async fn begin(server: Server, era: Era) -> Self {
        let wire = match era {
            Era::Legacy => Wire::begun(server).await,
            Era::Modern => Wire::to(server),
        };
        Self { wire, era, next_id: 100, told: Vec::new() }
    }

    /// Sends a request and gives its id.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let mut message = request(self.next_id, method, params);
        if self.era == Era::Modern {
            message["params"]["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.wire.send(&message.to_string()).await;
        self.next_id
    }

    /// The answer to a request.
    pub(crate) async fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.next().await;
            if line["id"] == id {
                return line;
            }
            assert!(line.get("id").is_none(), "an answer to nothing: {line}");
            self.told.push(line);
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// The result of a request that is granted.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params.clone()).await;
        assert!(answer.get("error").is_none(), "{:?} {method} {params}: {answer}", self.era);
        answer["result"].clone()
    }

    /// The error of a request that is refused.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params.clone()).await;
        assert!(answer.get("result").is_none(), "{:?} {method} {params}: {answer}", self.era);
        answer["error"].clone()
    }

    /// The next line that answers nothing, also one that came before.
    pub(crate) async fn told(&mut self) -> Value {
        if !self.told.is_empty() {
            return self.told.remove(0);
        }
        let line = self.next().await;
        assert!(line.get("method").is_some(), "an answer: {line}");
        line
    }

    async fn next(&mut self) -> Value {
        tokio::time::timeout(SILENCE, self.wire.next_at_any_time()).await.expect("a word of the server")
    }

    /// What was told unasked and not yet looked at.
    pub(crate) fn untouched(&self) -> &[Value] {
        &self.told
    }

    pub(crate) async fn cancel(&mut self, id: u64) {
        self.wire.send(&cancelled(id).to_string()).await;
    }

    /// Ends the input and waits until the server has ended.
    pub(crate) async fn end(self) {
        self.wire.end().await.0.unwrap();
    }
}
