//! The address of a GitLab instance.

use std::fmt;

use url::{Host, Url};

use crate::rules::gates::Support;

/// A GitLab instance: where it is and what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The base URL.
    pub url: InstanceUrl,
    /// What its version can do.
    pub support: Support,
}

/// The base URL of an instance, without a trailing slash.
///
/// ```
/// use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
///
/// let url = InstanceUrl::parse("https://git.example.test/sub/api/v4/", PlainHttp::LoopbackOnly)?;
/// assert_eq!(url.as_str(), "https://git.example.test/sub");
/// # Ok::<(), gitlab_duo_core::model::instance::NotAnInstance>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceUrl(String);

/// Whether a token may travel unencrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainHttp {
    /// Only to this machine.
    LoopbackOnly,
    /// To any host; the operator has said so.
    Allowed,
}

/// Why a text is not the address of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotAnInstance {
    /// It is no http or https URL with a host.
    NotAUrl,
    /// It holds a user name or password.
    HasCredentials,
    /// It holds a query or a fragment.
    HasQuery,
    /// It is plain http to another machine.
    PlainHttp,
}

impl fmt::Display for NotAnInstance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotAUrl => {
                "this is not the address of a GitLab: give it as `https://gitlab.example.com`, with its path if it has one"
            }
            Self::HasCredentials => {
                "the address of the GitLab holds a user name or password: take it out, the token has a setting of its own"
            }
            Self::HasQuery => "the address of the GitLab holds a `?` or `#`: give it up to the path",
            Self::PlainHttp => {
                "plain http would send the token unencrypted: use `https://`, or allow http explicitly (loopback is always allowed)"
            }
        })
    }
}

impl std::error::Error for NotAnInstance {}

impl InstanceUrl {
    /// Reads an address. A missing scheme means https; trailing slashes and a pasted `/api/v4` or
    /// `/api/graphql` are taken off.
    ///
    /// # Errors
    /// [`NotAnInstance`] says what is wrong; it never repeats the text, which may hold a password.
    pub fn parse(text: &str, plain_http: PlainHttp) -> Result<Self, NotAnInstance> {
        let text = text.trim();
        // Wherever it stands: a mistyped scheme (`https:/`) makes a path of the credentials.
        if text.contains('@') {
            return Err(NotAnInstance::HasCredentials);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(NotAnInstance::NotAUrl);
        }
        let with_scheme = match (text.contains("://"), text.contains(":/")) {
            (true, _) => text.to_owned(),
            (false, true) => return Err(NotAnInstance::NotAUrl),
            (false, false) => format!("https://{text}"),
        };
        let mut url = Url::parse(&with_scheme).map_err(|_| NotAnInstance::NotAUrl)?;
        if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none_or(str::is_empty) {
            return Err(NotAnInstance::NotAUrl);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(NotAnInstance::HasQuery);
        }
        if url.scheme() == "http" && plain_http == PlainHttp::LoopbackOnly && !is_loopback(&url) {
            return Err(NotAnInstance::PlainHttp);
        }
        let path = without_api_suffix(url.path()).to_owned();
        url.set_path(&path);
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// The URL, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What follows this instance's address in `url`, without a leading slash; none when `url` is
    /// not of this instance. Scheme, host and port compare as URLs do, the path by whole segments.
    #[must_use]
    pub fn path_within<'a>(&self, url: &'a Url) -> Option<&'a str> {
        let base = Url::parse(&self.0).ok()?;
        let is_same_origin = base.scheme() == url.scheme()
            && base.host() == url.host()
            && base.port_or_known_default() == url.port_or_known_default();
        let rest = url.path().strip_prefix(base.path().trim_end_matches('/'))?;
        if is_same_origin { rest.strip_prefix('/') } else { None }
    }

    /// The host name, for `git@host:path` addresses.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.0).ok()?.host_str().map(str::to_owned)
    }
}

impl fmt::Display for InstanceUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn without_api_suffix(path: &str) -> &str {
    let mut path = path.trim_end_matches('/');
    while let Some(base) = path.strip_suffix("/api/v4").or_else(|| path.strip_suffix("/api/graphql")) {
        path = base.trim_end_matches('/');
    }
    path
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_address_is_one_address_or_one_refusal() {
        let rows = [
            ("https://git.example.test/", Ok("https://git.example.test")),
            ("https://git.example.test/api/v4", Ok("https://git.example.test")),
            ("https://git.example.test/api/v4/", Ok("https://git.example.test")),
            ("https://git.example.test/api/graphql", Ok("https://git.example.test")),
            ("git.example.test", Ok("https://git.example.test")),
            ("  HTTPS://Git.Example.Test  ", Ok("https://git.example.test")),
            ("https://git.example.test:443", Ok("https://git.example.test")),
            ("https://git.example.test:8443/sub//", Ok("https://git.example.test:8443/sub")),
            ("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080")),
            ("http://[::1]:8080/", Ok("http://[::1]:8080")),
            ("http://localhost:3000", Ok("http://localhost:3000")),
            ("http://git.example.test", Err(NotAnInstance::PlainHttp)),
            ("http://127.0.0.1.example.test", Err(NotAnInstance::PlainHttp)),
            ("https://api/v4", Ok("https://api/v4")),
            ("https://api/graphql/api/v4/", Ok("https://api/graphql")),
            ("https://git.example.test/api/v4/api/v4", Ok("https://git.example.test")),
            ("https://user:secret@git.example.test", Err(NotAnInstance::HasCredentials)),
            ("https:/user:secret@git.example.test", Err(NotAnInstance::HasCredentials)),
            ("https:\\\\user:secret@git.example.test", Err(NotAnInstance::HasCredentials)),
            ("https:/git.example.test", Err(NotAnInstance::NotAUrl)),
            ("https:\t//git.example.test", Err(NotAnInstance::NotAUrl)),
            ("https://git.example.test?private_token=x", Err(NotAnInstance::HasQuery)),
            ("ftp://git.example.test", Err(NotAnInstance::NotAUrl)),
            ("", Err(NotAnInstance::NotAUrl)),
            ("https://", Err(NotAnInstance::NotAUrl)),
        ];
        for (text, expected) in rows {
            let parsed = InstanceUrl::parse(text, PlainHttp::LoopbackOnly);
            assert_eq!(parsed.as_ref().map(InstanceUrl::as_str), expected.as_ref().copied(), "{text:?}");
        }
    }

    #[test]
    fn a_path_within_is_found_by_whole_segments() {
        let base = InstanceUrl::parse("https://git.example.test/sub", PlainHttp::LoopbackOnly).unwrap();
        let within = |text: &str| base.path_within(&Url::parse(text).unwrap()).map(str::to_owned);
        assert_eq!(within("https://git.example.test/sub/acme/api"), Some("acme/api".to_owned()));
        assert_eq!(within("https://git.example.test:443/sub/acme"), Some("acme".to_owned()));
        assert_eq!(within("https://git.example.test/subway/acme"), None);
        assert_eq!(within("http://git.example.test/sub/acme"), None);
        assert_eq!(within("https://other.example.test/sub/acme"), None);
    }
}
