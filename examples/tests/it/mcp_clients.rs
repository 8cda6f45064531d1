//! What the three MCP clients say, and what reaches GitLab by it.

use std::sync::{Arc, Mutex};

use fake_gitlab::FakeGitLab;

use crate::{approve_with_a_person, mcp_task_client, watch_session};

type Lines = Arc<Mutex<Vec<String>>>;

/// Collects what an example says.
fn listening() -> (Lines, Arc<dyn Fn(String) + Send + Sync>) {
    let lines = Lines::default();
    let heard = Arc::clone(&lines);
    (lines, Arc::new(move |line| heard.lock().unwrap().push(line)))
}

fn holds(lines: &Lines, line: &str) -> bool {
    lines.lock().unwrap().iter().any(|said| said.contains(line))
}

#[tokio::test]
async fn three_calls_follow_a_session_and_tell_progress() {
    let (fake, (lines, tell)) = (FakeGitLab::start().await.unwrap(), listening());
    watch_session::watched(&fake, tell).await.unwrap();
    for line in [
        "call 1, start: 750 is created",
        "waited 5 of 300 s: the session is created",
        "call 2, get: 750 is running",
        "call 3, get: 750 is finished",
        "I changed it, added two tests",
    ] {
        assert!(holds(&lines, line), "{line}: {lines:?}");
    }
    assert_eq!(fake.writes().len(), 1);
}

#[tokio::test]
async fn only_a_yes_of_the_person_is_sent() {
    let rows = [
        (true, 2, "reached GitLab by this: 1", "session 750 is finished"),
        (false, 1, "reached GitLab by this: 0", "declined: the person said no"),
    ];
    for (answer, writes, sent, told) in rows {
        let (fake, (lines, tell)) = (FakeGitLab::start().await.unwrap(), listening());
        approve_with_a_person::approved(&fake, Arc::new(move || answer), tell).await.unwrap();
        for line in ["The server asks you:", "`create_merge_request`", sent, told] {
            assert!(holds(&lines, line), "{answer}, {line}: {lines:?}");
        }
        assert_eq!(fake.writes().len(), writes, "{answer}");
    }
}

#[tokio::test]
async fn a_task_is_followed_answered_and_ends_with_the_result() {
    let (fake, (lines, tell)) = (FakeGitLab::start().await.unwrap(), listening());
    mcp_task_client::followed(&fake, tell).await.unwrap();
    for line in [
        "tools/call: session 750 has been started",
        "2. Correct the rounding helper",
        "tasks/update: approved",
        "completed: session 750 is finished",
    ] {
        assert!(holds(&lines, line), "{line}: {lines:?}");
    }
    // The start, and the one answer.
    assert_eq!(fake.writes().len(), 2);
}
