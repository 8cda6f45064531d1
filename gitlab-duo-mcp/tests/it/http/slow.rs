//! Clients that take their time, and the end of the server.

use std::time::Duration;

use fake_gitlab::{FakeGitLab, Fault};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::peer::{Peer, Reply, options, upstream};
use crate::wire::{PATIENCE, call};

/// Short, so that no test waits for long; nothing is measured.
const SHORT: Duration = Duration::from_millis(50);

/// A request whose body of `length` bytes does not arrive.
pub(super) struct Begun(TcpStream);

pub(super) async fn begun(peer: &Peer, token: &str, length: usize) -> Begun {
    let mut stream = TcpStream::connect(peer.address).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nprivate-token: {token}\r\nconnection: close\r\nmcp-protocol-version: 2025-11-25\r\n\
         accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    Begun(stream)
}

impl Begun {
    pub(super) async fn finish(&mut self) -> Reply {
        self.0.write_all(b"wrong").await.unwrap();
        Reply::read(&mut self.0).await
    }
}

#[tokio::test]
async fn who_does_not_finish_a_head_or_a_body_is_cut_off() {
    let fake = FakeGitLab::start().await.unwrap();
    let mut options = options();
    (options.head_time, options.body_time) = (SHORT, SHORT);
    let peer = Peer::with(upstream(&fake), options).await;
    for head in ["", "POST /mcp HTTP/1.1\r\nhost: localhost\r\n"] {
        let mut stream = TcpStream::connect(peer.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let reply = Reply::read(&mut stream).await;
        assert!(matches!(reply.status, 0 | 408), "{head}: {reply:?}");
    }
    let mut begun = begun(&peer, "glpat-one", 5).await;
    assert_eq!(Reply::read(&mut begun.0).await.status, 408);
    // An open connection without a next request is closed, too.
    let mut stream = TcpStream::connect(peer.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    assert_eq!(Reply::read(&mut stream).await.status, 200);
}

#[tokio::test]
async fn an_answer_in_flight_is_given_before_the_end() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    fake.inject(Fault::delay(SHORT).always());
    let peer = Peer::of(&fake).await;
    let message = call(1, "browse_duo_sessions", json!({"action": "list"})).to_string();
    let mut begun = begun(&peer, fake.token(), message.len()).await;
    begun.0.write_all(message.as_bytes()).await.unwrap();
    while fake.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    let address = peer.address;
    let ended = peer.end();
    let reply = Reply::read(&mut begun.0).await;
    assert!(reply.message()["result"]["structuredContent"]["sessions"].is_array(), "{reply:?}");
    timeout(PATIENCE, ended).await.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn an_answer_that_does_not_come_holds_the_end_up_for_a_bounded_time_only() {
    let fake = FakeGitLab::start().await.unwrap();
    fake.inject(Fault::hang().always());
    let mut options = options();
    options.last_answers = SHORT;
    let peer = Peer::with(upstream(&fake), options).await;
    let message = call(1, "browse_duo_sessions", json!({"action": "list"})).to_string();
    let mut begun = begun(&peer, fake.token(), message.len()).await;
    begun.0.write_all(message.as_bytes()).await.unwrap();
    while fake.connections() == 0 {
        tokio::task::yield_now().await;
    }
    timeout(PATIENCE, peer.end()).await.unwrap().unwrap().unwrap();
}
