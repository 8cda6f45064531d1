//! A server over HTTP in this process, and bare requests to it.

use std::net::SocketAddr;
use std::sync::Arc;

use fake_gitlab::FakeGitLab;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::StaticToken;
use gitlab_duo_mcp::http::{HttpOptions, Upstream, UpstreamParts, serve_http};
use gitlab_duo_mcp::server::{Server, ServerSettings};
use gitlab_duo_mcp::settings::http::HttpSettings;
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::wire::PATIENCE;
use crate::world::settings;

/// Names and values: headers of a request, or settings of a program.
pub(super) type Rows<'a> = &'a [(&'a str, &'a str)];

/// The newest revision with a handshake.
pub(super) const VERSION: (&str, &str) = ("mcp-protocol-version", "2025-11-25");

/// A running server; ends with this value.
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    serving: JoinHandle<std::io::Result<()>>,
}

pub(super) fn options() -> HttpOptions {
    HttpOptions::of(&HttpSettings {
        address: ([127, 0, 0, 1], 0).into(),
        allowed_origins: vec!["https://app.example.com".to_owned()],
        allowed_hosts: vec!["duo.example.com".to_owned()],
        share_token: false,
    })
}

pub(super) fn upstream(fake: &FakeGitLab) -> UpstreamParts {
    let instance = InstanceUrl::parse(fake.url(), PlainHttp::LoopbackOnly).unwrap();
    let gitlab = GitLab::builder(instance.clone()).build().unwrap();
    let probed = gitlab.clone();
    UpstreamParts {
        instance,
        with_token: Arc::new(move |token| {
            Arc::new(gitlab.with_token(StaticToken::new(token.expose_secret())))
        }),
        shared: None,
        is_answering: Arc::new(move || {
            let gitlab = probed.clone();
            Box::pin(async move { gitlab.is_answering().await })
        }),
        clock: settings(Scope::default()).clock,
    }
}

impl Peer {
    pub(super) async fn of(fake: &FakeGitLab) -> Self {
        Self::with(upstream(fake), options()).await
    }

    pub(super) async fn with(parts: UpstreamParts, options: HttpOptions) -> Self {
        let listener = TcpListener::bind(options_address()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let settings = ServerSettings { instance: parts.instance.clone(), ..settings(Scope::default()) };
        let server = Server::for_callers(settings);
        let (end, told) = oneshot::channel();
        let told = async {
            let _gone = told.await;
        };
        let serving = tokio::spawn(serve_http(listener, server, options, Upstream::new(parts), told));
        Self { address, end: Some(end), serving }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Tells the server to end; the value ends when it has.
    pub(super) fn end(mut self) -> JoinHandle<std::io::Result<()>> {
        self.end.take().unwrap().send(()).unwrap();
        self.serving
    }

    /// Sends `head` and `body` as they are and reads until the server closes.
    pub(super) async fn raw(&self, head: &str, body: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that refuses early closes before it has read everything.
        let _refused = async {
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(body).await
        }
        .await;
        Reply::read(&mut stream).await
    }

    /// A request with the headers that every client sends, replaced or left out (empty) by `rows`.
    pub(super) async fn ask(&self, line: &str, rows: &[(&str, &str)], body: &str) -> Reply {
        let length = body.len().to_string();
        let usual = [
            ("host", "localhost"),
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json"),
            ("content-length", &length),
            ("connection", "close"),
        ];
        let is_replaced = |name: &str| rows.iter().any(|(other, _)| *other == name);
        let all = usual.iter().filter(|(name, _)| !is_replaced(name)).chain(rows);
        let all = all.filter(|(_, value)| !value.is_empty());
        let headers: String = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        self.raw(&format!("{line} HTTP/1.1\r\n{headers}\r\n"), body.as_bytes()).await
    }

    /// Posts a message with a token.
    pub(super) async fn post(&self, token: &str, rows: &[(&str, &str)], message: &Value) -> Reply {
        let mut rows = [&[("private-token", token)], rows].concat();
        // What is agreed upon by `initialize` is said with every later request.
        if message["method"] != "initialize" && !rows.iter().any(|(name, _)| *name == VERSION.0) {
            rows.push(VERSION);
        }
        self.ask("POST /mcp", &rows, &message.to_string()).await
    }
}

fn options_address() -> SocketAddr {
    ([127, 0, 0, 1], 0).into()
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Reply {
    pub(super) async fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A reset after the answer is as good as an end.
        let _reset = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server closes");
        Self::of(&String::from_utf8(bytes).unwrap())
    }

    fn of(text: &str) -> Self {
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            return Self { status: 0, head: text.to_owned(), body: String::new() };
        };
        let head = head.to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let is_chunked = head.contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_owned() };
        Self { status, head, body }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The last message, in either form of answer.
    pub(super) fn message(&self) -> Value {
        let events = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        let text = events.map(str::trim).rfind(|data| !data.is_empty()).unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|_| panic!("no message: {self:?}"))
    }
}

fn unchunked(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 || rest.len() < size {
            break;
        }
        whole.push_str(&rest[..size]);
        text = &rest[size + 2..];
    }
    whole
}
