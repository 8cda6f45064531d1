//! Which proxy stands between here and an address.

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

/// The proxy that requests to `url` go through, by the same rules as the HTTP client's own; without the
/// sign-in that its setting may hold.
pub(crate) fn proxy_for(url: &Url) -> Option<String> {
    let target: Uri = url.as_str().parse().ok()?;
    let proxy = Matcher::from_system().intercept(&target)?;
    let (scheme, host) = (proxy.uri().scheme_str()?, proxy.uri().host()?);
    Some(match proxy.uri().port_u16() {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    })
}
