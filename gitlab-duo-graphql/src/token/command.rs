//! A token that a command prints.

use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;
use tokio::process::Command;
use tokio::time::timeout;

use crate::token::remembered::TokenFetch;
use crate::token::source::TokenError;

/// How long the command may take.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(10);

/// A command whose output is the token and nothing else. It gets no input, its errors are not shown,
/// and no shell is between: the first word is the program, the others are its arguments.
#[derive(Clone, Debug)]
pub struct TokenCommand {
    program: String,
    arguments: Vec<String>,
    hidden: Vec<String>,
}

impl TokenCommand {
    /// Takes a program with its arguments; none when there is no word. It runs at the first need.
    #[must_use]
    pub fn new(words: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut words = words.into_iter();
        let program = words.next()?;
        Some(Self { program, arguments: words.collect(), hidden: Vec::new() })
    }

    /// The same command, which does not see these environment variables.
    #[must_use]
    pub fn hiding(self, variables: impl IntoIterator<Item = String>) -> Self {
        Self { hidden: variables.into_iter().collect(), ..self }
    }
}

#[async_trait]
impl TokenFetch for TokenCommand {
    async fn fetch(&self) -> Result<SecretString, TokenError> {
        let mut command = Command::new(&self.program);
        self.hidden.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.args(&self.arguments).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let output = timeout(COMMAND_TIMEOUT, command.output()).await;
        match output {
            Err(_) => Err(TokenError::new("the command for the GitLab token took longer than 10 seconds")),
            Ok(Err(error)) => Err(TokenError::new(format!(
                "the command for the GitLab token does not run: {}",
                error.kind()
            ))),
            Ok(Ok(output)) if !output.status.success() => {
                Err(TokenError::new("the command for the GitLab token ended with an error"))
            }
            Ok(Ok(output)) => match String::from_utf8(output.stdout) {
                Ok(text) => Ok(SecretString::from(text)),
                Err(_) => {
                    Err(TokenError::new("the command for the GitLab token printed something else than text"))
                }
            },
        }
    }
}
