//! Tokens: missing, renewed once for a read, never for a write, and never shown.

use std::sync::Mutex;

use async_trait::async_trait;
use fake_gitlab::{FakeGitLab, TokenSpec};
use gitlab_duo_core::gateway::error::Outcome;
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::request::SessionQuery;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_graphql::gateway::GitLab;
use gitlab_duo_graphql::token::{NoToken, StaticToken, TokenError, TokenSource};
use secrecy::SecretString;

use crate::setup::{client, fake, start, url};

/// A source whose first token is replaced when it is refused.
struct Renewable {
    tokens: Mutex<Vec<&'static str>>,
}

#[async_trait]
impl TokenSource for Renewable {
    async fn token(&self) -> Result<SecretString, TokenError> {
        Ok(SecretString::from(self.tokens.lock().unwrap()[0]))
    }

    async fn renew(&self, _: &SecretString) -> Result<Option<SecretString>, TokenError> {
        let mut tokens = self.tokens.lock().unwrap();
        if tokens.len() > 1 {
            tokens.remove(0);
        }
        Ok(Some(SecretString::from(tokens[0])))
    }
}

fn renewable(fake: &FakeGitLab, tokens: &[&'static str]) -> GitLab {
    let source = Renewable { tokens: Mutex::new(tokens.to_vec()) };
    GitLab::builder(url(fake.url())).token(source).build().unwrap()
}

#[tokio::test]
async fn without_a_token_nothing_is_sent() {
    let fake = fake("19.5.0-ee").await;
    for gitlab in [client(&fake).with_token(NoToken), client(&fake).with_token(StaticToken::new("  "))] {
        let error = gitlab.sessions(&SessionQuery::default()).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unauthorized);
        let error = gitlab.start_session(&start()).await.unwrap_err();
        assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Unauthorized));
    }
    let odd = client(&fake).with_token(StaticToken::new("secret-one\nsecret-two"));
    let error = odd.sessions(&SessionQuery::default()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unauthorized);
    assert!(!format!("{error:?} {odd:?}").contains("secret"), "{error:?}");
    assert_eq!(fake.connections(), 0);
}

#[tokio::test]
async fn a_read_is_sent_once_more_with_a_renewed_token() {
    let fake = fake("19.5.0-ee").await;
    fake.add_token(TokenSpec::new("second-token", 88, &["api"]));
    let gitlab = renewable(&fake, &["first-token", "second-token"]);
    assert!(!gitlab.sessions(&SessionQuery::default()).await.unwrap().value.rows.is_empty());
    // The version with the first token, with the second, and the list.
    assert_eq!(fake.requests().len(), 3);
}

#[tokio::test]
async fn a_renewed_token_that_is_refused_too_ends_it() {
    let fake = fake("19.5.0-ee").await;
    let error = renewable(&fake, &["first-token", "second-token"])
        .sessions(&SessionQuery::default())
        .await
        .unwrap_err();
    assert_eq!((error.kind, fake.requests().len()), (ErrorKind::Unauthorized, 2));
    let same = renewable(&fake, &["only-token"]).sessions(&SessionQuery::default()).await.unwrap_err();
    assert_eq!((same.kind, fake.requests().len()), (ErrorKind::Unauthorized, 3));
}

#[tokio::test]
async fn a_refused_write_renews_the_token_for_the_next_call_only() {
    let fake = fake("19.5.0-ee").await;
    fake.add_token(TokenSpec::new("second-token", 88, &["api"]));
    let gitlab = renewable(&fake, &["first-token", "second-token"]);
    let error = gitlab.start_session(&start()).await.unwrap_err();
    assert_eq!((error.outcome, error.error.kind), (Outcome::Refused, ErrorKind::Unauthorized));
    assert_eq!(fake.writes().len(), 1);
    gitlab.start_session(&start()).await.unwrap();
    assert_eq!(fake.writes().len(), 2);
}

#[tokio::test]
async fn another_credential_shares_the_connection_and_nothing_else() {
    let fake = fake("19.5.0-ee").await;
    fake.add_token(TokenSpec::new("of-the-colleague", 91, &["api"]));
    let first = client(&fake);
    let own = first.sessions(&SessionQuery::default()).await.unwrap().value.rows;
    let other = first.with_token(StaticToken::new("of-the-colleague"));
    let theirs = other.sessions(&SessionQuery::default()).await.unwrap().value.rows;
    assert!(!theirs.iter().any(|row| own.iter().any(|own| own.id == row.id)));
    let users: Vec<_> = fake.requests().into_iter().filter_map(|request| request.user).collect();
    assert_eq!(users, ["devuser", "devuser", "otheruser"]);
}

#[tokio::test]
async fn no_part_of_a_token_is_printed() {
    let fake = fake("19.5.0-ee").await;
    let gitlab = client(&fake).with_token(StaticToken::new("glpat-top-secret"));
    let error = gitlab.sessions(&SessionQuery::default()).await.unwrap_err();
    let printed = format!("{error:?} {error} {gitlab:?}");
    assert!(!printed.contains("glpat") && !printed.contains("top-secret"), "{printed}");
}
