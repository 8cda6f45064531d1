//! Faults do on the wire what they say.

use crate::client::{WORKFLOWS, get, graphql, send, try_send};
use fake_gitlab::{FakeGitLab, Fault};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn gitlab() -> FakeGitLab {
    FakeGitLab::start().await.unwrap()
}

async fn raw(gitlab: &FakeGitLab) -> (TcpStream, String) {
    let authority = gitlab.url().strip_prefix("http://").unwrap().to_owned();
    let request = format!(
        "GET /api/v4/metadata HTTP/1.1\r\nhost: {authority}\r\nprivate-token: {}\r\n\r\n",
        gitlab.token()
    );
    (TcpStream::connect(authority).await.unwrap(), request)
}

/// All bytes until the connection ends, and whether it ended politely.
async fn drain(stream: &mut TcpStream) -> (Vec<u8>, bool) {
    let (mut bytes, mut piece) = (Vec::new(), [0; 1 << 16]);
    loop {
        match stream.read(&mut piece).await {
            Ok(0) => return (bytes, true),
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
            Err(_) => return (bytes, false),
        }
    }
}

fn start() -> Value {
    json!({ "project_id": "4021", "ai_catalog_item_consumer_id": 91, "goal": "x", "start_workflow": true })
}

fn sessions(gitlab: &FakeGitLab) -> usize {
    gitlab.state(|world| world.sessions.len())
}

#[tokio::test]
async fn a_refusal_meets_the_request_it_is_meant_for() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::rate_limited_text(37).on_method("POST").on_path("/workflows"));
    gitlab.inject(Fault::graphql_timeout().on_graphql("metadata").times(2));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.status, 200);
    let reply = send(&gitlab, "POST", WORKFLOWS, &start()).await;
    assert_eq!((reply.status, reply.text.as_str()), (429, "Retry later\n"));
    assert_eq!(reply.header("retry-after"), Some("37"));
    assert_eq!(reply.header("ratelimit-resettime"), Some("Tue, 20 Oct 2026 09:25:17 GMT"));
    assert!(reply.header("x-request-id").is_some());
    assert_eq!(sessions(&gitlab), 0);
    for expected in [true, true, false] {
        let answer = graphql(&gitlab, "{ metadata { version } }", Value::Null).await;
        assert_eq!(answer["errors"].is_array(), expected);
    }
    assert_eq!(send(&gitlab, "POST", WORKFLOWS, &start()).await.status, 201, "once is once");
    let faults: Vec<_> = gitlab.writes().into_iter().map(|request| request.outcome.fault).collect();
    assert_eq!(faults, [Some("rate limited, text".to_owned()), None]);
}

#[tokio::test]
async fn later_and_always() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::internal_error().after(1).always());
    let statuses =
        [get(&gitlab, "/api/v4/metadata").await.status, get(&gitlab, "/api/v4/metadata").await.status];
    assert_eq!(statuses, [200, 500]);
    gitlab.clear_faults();
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.status, 200);
}

#[tokio::test]
async fn a_write_can_be_done_though_its_answer_is_lost() {
    let rows: [(Fault, Option<u16>, usize); 8] = [
        (Fault::close(), None, 0),
        (Fault::reset(), None, 0),
        (Fault::executed_then_close(), None, 1),
        (Fault::reset().executed(), None, 1),
        (Fault::html_502(), Some(502), 0),
        (Fault::executed_then_502(), Some(502), 1),
        (Fault::unavailable(1), Some(503), 0),
        (Fault::empty_201(), Some(201), 1),
    ];
    for (fault, status, done) in rows {
        let gitlab = gitlab().await;
        let name = format!("{fault:?}");
        gitlab.inject(fault);
        let reply = try_send(&gitlab, "POST", WORKFLOWS, &start()).await.ok();
        assert_eq!(reply.map(|reply| reply.status), status, "{name}");
        assert_eq!(sessions(&gitlab), done, "{name}");
        let writes = gitlab.writes();
        assert_eq!((writes.len(), writes[0].outcome.executed), (1, done == 1), "{name}");
    }
}

#[tokio::test]
async fn nothing_is_read_when_the_connection_breaks_before() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::close_before_reading().on_path("/metadata"));
    let (mut stream, request) = raw(&gitlab).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let (bytes, politely) = drain(&mut stream).await;
    assert_eq!((bytes.len(), politely), (0, false));
    assert!(gitlab.requests().is_empty());
    assert_eq!(gitlab.connections(), 1);
}

#[tokio::test]
async fn a_kept_connection_can_break_as_well() {
    let gitlab = gitlab().await;
    let (mut stream, request) = raw(&gitlab).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut piece = [0; 4096];
    assert!(stream.read(&mut piece).await.unwrap() > 0);
    gitlab.inject(Fault::close_before_reading());
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(drain(&mut stream).await.0.len(), 0);
    assert_eq!((gitlab.requests().len(), gitlab.connections()), (1, 1));
}

#[tokio::test]
async fn a_hanging_request_ends_with_stop() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::executed_then_hang());
    let asking = tokio::spawn({
        let gitlab = gitlab.clone();
        async move { try_send(&gitlab, "POST", WORKFLOWS, &start()).await.is_err() }
    });
    while sessions(&gitlab) == 0 {
        tokio::task::yield_now().await;
    }
    gitlab.stop().await;
    assert!(asking.await.unwrap());
}

#[tokio::test]
async fn a_cut_body_announces_more_than_it_sends() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::cut_body(20));
    let (mut stream, request) = raw(&gitlab).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let (bytes, _) = drain(&mut stream).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let announced = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert_eq!(body.len(), 20);
    assert!(announced.parse::<usize>().unwrap() > 100);
    gitlab.inject(Fault::cut_body(20).on_method("POST"));
    assert!(try_send(&gitlab, "POST", WORKFLOWS, &start()).await.is_err());
    assert_eq!(sessions(&gitlab), 1, "executed");
}

#[tokio::test]
async fn large_bodies_are_announced_or_not() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::huge(3));
    gitlab.inject(Fault::huge_chunked(3));
    let announced = get(&gitlab, "/api/v4/metadata").await;
    assert_eq!((announced.text.len(), announced.header("content-length")), (3 << 20, Some("3145728")));
    let chunked = get(&gitlab, "/api/v4/metadata").await;
    assert_eq!((chunked.text.len(), chunked.header("transfer-encoding")), (3 << 20, Some("chunked")));
    gitlab.inject(Fault::more_than_announced(100, 2));
    let (mut stream, request) = raw(&gitlab).await;
    stream.write_all(request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes()).await.unwrap();
    let (bytes, _) = drain(&mut stream).await;
    assert!(bytes.len() > 2 << 20);
    assert!(String::from_utf8_lossy(&bytes[..400]).contains("content-length: 100\r\n"));
    gitlab.inject(Fault::gzip_bomb(64));
    let bomb = get(&gitlab, "/api/v4/metadata").await;
    assert_eq!(bomb.header("content-encoding"), Some("gzip"));
    assert!(bomb.header("content-length").unwrap().parse::<usize>().unwrap() < 256 << 10);
}

#[tokio::test]
async fn answers_are_changed_slowed_or_led_astray() {
    let gitlab = gitlab().await;
    gitlab.inject(Fault::add_headers(&[("ratelimit-remaining", "0")]));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.header("ratelimit-remaining"), Some("0"));
    gitlab.inject(Fault::edit(|body| body["version"] = json!("20.0.0")));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.json()["version"], "20.0.0");
    gitlab.inject(Fault::trickle(16, Duration::from_micros(10)));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.json()["version"], "19.5.0-ee");
    gitlab.inject(Fault::delay(Duration::from_millis(1)));
    assert_eq!(get(&gitlab, "/api/v4/metadata").await.status, 200);
    gitlab.inject(Fault::redirect(307, "http://elsewhere.example.test/"));
    let reply = send(&gitlab, "POST", WORKFLOWS, &start()).await;
    assert_eq!((reply.status, reply.header("location")), (307, Some("http://elsewhere.example.test/")));
    gitlab.inject(Fault::redirect_to_sign_in());
    let reply = get(&gitlab, "/api/v4/metadata").await;
    assert_eq!((reply.status, reply.header("location")), (302, Some("/users/sign_in")));
    assert!(get(&gitlab, "/users/sign_in").await.text.contains("Sign in"));
    assert_eq!(sessions(&gitlab), 0);
    gitlab.inject(Fault::broken_json(201));
    let reply = send(&gitlab, "POST", WORKFLOWS, &start()).await;
    assert_eq!((reply.status, sessions(&gitlab)), (201, 1));
    assert!(serde_json::from_str::<Value>(&reply.text).is_err());
}

#[tokio::test]
async fn the_last_handle_closes_the_door() {
    let gitlab = gitlab().await;
    let other = gitlab.clone();
    let authority = gitlab.url().strip_prefix("http://").unwrap().to_owned();
    drop(gitlab);
    assert_eq!(get(&other, "/api/v4/metadata").await.status, 200);
    drop(other);
    while TcpStream::connect(&authority).await.is_ok() {
        tokio::task::yield_now().await;
    }
}
