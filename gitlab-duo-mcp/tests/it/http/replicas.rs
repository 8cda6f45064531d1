//! Two replicas behind a real nginx: any of them serves any request, of tasks and resources too.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use fake_gitlab::FakeGitLab;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, ChildStderr};
use tokio::time::timeout;

use crate::process::program;
use crate::tasks::{BOTH, as_modern, get};
use crate::wire::{PATIENCE, call, request};

/// A replica, and what it has written so far.
struct Replica {
    child: Child,
    address: String,
    err: BufReader<ChildStderr>,
}

async fn replica(fake: &FakeGitLab) -> Replica {
    let settings =
        [("GITLAB_URL", fake.url()), ("GITLAB_DUO_HTTP", "127.0.0.1:0"), ("GITLAB_DUO_LOG", "info")];
    let mut child = program(&settings).spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    loop {
        let mut line = String::new();
        assert_ne!(
            timeout(PATIENCE, err.read_line(&mut line)).await.unwrap().unwrap(),
            0,
            "it does not start"
        );
        if let Some((_, rest)) = line.split_once("served at http://") {
            let address = rest.trim().trim_end_matches("/mcp").to_owned();
            return Replica { child, address, err };
        }
    }
}

/// nginx in front of the replicas, taking turns; none where it is not installed.
fn nginx(directory: &Path, port: u16, replicas: &[&Replica]) -> Option<std::process::Child> {
    let servers: String = replicas.iter().map(|replica| format!("server {};", replica.address)).collect();
    let configuration = format!(
        "daemon off; pid nginx.pid; error_log stderr; events {{}}
         http {{ access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f;
           uwsgi_temp_path u; scgi_temp_path s; upstream duo {{ {servers} }}
           server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://duo; proxy_http_version 1.1;
             proxy_set_header Host $host; proxy_set_header Connection \"\"; proxy_buffering off; }} }} }}"
    );
    std::fs::write(directory.join("nginx.conf"), configuration).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(directory).args(["-c", "nginx.conf", "-e", "stderr"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

async fn ask(port: u16, token: &str, message: &Value) -> Value {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let (body, method) = (message.to_string(), message["method"].as_str().unwrap());
    let params = &message["params"];
    let name = params["name"].as_str().or(params["uri"].as_str()).or(params["taskId"].as_str());
    let name = name.map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nprivate-token: {token}\r\nconnection: close\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}\
         accept: application/json, text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut reply = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut reply)).await.unwrap().unwrap();
    let mut lines = reply.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
    let json = lines.rfind(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{reply}"));
    serde_json::from_str(json).unwrap()
}

async fn is_open(port: u16) -> bool {
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return true;
        }
        // nginx has no way to say that it listens.
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    false
}

/// What a replica has written, once it was told to end.
async fn ended(mut replica: Replica) -> String {
    let id = replica.child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let mut written = String::new();
    timeout(PATIENCE, replica.err.read_to_string(&mut written)).await.unwrap().unwrap();
    assert!(timeout(PATIENCE, replica.child.wait()).await.unwrap().unwrap().success(), "{written}");
    written
}

#[tokio::test]
async fn any_replica_serves_any_request_of_a_task_and_a_resource() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let (one, other) = (replica(&fake).await, replica(&fake).await);
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let directory = std::env::temp_dir().join(format!("gitlab-duo-replicas-{port}"));
    std::fs::create_dir_all(&directory).unwrap();
    let Some(mut nginx) = nginx(&directory, port, &[&one, &other]) else {
        assert!(std::env::var("CI").is_err(), "nginx is missing: install nginx-light");
        eprintln!("left out: nginx is not installed");
        return;
    };
    assert!(is_open(port).await, "nginx does not listen");
    let start = json!({"action": "start", "project_id": "example-group/backend", "flow": "convert_to_gl_ci/v1",
        "goal": "Tidy up"});
    let begun = ask(port, fake.token(), &as_modern(call(1, "manage_duo_session", start), BOTH)).await;
    let task = begun["result"]["taskId"].clone();
    assert!(task.is_string(), "{begun}");
    let mut last = json!(null);
    for _ in 0..12 {
        fake.advance(Duration::from_secs(20));
        last = ask(port, fake.token(), &as_modern(get(&task), BOTH)).await["result"].clone();
        assert_eq!(last["taskId"], task, "{last}");
    }
    assert_eq!(last["result"]["structuredContent"]["status"], "finished", "{last}");
    let id = &last["result"]["structuredContent"]["workflow_id"];
    let read =
        request(3, "resources/read", json!({"uri": format!("duo://sessions/{}", id.as_str().unwrap())}));
    for _ in 0..2 {
        let read = ask(port, fake.token(), &as_modern(read.clone(), BOTH)).await;
        let text = read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
        assert!(text.contains("\"finished\""), "{text}");
    }
    nginx.kill().unwrap();
    nginx.wait().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(fake.writes().len(), 1);
    // Both took part: each asked GitLab for the session.
    for written in [ended(one).await, ended(other).await] {
        assert!(written.contains("get_session"), "this replica served nothing: {written}");
    }
}
