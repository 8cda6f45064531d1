//! Builds the client of one instance.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use gitlab_duo_core::model::instance::InstanceUrl;
use reqwest::redirect::Policy;
use url::Url;

use crate::gateway::GitLab;
use crate::token::{NoToken, TokenSource};
use crate::wire::connection::{Shared, Wire};

/// How long one request may take in all when nothing is set.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long opening a connection may take at most.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of a client. Proxies come from `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
pub struct Builder {
    url: InstanceUrl,
    tokens: Arc<dyn TokenSource>,
    timeout: Duration,
    client: reqwest::ClientBuilder,
    problem: Option<BuildError>,
}

/// Why a client cannot be built. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The CA bundle is no PEM with certificates.
    CaBundle,
    /// Client certificate and key are no PEM that belongs together.
    ClientCertificate,
    /// The TLS library cannot be set up, mostly because the system has no CA certificates.
    Tls(String),
    /// The address of the instance cannot be used.
    Url,
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CaBundle => formatter.write_str("the CA bundle holds no certificate in PEM form"),
            Self::ClientCertificate => formatter
                .write_str("client certificate and key are not in PEM form, or do not belong together"),
            Self::Tls(cause) => {
                write!(
                    formatter,
                    "TLS cannot be set up ({cause}): are CA certificates installed, or a CA bundle set?"
                )
            }
            Self::Url => formatter.write_str("the address of the GitLab cannot be used"),
        }
    }
}

impl std::error::Error for BuildError {}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("url", &self.url).finish_non_exhaustive()
    }
}

impl GitLab {
    /// Begins a client of the instance at `url`.
    #[must_use]
    pub fn builder(url: InstanceUrl) -> Builder {
        Builder::new(url)
    }
}

impl Builder {
    fn new(url: InstanceUrl) -> Self {
        // One request per call, no redirect behind our back: a write is sent once, a token stays on its host.
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("gitlab-duo/", env!("CARGO_PKG_VERSION")));
        Self { url, tokens: Arc::new(NoToken), timeout: DEFAULT_TIMEOUT, client, problem: None }
    }

    /// Where the token comes from. Without one every call answers `unauthorized`.
    #[must_use]
    pub fn token(self, source: impl TokenSource + 'static) -> Self {
        Self { tokens: Arc::new(source), ..self }
    }

    /// How long one request may take, connection and body included; 30 seconds when not set.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Certificates of CAs to trust beside those of the system, in PEM form.
    #[cfg(any(feature = "rustls", feature = "native-tls"))]
    #[must_use]
    pub fn ca_bundle(mut self, pem: &[u8]) -> Self {
        match reqwest::Certificate::from_pem_bundle(pem) {
            Ok(certificates) if !certificates.is_empty() => {
                Self { client: self.client.tls_certs_merge(certificates), ..self }
            }
            _ => {
                self.problem.get_or_insert(BuildError::CaBundle);
                self
            }
        }
    }

    /// The certificate and key, both in PEM form, that this client shows.
    #[cfg(any(feature = "rustls", feature = "native-tls"))]
    #[must_use]
    pub fn client_certificate(mut self, certificate: &[u8], key: &[u8]) -> Self {
        match identity(certificate, key) {
            Ok(identity) => Self { client: self.client.identity(identity), ..self },
            Err(_) => {
                self.problem.get_or_insert(BuildError::ClientCertificate);
                self
            }
        }
    }

    /// The client. Nothing is sent before its first call.
    ///
    /// # Errors
    /// [`BuildError`] when a certificate or the TLS library cannot be used.
    pub fn build(self) -> Result<GitLab, BuildError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let base = Url::parse(self.url.as_str()).map_err(|_| BuildError::Url)?;
        let connect_timeout = CONNECT_TIMEOUT.min(self.timeout.mul_f32(0.75));
        let client = self.client.timeout(self.timeout).connect_timeout(connect_timeout).build();
        let client = client.map_err(|error| BuildError::Tls(error.without_url().to_string()))?;
        let shared = Arc::new(Shared::new(client, self.url, base));
        Ok(GitLab::over(Wire { shared, tokens: self.tokens }))
    }
}

#[cfg(feature = "rustls")]
fn identity(certificate: &[u8], key: &[u8]) -> reqwest::Result<reqwest::Identity> {
    reqwest::Identity::from_pem(&[certificate, b"\n", key].concat())
}

#[cfg(all(feature = "native-tls", not(feature = "rustls")))]
fn identity(certificate: &[u8], key: &[u8]) -> reqwest::Result<reqwest::Identity> {
    reqwest::Identity::from_pkcs8_pem(certificate, key)
}
