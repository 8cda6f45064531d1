//! The program behind a proxy: what goes through it, what does not, and whose refusal is whose.

use fake_gitlab::{FakeGitLab, Fault, LoggedRequest};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::process::{lines, program, run};
use crate::wire::{call, initialize};

/// A host that only the proxy can resolve.
const HIDDEN: &str = "http://git.localhost:9";
/// Nobody listens there.
const NOBODY: &str = "http://127.0.0.1:9";

/// Lists sessions with these settings; the answer, and everything that was written anywhere.
async fn list(settings: &[(&str, &str)]) -> (Value, String) {
    let input =
        lines(&[initialize(json!("2025-11-25")), call(2, "browse_duo_sessions", json!({"action": "list"}))]);
    let all = [&[("GITLAB_DUO_LOG", "trace")], settings].concat();
    let run = run(program(&all), &input, 2).await;
    let answer = run.messages().into_iter().find(|message| message["id"] == 2).unwrap();
    (answer["result"]["structuredContent"].clone(), format!("{}{}", run.out, run.err))
}

/// The fake answers whatever host it is asked for, as a proxy would.
fn proxy(fake: &FakeGitLab) -> String {
    fake.url().replace("http://", "http://worker:p%40ss@")
}

#[tokio::test]
async fn the_proxy_gets_the_name_of_the_host_and_its_sign_in_is_shown_nowhere() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let proxy = proxy(&fake);
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        fake.clear_log();
        let (answer, written) =
            list(&[("GITLAB_URL", HIDDEN), ("GITLAB_TOKEN", fake.token()), (name, &proxy)]).await;
        assert!(!answer["sessions"].as_array().unwrap().is_empty(), "{name}: {answer}");
        let hosts: Vec<_> =
            fake.requests().iter().filter_map(|request| request.header("host").map(str::to_owned)).collect();
        assert!(hosts.iter().all(|host| host == "git.localhost:9"), "{name}: {hosts:?}");
        // `worker:p@ss`, as a proxy reads it.
        let signed_in =
            |request: &LoggedRequest| request.header("proxy-authorization") == Some("Basic d29ya2VyOnBAc3M=");
        assert!(fake.requests().iter().all(signed_in), "{name}");
        for secret in ["p%40ss", "p@ss", fake.token()] {
            assert!(!written.contains(secret), "{name}: {secret} in {written}");
        }
    }
}

#[tokio::test]
async fn an_excepted_host_is_reached_directly() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let settings = [
        ("GITLAB_URL", fake.url()),
        ("GITLAB_TOKEN", fake.token()),
        ("HTTP_PROXY", NOBODY),
        ("NO_PROXY", ".internal,127.0.0.0/8"),
    ];
    assert!(list(&settings).await.0["sessions"].is_array());
    let (answer, _) = list(settings.get(..3).unwrap()).await;
    assert_eq!(answer["error"]["kind"], "network");
    let by_name = fake.url().replace("127.0.0.1", "localhost");
    let rows = [
        ("NO_PROXY", ".internal.example.test,10.0.0.0/8,localhost", true),
        ("no_proxy", "localhost", true),
        ("NO_PROXY", " localhost , other.example.test", true),
        ("NO_PROXY", "*", true),
        ("NO_PROXY", ".internal.example.test,10.0.0.0/8", false),
        ("NO_PROXY", "ocalhost", false),
    ];
    for (name, exceptions, is_direct) in rows {
        let settings = [
            ("GITLAB_URL", by_name.as_str()),
            ("GITLAB_TOKEN", fake.token()),
            ("HTTP_PROXY", NOBODY),
            (name, exceptions),
        ];
        let (answer, _) = list(&settings).await;
        assert_eq!(answer["sessions"].is_array(), is_direct, "{name}={exceptions}: {answer}");
    }
}

/// GitLab itself is asked by https: the proxy sees the name of the host, and no more.
#[tokio::test]
async fn https_goes_through_the_proxy_by_name_and_its_refusal_is_the_proxys() {
    let rows = [
        [("HTTPS_PROXY", true), ("https_proxy", true)],
        [("HTTPS_PROXY", true), ("HTTP_PROXY", false)],
        [("https_proxy", true), ("HTTP_PROXY", false)],
    ];
    for names in rows {
        let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://worker:p%40ss@{}", proxy.local_addr().unwrap());
        let asked = tokio::spawn(async move {
            let (mut connection, _) = proxy.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(connection.read_u8().await.unwrap());
            }
            let page = "<html><h1>Sign in to the proxy</h1></html>";
            let answer = format!(
                "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
                page.len()
            );
            connection.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8(head).unwrap().to_ascii_lowercase()
        });
        let mut settings = vec![
            ("GITLAB_URL", "https://git.internal.example.test"),
            ("GITLAB_TOKEN", "glpat-not-to-be-seen"),
            ("NO_PROXY", ".other.example.test"),
        ];
        settings.extend(names.map(|(name, is_it)| (name, if is_it { address.as_str() } else { NOBODY })));
        let (answer, written) = list(&settings).await;
        let head = asked.await.unwrap();
        assert!(head.starts_with("connect git.internal.example.test:443 http/1.1"), "{head}");
        assert!(head.contains("proxy-authorization: basic") && !head.contains("glpat"), "{head}");
        assert_eq!(answer["error"]["kind"], "network", "{names:?}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("proxy wants a sign-in"), "{answer}");
        for secret in ["p%40ss", "p@ss", "worker:", "glpat-not"] {
            assert!(!written.contains(secret), "{names:?}: {secret} in {written}");
        }
    }
}

#[tokio::test]
async fn a_refusal_of_the_proxy_is_not_shown_as_one_of_gitlab() {
    let fake = FakeGitLab::start().await.unwrap();
    fake.inject(Fault::proxy_407().always());
    let proxy = proxy(&fake);
    let (answer, written) =
        list(&[("GITLAB_URL", HIDDEN), ("GITLAB_TOKEN", fake.token()), ("HTTP_PROXY", &proxy)]).await;
    assert_eq!(answer["error"]["kind"], "network");
    assert!(answer["error"]["message"].as_str().unwrap().contains("proxy wants a sign-in"), "{answer}");
    assert!(!written.contains("p%40ss") && !written.contains("worker:"), "{written}");
}
