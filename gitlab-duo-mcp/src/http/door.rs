//! Which hosts the server is called by and which web pages may call it: a page that makes a browser
//! believe that its own name is this host must not reach a server on loopback.

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::uri::{Authority, Scheme, Uri};
use http::{HeaderMap, HeaderValue};

use crate::http::options::HttpOptions;

/// Why a request does not get in. Both are answered 403.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The server is not known by this host.
    Host,
    /// This origin may not call.
    Origin,
}

/// A request that got in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Admitted {
    /// What the server was called by, with its port.
    pub(super) host: String,
    /// The web origin that calls; none when no browser does.
    pub(super) origin: Option<HeaderValue>,
}

/// Checks the host and the origin of a request.
pub(super) fn admit(uri: &Uri, headers: &HeaderMap, options: &HttpOptions) -> Result<Admitted, Refused> {
    let host = host(uri, headers).filter(|host| is_allowed_host(host, &options.allowed_hosts));
    let host = host.ok_or(Refused::Host)?.to_string();
    let mut origins = headers.get_all(ORIGIN).iter();
    let origin = origins.next();
    let is_allowed = |origin: &HeaderValue| is_allowed_origin(origin, &options.allowed_origins);
    if origins.next().is_some() || !origin.is_none_or(is_allowed) {
        return Err(Refused::Origin);
    }
    Ok(Admitted { host, origin: origin.cloned() })
}

fn host(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = headers.get_all(HOST).iter();
    let (host, further) = (hosts.next(), hosts.next());
    if further.is_some() {
        return None;
    }
    let host = match host {
        Some(host) => host.to_str().ok()?.parse().ok()?,
        None => uri.authority()?.clone(),
    };
    let agrees = uri.authority().is_none_or(|authority| *authority == host);
    (agrees && !host.as_str().contains('@')).then_some(host)
}

fn is_allowed_host(host: &Authority, allowed: &[String]) -> bool {
    let is_same = |entry: Authority| {
        entry.host().eq_ignore_ascii_case(host.host())
            && entry.port_u16().is_none_or(|port| host.port_u16() == Some(port))
    };
    is_loopback(host.host()) || allowed.iter().filter_map(|entry| entry.parse().ok()).any(is_same)
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// `null`, which any sandboxed page sends, reads as no origin and is refused.
fn is_allowed_origin(origin: &HeaderValue, allowed: &[String]) -> bool {
    let Some(origin) = origin.to_str().ok().and_then(read_origin) else { return false };
    is_loopback(&origin.1)
        || allowed.iter().filter_map(|entry| read_origin(entry)).any(|entry| entry == origin)
}

/// Scheme, host in lower case, and port.
fn read_origin(text: &str) -> Option<(Scheme, String, u16)> {
    let uri: Uri = text.parse().ok()?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    let usual = match uri.scheme_str()? {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let port = authority.port_u16().unwrap_or(usual);
    Some((uri.scheme()?.clone(), authority.host().to_ascii_lowercase(), port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::http::HttpSettings;

    fn options() -> HttpOptions {
        HttpOptions::of(&HttpSettings {
            address: ([127, 0, 0, 1], 0).into(),
            allowed_origins: vec!["https://app.example.com".to_owned(), "http://10.0.0.1:3000".to_owned()],
            allowed_hosts: vec!["duo.example.com".to_owned(), "other.example.com:8443".to_owned()],
            share_token: false,
        })
    }

    fn decided(rows: &[(&'static str, &str)]) -> Result<String, Refused> {
        let mut headers = HeaderMap::new();
        for (name, value) in rows {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        admit(&Uri::from_static("/mcp"), &headers, &options()).map(|admitted| admitted.host)
    }

    #[test]
    fn hosts_are_of_loopback_or_named() {
        let known = [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "[::1]:8080",
            "duo.example.com",
            "Duo.Example.com:444",
            "other.example.com:8443",
        ];
        for host in known {
            assert_eq!(decided(&[("host", host)]), Ok(host.to_owned()));
        }
        let unknown = [
            "evil.example.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "duo.example.com.evil.com",
            "other.example.com",
            "0.0.0.0",
            "a@localhost",
            "",
            "localhost/x",
        ];
        for host in unknown {
            assert_eq!(decided(&[("host", host)]), Err(Refused::Host), "{host}");
        }
        assert_eq!(decided(&[]), Err(Refused::Host));
        assert_eq!(decided(&[("host", "localhost"), ("host", "evil.example.com")]), Err(Refused::Host));
    }

    #[test]
    fn a_target_with_a_host_must_agree_with_the_header() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        let asked = |uri| admit(&Uri::from_static(uri), &headers, &options()).map(|admitted| admitted.host);
        assert_eq!(asked("http://evil.example.com/mcp"), Err(Refused::Host));
        assert_eq!(asked("http://localhost/mcp"), Ok("localhost".to_owned()));
    }

    #[test]
    fn origins_are_of_loopback_or_named_whole() {
        let origin = |origin: &str| decided(&[("host", "localhost"), ("origin", origin)]).is_ok();
        let known = [
            "http://localhost:5173",
            "https://127.0.0.1",
            "http://[::1]:1",
            "https://app.example.com",
            "https://APP.example.com:443",
            "http://10.0.0.1:3000",
        ];
        assert!(known.into_iter().all(origin));
        let unknown = [
            "null",
            "",
            "http://app.example.com",
            "https://app.example.com:444",
            "https://app.example.com.evil.com",
            "https://evil.example.com",
            "http://10.0.0.1",
            "file://localhost",
            "http://a@localhost",
        ];
        for text in unknown {
            assert!(!origin(text), "{text}");
        }
        let twice = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://localhost")];
        assert_eq!(decided(&twice), Err(Refused::Origin));
    }
}
