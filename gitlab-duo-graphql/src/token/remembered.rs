//! A token that is fetched once and fetched anew when GitLab refuses it.

use std::fmt;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

use crate::token::source::{TokenError, TokenSource};

/// Something that tells the token as it is now, as a file or a command does.
#[async_trait]
pub trait TokenFetch: Send + Sync {
    /// The present token; blanks around it do not count.
    ///
    /// # Errors
    /// [`TokenError`] when there is none.
    async fn fetch(&self) -> Result<SecretString, TokenError>;
}

/// Remembers what was fetched. After a 401 it is fetched anew, once for all reads that wait for it.
pub struct Remembered<F> {
    fetch: F,
    token: Mutex<Option<SecretString>>,
}

impl<F: TokenFetch> Remembered<F> {
    /// Fetches at the first need.
    #[must_use]
    pub fn new(fetch: F) -> Self {
        Self { fetch, token: Mutex::new(None) }
    }

    async fn fetched(&self) -> Result<SecretString, TokenError> {
        let token = self.fetch.fetch().await?;
        let trimmed = token.expose_secret().trim();
        if trimmed.is_empty() {
            return Err(TokenError::new("the place that holds the GitLab token is empty"));
        }
        Ok(SecretString::from(trimmed))
    }
}

#[async_trait]
impl<F: TokenFetch> TokenSource for Remembered<F> {
    async fn token(&self) -> Result<SecretString, TokenError> {
        let mut remembered = self.token.lock().await;
        if let Some(token) = &*remembered {
            return Ok(token.clone());
        }
        let token = self.fetched().await?;
        *remembered = Some(token.clone());
        Ok(token)
    }

    async fn renew(&self, refused: &SecretString) -> Result<Option<SecretString>, TokenError> {
        // Held while fetching: whoever waits here finds what the first one fetched.
        let mut remembered = self.token.lock().await;
        if let Some(token) =
            remembered.as_ref().filter(|token| token.expose_secret() != refused.expose_secret())
        {
            return Ok(Some(token.clone()));
        }
        let token = self.fetched().await?;
        *remembered = Some(token.clone());
        Ok(Some(token))
    }
}

impl<F> fmt::Debug for Remembered<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Remembered").finish_non_exhaustive()
    }
}
