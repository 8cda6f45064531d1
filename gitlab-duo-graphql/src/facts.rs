//! Facts about the way to a GitLab that no session needs, for those who look after it.

/// What GitLab tells about the token that was sent. Source: GitLab's documentation of
/// `GET /personal_access_tokens/self`, which answers for personal, project and group access tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenFacts {
    /// Its scopes; none when GitLab did not tell, as for a token of another kind.
    pub scopes: Option<Vec<String>>,
    /// The day it expires on, as `2027-10-01`; none when it never does or GitLab did not tell.
    pub expires_on: Option<String>,
    /// When GitLab answered, by its own clock, in seconds since 1970; none when it did not say.
    pub answered_at: Option<u64>,
}
