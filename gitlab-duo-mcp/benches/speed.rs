//! What a call costs in this process: `cargo bench -p gitlab-duo-mcp`. The whole program beside a floor is measured
//! by `cargo xtask bench`.

#![expect(clippy::unwrap_used, reason = "a benchmark has nobody to tell")]

use std::sync::Arc;

use divan::{Bencher, black_box};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::session::{Session, SessionRow};
use gitlab_duo_core::rules::clip::clip;
use gitlab_duo_core::rules::limits::ANSWER_CHARS;
use gitlab_duo_graphql::fuzzing::session_answer;
use gitlab_duo_mcp::server::stdio::serve;
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::confirm::Confirm;
use gitlab_duo_mcp::spec::surface::Surface;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;

/// An answer of GitLab with every field of a session.
const ANSWER: &[u8] = include_bytes!("../../fuzz/corpus/session_answer/full.json");
/// The session of that answer, and of every call here.
const SESSION: u64 = 73;
/// Bytes between the two ends of a conversation.
const PIPE_BYTES: usize = 1 << 20;

fn main() {
    divan::main();
}

#[divan::bench]
fn map_a_full_session_answer(bencher: Bencher) {
    let id = WorkflowId::new(SESSION).unwrap();
    bencher.bench(|| session_answer(black_box(ANSWER), id).unwrap());
}

/// Characters of the text: below the bound, just above it, and of the size of a whole answer.
#[divan::bench(args = [1_000, 5_000, 1_000_000])]
fn cut_a_long_text(bencher: Bencher, chars: usize) {
    let text: String = "a sentence, ü, \u{1f600} ".chars().cycle().take(chars).collect();
    bencher.bench(|| clip(black_box(&text), ANSWER_CHARS));
}

#[divan::bench]
fn start_to_initialize(bencher: Bencher) {
    let runtime = runtime();
    bencher.bench(|| runtime.block_on(Conversation::begin()));
}

#[divan::bench]
fn a_whole_tool_call(bencher: Bencher) {
    let runtime = runtime();
    let mut conversation = runtime.block_on(Conversation::begin());
    let arguments = json!({"action": "get", "workflow_id": SESSION});
    let params = json!({"name": "browse_duo_sessions", "arguments": arguments});
    bencher.bench_local(|| {
        let answer = runtime.block_on(conversation.ask("tools/call", &params));
        assert!(answer.contains(r#""isError":false"#), "{answer}");
        answer
    });
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A client that speaks lines, as little of one as possible.
struct Conversation {
    write: WriteHalf<DuplexStream>,
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Conversation {
    async fn begin() -> Self {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        let (read, write) = tokio::io::split(ours);
        tokio::spawn(serve(server(), read, write));
        let (read, write) = tokio::io::split(theirs);
        let mut conversation = Self { write, read: BufReader::new(read).lines() };
        let client = json!({"name": "bench", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        conversation.ask("initialize", &params).await;
        conversation.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        conversation
    }

    async fn ask(&mut self, method: &str, params: &Value) -> String {
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await;
        self.read.next_line().await.unwrap().unwrap()
    }

    async fn send(&mut self, message: &Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }
}

fn server() -> Server {
    let instance = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    let gitlab = MemoryGitLab::new(instance.clone(), "19.5.0-ee");
    let row = SessionRow::unknown(WorkflowId::new(SESSION).unwrap());
    gitlab.world().sessions = vec![Session::bare(row)];
    let now = "2026-10-20T12:00:00Z".parse().unwrap();
    let settings = ServerSettings {
        instance,
        scope: Scope::default(),
        surface: Surface::Compact,
        confirm: Confirm::default(),
        clock: Arc::new(move || now),
    };
    Server::new(Arc::new(gitlab), settings)
}
