//! How the server is reached over HTTP.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use http::uri::{Authority, Uri};

use crate::settings::layers::{Layers, accepted};
use crate::settings::table::{ALLOWED_HOSTS, ALLOWED_ORIGINS, HTTP, HTTP_SHARE_TOKEN, Setting};
use crate::settings::wrong::WrongSetting;

/// Where to listen, and who may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSettings {
    /// The address to listen at.
    pub address: SocketAddr,
    /// Web origins that may call beside those of loopback, as in `https://app.example.com`.
    pub allowed_origins: Vec<String>,
    /// Host names, with or without a port, under which the server may be called beside loopback.
    pub allowed_hosts: Vec<String>,
    /// Whether callers without a token use the server's own; on loopback only.
    pub share_token: bool,
}

impl HttpSettings {
    /// Reads the settings; none when nothing says that HTTP is served.
    ///
    /// # Errors
    /// [`WrongSetting`] for a value that is not accepted, and for a token shared beyond loopback.
    pub fn read(layers: &Layers) -> Result<Option<Self>, WrongSetting> {
        let address = layers.first(&HTTP, address)?;
        let allowed_origins = list(layers, &ALLOWED_ORIGINS, is_origin)?;
        let allowed_hosts = list(layers, &ALLOWED_HOSTS, is_host)?;
        let share_token = layers.switch(&HTTP_SHARE_TOKEN)?.unwrap_or(false);
        let Some(address) = address else { return Ok(None) };
        if share_token && !address.ip().is_loopback() {
            let why = "accepted: true only when the HTTP address is one of this host, as in `127.0.0.1:8080`";
            return Err(WrongSetting::new(HTTP_SHARE_TOKEN.name(), why));
        }
        Ok(Some(Self { address, allowed_origins, allowed_hosts, share_token }))
    }
}

/// A port alone means this host: nobody opens a server to the network by leaving a word out.
fn address(text: &str) -> Result<SocketAddr, String> {
    let here = |port: &str| {
        port.parse().ok().map(|port: u16| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
    };
    let read = text.parse().ok();
    let read = read.or_else(|| here(text));
    let read = read.or_else(|| here(text.strip_prefix("localhost:")?));
    read.ok_or_else(|| accepted(&HTTP))
}

/// Half a list would allow less than was meant: one unreadable entry refuses all of it.
fn list(layers: &Layers, setting: &Setting, is_entry: fn(&str) -> bool) -> Result<Vec<String>, WrongSetting> {
    let read = |text: &str| {
        let entries: Vec<_> = text.split(',').map(|entry| entry.trim().to_owned()).collect();
        if entries.iter().all(|entry| is_entry(entry)) { Ok(entries) } else { Err(accepted(setting)) }
    };
    Ok(layers.first(setting, read)?.unwrap_or_default())
}

fn is_origin(entry: &str) -> bool {
    let Some((scheme, rest)) = entry.split_once("://") else { return false };
    matches!(scheme, "http" | "https") && is_host(rest) && entry.parse::<Uri>().is_ok()
}

fn is_host(entry: &str) -> bool {
    let has_other = entry.contains(['@', '*', '/']);
    !has_other && entry.parse::<Authority>().is_ok_and(|authority| !authority.host().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::layers::{Layer, Origin};

    fn read(rows: &[(&Setting, &str)]) -> Result<Option<HttpSettings>, String> {
        let mut layer = Layer::new(Origin::Environment);
        rows.iter().for_each(|(setting, text)| layer.set(setting, text));
        HttpSettings::read(&Layers(vec![layer])).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn an_address_is_of_this_host_unless_it_says_otherwise() {
        let rows = [
            ("8080", Some("127.0.0.1:8080")),
            ("localhost:0", Some("127.0.0.1:0")),
            ("[::1]:80", Some("[::1]:80")),
            ("0.0.0.0:8080", Some("0.0.0.0:8080")),
            ("example.com:80", None),
            ("127.0.0.1", None),
            ("70000", None),
        ];
        for (text, expected) in rows {
            let address = read(&[(&HTTP, text)]).ok().flatten().map(|http| http.address.to_string());
            assert_eq!(address.as_deref(), expected, "{text}");
        }
        assert_eq!(read(&[(&ALLOWED_HOSTS, "duo.example.com")]), Ok(None));
    }

    #[test]
    fn a_token_is_shared_on_this_host_only() {
        let share = |address| read(&[(&HTTP, address), (&HTTP_SHARE_TOKEN, "true")]);
        assert!(share("127.0.0.1:8080").unwrap().unwrap().share_token);
        assert!(share("[::1]:8080").unwrap().unwrap().share_token);
        for address in ["0.0.0.0:8080", "10.0.0.1:8080", "[::]:8080"] {
            assert!(share(address).unwrap_err().starts_with("GITLAB_DUO_HTTP_SHARE_TOKEN"), "{address}");
        }
    }

    #[test]
    fn lists_are_whole_or_refused() {
        let origins =
            |text| read(&[(&HTTP, "1"), (&ALLOWED_ORIGINS, text)]).map(|http| http.unwrap().allowed_origins);
        assert_eq!(
            origins("https://app.example.com, http://10.0.0.1:3000"),
            Ok(vec!["https://app.example.com".to_owned(), "http://10.0.0.1:3000".to_owned()])
        );
        for wrong in ["*", "app.example.com", "https://", "https://a/b", "https://u:p@a", "https://a,"] {
            assert!(origins(wrong).unwrap_err().starts_with("GITLAB_DUO_ALLOWED_ORIGINS"), "{wrong}");
        }
        let hosts = |text| {
            read(&[(&HTTP, "1"), (&ALLOWED_HOSTS, text)]).map(|http| http.unwrap().allowed_hosts.len())
        };
        assert_eq!(hosts("duo.example.com,duo.example.com:8443"), Ok(2));
        assert!(hosts("https://duo.example.com").is_err());
    }
}
