//! The program itself over HTTP.

use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::peer::Rows;
use crate::process::program;
use crate::wire::{PATIENCE, call};

/// One call to a program with these settings, with a token or none: the status line, the answer, and
/// everything that was written. The program is told to end afterwards, and does.
async fn ask(settings: &[(&str, &str)], token: Option<&str>) -> (String, String, String) {
    let all = [&[("GITLAB_DUO_HTTP", "127.0.0.1:0"), ("GITLAB_DUO_LOG", "trace")], settings].concat();
    let mut child = program(&all).spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut written = String::new();
    let address = loop {
        let mut line = String::new();
        assert_ne!(timeout(PATIENCE, err.read_line(&mut line)).await.unwrap().unwrap(), 0, "{written}");
        written.push_str(&line);
        let at = line.split_once("served at http://").and_then(|(_, rest)| rest.trim().strip_suffix("/mcp"));
        if let Some(at) = at {
            break at.to_owned();
        }
    };
    let body = call(1, "browse_duo_sessions", json!({"action": "list"})).to_string();
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\n{token}connection: close\r\nmcp-protocol-version: 2025-11-25\r\n\
         accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut reply = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut reply)).await.unwrap().unwrap();
    let id = child.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    timeout(PATIENCE, err.read_to_string(&mut written)).await.unwrap().unwrap();
    assert!(timeout(PATIENCE, child.wait()).await.unwrap().unwrap().success(), "{written}");
    let status = reply.lines().next().unwrap().to_owned();
    (status, reply, written)
}

fn sessions(reply: &str) -> usize {
    let mut data = reply.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    let message: Value = serde_json::from_str(data.rfind(|data| !data.is_empty()).unwrap()).unwrap();
    message["result"]["structuredContent"]["sessions"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn each_request_brings_its_token_unless_the_servers_own_is_shared() {
    let fake = FakeGitLab::builder().with_example_sessions().subpath("/gitlab").start().await.unwrap();
    let (url, own) = (("GITLAB_URL", fake.url()), ("GITLAB_TOKEN", fake.token()));
    let shared = ("GITLAB_DUO_HTTP_SHARE_TOKEN", "true");
    let table: [(Rows<'_>, Option<&str>, &str); 5] = [
        (&[url], Some(fake.token()), "200"),
        (&[url], None, "401"),
        (&[url, own], None, "401"),
        (&[url, own, shared], None, "200"),
        (&[url, shared], None, "401"),
    ];
    for (settings, token, expected) in table {
        let (status, reply, written) = ask(settings, token).await;
        assert!(status.contains(expected), "{settings:?}: {reply}");
        assert!(expected != "200" || sessions(&reply) > 0, "{settings:?}: {reply}");
        assert!(!written.contains(fake.token()) && !reply.contains(fake.token()), "{written}");
    }
}
