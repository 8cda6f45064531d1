//! A token in a file, which may be replaced while the program runs.

use std::path::PathBuf;

use async_trait::async_trait;
use secrecy::SecretString;
use tokio::task::spawn_blocking;

use crate::token::remembered::TokenFetch;
use crate::token::source::TokenError;

/// Bytes of a token file; a larger one is not a token.
const FILE_BYTES: u64 = 16 * 1_024;

/// A file that holds the token and nothing else.
#[derive(Clone, Debug)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// Names the file; it is read at the first need.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

#[async_trait]
impl TokenFetch for TokenFile {
    async fn fetch(&self) -> Result<SecretString, TokenError> {
        let path = self.path.clone();
        let read = spawn_blocking(move || {
            let is_small = std::fs::metadata(&path)?.len() <= FILE_BYTES;
            if is_small { std::fs::read_to_string(&path).map(Some) } else { Ok(None) }
        });
        match read.await {
            Ok(Ok(Some(text))) => Ok(SecretString::from(text)),
            Ok(Ok(None)) => Err(TokenError::new("the file with the GitLab token is too large to hold one")),
            // The cause names no content of the file.
            Ok(Err(error)) => Err(TokenError::new(format!(
                "the file with the GitLab token cannot be read: {}",
                error.kind()
            ))),
            Err(_) => Err(TokenError::new("the file with the GitLab token cannot be read")),
        }
    }
}
