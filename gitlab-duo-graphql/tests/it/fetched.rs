//! Tokens that a file or a command tells: fetched once, anew after a 401, once for all that wait.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use fake_gitlab::TokenSpec;
use gitlab_duo_core::gateway::error::Outcome;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_graphql::token::{Remembered, TokenCommand, TokenError, TokenFetch, TokenFile};
use secrecy::SecretString;

use crate::setup::{client, fake, start};

/// Tells the next token each time, and counts.
struct Counted {
    fetches: Arc<AtomicUsize>,
}

#[async_trait]
impl TokenFetch for Counted {
    async fn fetch(&self) -> Result<SecretString, TokenError> {
        let number = self.fetches.fetch_add(1, Ordering::SeqCst);
        Ok(SecretString::from(format!("token-{number}")))
    }
}

/// A file of its own, gone with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gitlab-duo-{name}-{}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn four_reads_that_are_refused_at_once_share_one_fetch_and_are_tried_once_more() {
    let fake = fake("19.5.0-ee").await;
    let fetches = Arc::new(AtomicUsize::new(0));
    for number in 0..2 {
        fake.add_token(TokenSpec::new(&format!("token-{number}"), 88, &["api"]));
    }
    let gitlab = client(&fake).with_token(Remembered::new(Counted { fetches: Arc::clone(&fetches) }));
    gitlab.sessions(&SessionQuery::default()).await.unwrap();
    fake.expire_token("token-0");
    fake.clear_log();
    let query = SessionQuery::default();
    let reads = tokio::join!(
        gitlab.sessions(&query),
        gitlab.sessions(&query),
        gitlab.sessions(&query),
        gitlab.sessions(&query)
    );
    assert!(reads.0.is_ok() && reads.1.is_ok() && reads.2.is_ok() && reads.3.is_ok());
    assert_eq!(fetches.load(Ordering::SeqCst), 2);
    assert!(fake.requests().len() <= 8, "each read is tried once more at most");
}

#[tokio::test]
async fn a_replaced_file_is_read_anew_after_a_401() {
    let fake = fake("19.5.0-ee").await;
    fake.add_token(TokenSpec::new("second-token", 88, &["api"]));
    let file = Scratch::new("token-file", &format!("{}\n", fake.token()));
    let gitlab = client(&fake).with_token(Remembered::new(TokenFile::new(&file.0)));
    gitlab.sessions(&SessionQuery::default()).await.unwrap();
    fake.expire_token(fake.token());
    std::fs::write(&file.0, "second-token\n").unwrap();
    gitlab.sessions(&SessionQuery::default()).await.unwrap();
}

#[tokio::test]
async fn a_write_that_is_refused_is_not_sent_again_but_the_next_call_has_the_new_token() {
    let fake = fake("19.5.0-ee").await;
    fake.add_token(TokenSpec::new("second-token", 88, &["api"]));
    let file = Scratch::new("token-of-write", fake.token());
    let gitlab = client(&fake).with_token(Remembered::new(TokenFile::new(&file.0)));
    gitlab.instance().await.unwrap();
    fake.expire_token(fake.token());
    std::fs::write(&file.0, "second-token").unwrap();
    let error = gitlab.start_session(&start()).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Unauthorized));
    assert_eq!(fake.writes().len(), 1);
    gitlab.start_session(&start()).await.unwrap();
}

#[tokio::test]
async fn a_command_tells_the_token_without_a_shell() {
    let fake = fake("19.5.0-ee").await;
    let words = |words: &[&str]| TokenCommand::new(words.iter().map(|word| (*word).to_owned())).unwrap();
    let gitlab = client(&fake).with_token(Remembered::new(words(&["echo", fake.token()])));
    gitlab.sessions(&SessionQuery::default()).await.unwrap();
    for (command, expected) in [
        (words(&["false"]), "ended with an error"),
        (words(&["no-such-program-anywhere"]), "does not run"),
        (words(&["echo", " "]), "is empty"),
    ] {
        let error = client(&fake)
            .with_token(Remembered::new(command))
            .sessions(&SessionQuery::default())
            .await
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unauthorized);
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[tokio::test]
async fn a_missing_or_huge_file_is_no_token_and_is_named_without_its_content() {
    let fake = fake("19.5.0-ee").await;
    let huge = Scratch::new("huge-token", &"glpat-secret".repeat(2_000));
    for file in [TokenFile::new("/nonexistent/token"), TokenFile::new(&huge.0)] {
        let error = client(&fake)
            .with_token(Remembered::new(file))
            .sessions(&SessionQuery::default())
            .await
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unauthorized);
        assert!(
            error.message.contains("file with the GitLab token") && !error.message.contains("secret"),
            "{error:?}"
        );
    }
    assert_eq!(fake.connections(), 0);
}
