//! Addresses of instances: many spellings, one base, and no credential in any output.

use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use proptest::prelude::*;
use proptest::sample::select;

use crate::texts::{odd_text, pieces};

/// Host, port and path of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) host: String,
    pub(crate) port: Option<u16>,
    pub(crate) path: String,
}

impl Base {
    pub(crate) fn text(&self) -> String {
        let port = self.port.map_or_else(String::new, |port| format!(":{port}"));
        format!("https://{}{port}{}", self.host, self.path)
    }

    pub(crate) fn parsed(&self) -> InstanceUrl {
        InstanceUrl::parse(&self.text(), PlainHttp::LoopbackOnly).unwrap()
    }
}

pub(crate) fn base() -> impl Strategy<Value = Base> {
    let host = prop_oneof![
        "[a-z][a-z0-9]{0,6}(\\.[a-z]{2,5}){0,2}",
        select(vec!["api".to_owned(), "localhost".to_owned(), "git.example.test".to_owned()]),
    ];
    // Neither a default port nor none at all.
    let port = proptest::option::of((1_u16..).prop_filter("default", |port| *port != 443));
    let path = prop_oneof![3 => Just(String::new()), 2 => "(/[a-z][a-z0-9_-]{0,6}){1,2}"];
    (host, port, path).prop_map(|(host, port, path)| Base { host, port, path })
}

const SECRET: &str = "s3cr3t";

fn check_silent(text: &str) -> Result<(), TestCaseError> {
    for plain_http in [PlainHttp::LoopbackOnly, PlainHttp::Allowed] {
        let told = match InstanceUrl::parse(text, plain_http) {
            Ok(url) => format!("{url} {url:?} {} {:?}", url.as_str(), url.host()),
            Err(error) => format!("{error} {error:?}"),
        };
        prop_assert!(!told.contains(SECRET), "{:?} gives {}", text, told);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_spelling_of_a_base_is_one_base(
        base in base(),
        scheme in select(vec!["https://", "HTTPS://", "Https://", ""]),
        in_capitals in any::<bool>(),
        end in select(vec!["", "/", "//", "/api/v4", "/api/v4/", "/api/graphql", "/api/graphql//", "//api/v4"]),
        around in select(vec!["", " ", "\n", "\t "]),
    ) {
        let host = if in_capitals { base.host.to_ascii_uppercase() } else { base.host.clone() };
        let port = base.port.map_or_else(
            || if scheme.len() > 6 && in_capitals { ":443".to_owned() } else { String::new() },
            |port| format!(":{port}"),
        );
        let text = format!("{around}{scheme}{host}{port}{}{end}{around}", base.path);
        let parsed = InstanceUrl::parse(&text, PlainHttp::LoopbackOnly);
        prop_assert_eq!(parsed.map(|url| url.to_string()), Ok(base.text()), "{:?}", text);
    }

    #[test]
    fn no_credential_is_ever_repeated(
        scheme in select(vec![
            "https://", "http://", "", "https:/", "https:", "https:\\\\", "https:///", "HTTPS:/", "ssh://", "//", "https:\t//",
            "https://git.example.test/https://", "https://git.example.test/",
        ]),
        user in select(vec!["user:s3cr3t", "s3cr3t", ":s3cr3t", "oauth2:s3cr3t", "s3cr3t:", "a@b:s3cr3t", "a/b:s3cr3t"]),
        base in base(),
        end in select(vec!["", "/", "/api/v4", "?x=1", "#x"]),
    ) {
        let place = base.text().replacen("https://", "", 1);
        check_silent(&format!("{scheme}{user}@{place}{end}"))?;
    }

    #[test]
    fn no_query_is_ever_repeated(base in base(), mark in select(vec!["?", "#", "/?", "?private_token=", "#a="])) {
        check_silent(&format!("{}{mark}{SECRET}", base.text()))?;
    }

    #[test]
    fn what_is_an_address_stays_one(text in prop_oneof![odd_text(), pieces(&[
        "https://", "http://", "localhost", "git.example.test", ":", "8080", "/", "api", "v4", "graphql", "sub", "@", "?", "#",
        "%2F", "..", " ", "[::1]", "127.0.0.1", "\\", "ä",
    ])]) {
        for plain_http in [PlainHttp::LoopbackOnly, PlainHttp::Allowed] {
            let Ok(url) = InstanceUrl::parse(&text, plain_http) else { continue };
            let base = url.as_str();
            prop_assert!(base.starts_with("https://") || base.starts_with("http://"), "{}", base);
            prop_assert!(!base.contains(['?', '#', '@', ' ']) && !base.ends_with('/'), "{}", base);
            prop_assert!(url.host().is_some_and(|host| !host.is_empty()), "{}", base);
            prop_assert_eq!(InstanceUrl::parse(base, plain_http), Ok(url.clone()));
        }
    }
}
