//! A read: repeated after passing failures, followed within the instance, tried once more with a renewed token.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::rules::limits::{READ_RETRIES, RETRY_WAIT_SECONDS};
use http::{Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;

use crate::wire::answer::RawAnswer;
use crate::wire::connection::{Request, Wire};
use crate::wire::failure::{Failure, Stage};
use crate::wire::retry_after;

/// The first pause between two attempts; it doubles, and chance is added.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// Redirects within the instance that one read follows.
const REDIRECTS: u32 = 3;

impl Wire {
    /// Reads, whatever the status of the answer.
    ///
    /// No attempt begins later than the retry bound after the first one; a wait that GitLab asks for and that
    /// goes beyond it is an answer, not a pause.
    pub(crate) async fn read(&self, request: &Request) -> Result<RawAnswer, ReadError> {
        let mut token = self.token().await?;
        let mut may_renew = true;
        let mut pauses = pauses();
        let started = Instant::now();
        loop {
            let result = self.follow(request, &token).await;
            if may_renew && matches!(&result, Ok(answer) if answer.status == StatusCode::UNAUTHORIZED) {
                may_renew = false;
                if let Some(renewed) = self.renewed(&token).await {
                    token = renewed;
                    continue;
                }
            }
            let pause = asked_pause(&result).and_then(|asked| Some(pauses.next()?.max(asked)));
            let Some(pause) = pause.filter(|pause| {
                started.elapsed().saturating_add(*pause) <= Duration::from_secs(RETRY_WAIT_SECONDS)
            }) else {
                return result.map_err(|failure| failure.error);
            };
            tracing::debug!(pause_ms = pause.as_millis(), "reading again after a passing failure");
            tokio::time::sleep(pause).await;
        }
    }

    /// Follows redirects of a GET that stay on this very instance.
    async fn follow(&self, request: &Request, token: &SecretString) -> Result<RawAnswer, Failure> {
        let mut answer = self.shared.exchange(request, token).await?;
        for _ in 0..REDIRECTS {
            let target = answer.location().filter(|target| self.shared.is_same_origin(target));
            let Some(url) = target.filter(|_| answer.status.is_redirection()) else { break };
            if request.method != Method::GET || is_sign_in(url.path()) {
                break;
            }
            let next = Request { operation: request.operation, method: Method::GET, url, body: None };
            answer = self.shared.exchange(&next, token).await?;
        }
        if answer.status.is_redirection() {
            return Err(Failure::lasting(Stage::Answered(answer.status), self.refused_redirect(&answer)));
        }
        Ok(answer)
    }

    /// Says where a redirect that is not followed leads.
    pub(crate) fn refused_redirect(&self, answer: &RawAnswer) -> GatewayError {
        let host = self.shared.host();
        let message = match answer.location() {
            Some(target) if is_sign_in(target.path()) => {
                format!("`{host}` answers with a redirect to a sign-in page instead of its API")
            }
            Some(target) if !self.shared.is_same_origin(&target) => {
                let other = target.host_str().unwrap_or("another host");
                let scheme = target.scheme();
                let port = target.port().map_or_else(String::new, |port| format!(":{port}"));
                format!(
                    "`{host}` redirects to `{scheme}://{other}{port}`, where the token is not sent: set that address as \
                     the GitLab URL if it is yours"
                )
            }
            Some(_) => format!("`{host}` answers with a redirect that is not followed: check the GitLab URL"),
            None => format!("`{host}` answers with a redirect that leads nowhere"),
        };
        let mut error = GatewayError::new(ErrorKind::Network, message);
        error.request_id = answer.request_id();
        error
    }

    /// Another token than the refused one.
    pub(crate) async fn renewed(&self, refused: &SecretString) -> Option<SecretString> {
        let renewed = self.tokens.renew(refused).await.ok().flatten()?;
        (renewed.expose_secret() != refused.expose_secret()).then_some(renewed)
    }
}

/// The pauses before a read is repeated: as many as it may be, each by chance a little longer than it would be, so that
/// many clients do not come back at once.
fn pauses() -> impl Iterator<Item = Duration> + Send {
    ExponentialBuilder::new()
        .with_jitter()
        .with_min_delay(FIRST_PAUSE)
        .with_max_times(READ_RETRIES as usize)
        .build()
}

fn is_sign_in(path: &str) -> bool {
    path.contains("/users/sign_in") || path.contains("/users/auth/")
}

/// The pause that another attempt is worth; none when it is not.
fn asked_pause(result: &Result<RawAnswer, Failure>) -> Option<Duration> {
    match result {
        Err(failure) => failure.is_passing.then_some(Duration::ZERO),
        Ok(answer) => {
            let wait = retry_after::seconds(answer.status, &answer.headers).map(Duration::from_secs);
            match answer.status {
                StatusCode::TOO_MANY_REQUESTS => wait,
                StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                    Some(wait.unwrap_or_default())
                }
                _ => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_read_is_repeated_twice_after_pauses_that_chance_makes_longer() {
        let mut seen = BTreeSet::new();
        for _ in 0..50 {
            let all: Vec<_> = pauses().collect();
            let [first, second] = all[..] else { panic!("{all:?}") };
            assert!((FIRST_PAUSE..=FIRST_PAUSE * 2).contains(&first), "{first:?}");
            assert!((FIRST_PAUSE * 2..=FIRST_PAUSE * 4).contains(&second), "{second:?}");
            seen.extend(all);
        }
        assert!(seen.len() > 50, "hardly two of them are the same");
    }
}
