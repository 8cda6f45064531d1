//! A client in one line.

use std::fmt;

use gitlab_duo_core::client::duo::Duo;
use gitlab_duo_core::model::instance::{InstanceUrl, NotAnInstance, PlainHttp};

use crate::builder::{BuildError, Builder};
use crate::gateway::GitLab;
use crate::time::RealTime;
use crate::token::StaticToken;

/// Why there is no client. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectError {
    /// The text is not the address of a GitLab.
    Url(NotAnInstance),
    /// The client cannot be built.
    Build(BuildError),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(formatter),
            Self::Build(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for ConnectError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Url(error) => error,
            Self::Build(error) => error,
        })
    }
}

impl From<NotAnInstance> for ConnectError {
    fn from(error: NotAnInstance) -> Self {
        Self::Url(error)
    }
}

impl From<BuildError> for ConnectError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl GitLab {
    /// A client of the GitLab at `url` with a token that stays the same, on real time. Its methods are
    /// those of [`Duo`]. Nothing is sent before the first call, so a wrong token shows there.
    ///
    /// The address may have a path; a missing scheme means https, and plain http is taken for loopback
    /// only. The token needs the scope `read_api` to browse, `api` to start, answer and stop. For another source of tokens,
    /// certificates or a timeout begin with [`GitLab::builder`] and end with [`Builder::connect`].
    ///
    /// ```no_run
    /// use gitlab_duo_core::actions::list_sessions::ListSessions;
    /// use gitlab_duo_graphql::gateway::GitLab;
    ///
    /// # async fn example(token: &str) -> Result<(), Box<dyn std::error::Error>> {
    /// let duo = GitLab::connect("https://gitlab.example.com", token)?;
    /// let mut sessions = duo.sessions(ListSessions::default());
    /// while let Some(session) = sessions.try_next().await? {
    ///     println!("{} {}", session.id(), session.goal.value().unwrap_or("(goal not known)"));
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`ConnectError`] for what is no address, and when the TLS library cannot be used.
    pub fn connect(url: &str, token: &str) -> Result<Duo<Self>, ConnectError> {
        let url = InstanceUrl::parse(url, PlainHttp::LoopbackOnly)?;
        Ok(Self::builder(url).token(StaticToken::new(token)).connect()?)
    }
}

impl Builder {
    /// As [`build`](Self::build), with the methods of [`Duo`] and on real time.
    ///
    /// # Errors
    /// [`BuildError`] when a certificate or the TLS library cannot be used.
    pub fn connect(self) -> Result<Duo<GitLab>, BuildError> {
        Ok(Duo::over(self.build()?, RealTime))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_refused_and_never_repeated() {
        let rows = [
            ("https://user:secret@gitlab.example.com", NotAnInstance::HasCredentials),
            ("http://gitlab.example.com", NotAnInstance::PlainHttp),
            ("", NotAnInstance::NotAUrl),
        ];
        for (url, expected) in rows {
            let error = GitLab::connect(url, "glpat-secret").unwrap_err();
            assert_eq!(error, ConnectError::Url(expected), "{url}");
            assert!(!format!("{error} {error:?}").contains("secret"));
        }
        let duo = GitLab::connect("gitlab.example.com/sub", "glpat-secret").unwrap();
        let text = format!("{duo:?} {:?}", duo.gateway());
        assert!(text.contains("https://gitlab.example.com/sub") && !text.contains("secret"), "{text}");
    }
}
