//! What GitLab tells about the token.

use std::time::SystemTime;

use gitlab_duo_core::gateway::error::ReadError;
use http::header::DATE;
use http::{HeaderMap, Method};
use serde::Deserialize;

use crate::facts::TokenFacts;
use crate::wire::connection::{Request, Wire};

#[derive(Default, Deserialize)]
struct Entity {
    scopes: Option<Vec<String>>,
    expires_at: Option<String>,
}

/// Asks about the token. A refusal is no failure: GitLab tells nothing about tokens of other kinds.
pub(crate) async fn token_facts(wire: &Wire) -> Result<TokenFacts, ReadError> {
    let url = wire.rest_address(&["personal_access_tokens", "self"]);
    let answer =
        wire.read(&Request { operation: "token_facts", method: Method::GET, url, body: None }).await?;
    let entity: Option<Entity> =
        answer.status.is_success().then(|| serde_json::from_slice(&answer.body).ok()).flatten();
    let Entity { scopes, expires_at } = entity.unwrap_or_default();
    Ok(TokenFacts { scopes, expires_on: expires_at, answered_at: answered_at(&answer.headers) })
}

fn answered_at(headers: &HeaderMap) -> Option<u64> {
    let date = httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    Some(date.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_gitlab_is_read_from_its_answer() {
        let at = |text: &'static str| {
            answered_at(&HeaderMap::from_iter([(DATE, http::HeaderValue::from_static(text))]))
        };
        assert_eq!(at("Tue, 20 Oct 2026 12:00:00 GMT"), Some(1_792_497_600));
        assert_eq!(at("soon"), None);
        assert_eq!(answered_at(&HeaderMap::new()), None);
    }
}
