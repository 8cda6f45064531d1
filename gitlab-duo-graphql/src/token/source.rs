//! A source of tokens, and the two that never change.

use std::fmt;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

/// A source of the token that is sent as `Authorization: Bearer`. GitLab takes personal, project, group and OAuth
/// tokens so.
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// The token to send now. Called before every request, so it should be remembered.
    ///
    /// # Errors
    /// [`TokenError`] when there is none: nothing is sent then.
    async fn token(&self) -> Result<SecretString, TokenError>;

    /// Called after GitLab answered 401 to `refused`: another token, or none when there is no other. A read is
    /// sent once more with it; a write never is. Called by several reads at once after one expiry: a source that
    /// fetches should let them share one fetch.
    ///
    /// # Errors
    /// [`TokenError`] when fetching failed; the caller then sees GitLab's 401.
    async fn renew(&self, refused: &SecretString) -> Result<Option<SecretString>, TokenError> {
        let _ = refused;
        Ok(None)
    }
}

/// Why there is no token. The text is shown to the caller: it must not hold any part of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenError {
    message: String,
}

impl TokenError {
    /// A reason, as one plain sentence without a full stop.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TokenError {}

/// One token for the life of the program.
#[derive(Clone, Debug)]
pub struct StaticToken(SecretString);

impl StaticToken {
    /// Takes a token. Blanks and line ends around it are taken off, as copied tokens have them.
    #[must_use]
    pub fn new(token: &str) -> Self {
        Self(SecretString::from(token.trim()))
    }
}

#[async_trait]
impl TokenSource for StaticToken {
    async fn token(&self) -> Result<SecretString, TokenError> {
        if self.0.expose_secret().is_empty() {
            return Err(TokenError::new("no GitLab token is set"));
        }
        Ok(self.0.clone())
    }
}

/// No token at all: every call answers that one is needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoToken;

#[async_trait]
impl TokenSource for NoToken {
    async fn token(&self) -> Result<SecretString, TokenError> {
        Err(TokenError::new("no GitLab token is set"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_not_in_debug_output() {
        let text = format!("{:?}", StaticToken::new(" glpat-secret\n"));
        assert!(!text.contains("glpat") && !text.contains("secret-"), "{text}");
    }
}
