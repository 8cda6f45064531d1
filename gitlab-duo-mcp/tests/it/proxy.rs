//! The program behind a proxy: what goes through it, what does not, and whose refusal is whose.

use fake_gitlab::{FakeGitLab, Fault};
use serde_json::{Value, json};

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
