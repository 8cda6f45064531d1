//! The program behind a private certificate authority, with and without a certificate of its own: a
//! real TLS server on loopback in front of the fake.

use std::sync::Arc;

use fake_gitlab::FakeGitLab;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use crate::process::{lines, program, run};
use crate::settings_files::Directory;
use crate::wire::{call, initialize};

/// A private authority.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn certificate(&self, name: &str) -> (rcgen::Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.0).unwrap(), key)
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        roots
    }
}

/// Whether the server wants to see a certificate of the same authority.
#[derive(Clone, Copy, PartialEq)]
enum Client {
    Anyone,
    WithCertificate,
}

/// Serves TLS in front of `fake`; returns the address.
async fn serve(authority: &Authority, fake: &FakeGitLab, client: Client) -> String {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let (certificate, key) = authority.certificate("localhost");
    let config = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let config = config.with_safe_default_protocol_versions().unwrap();
    let config = match client {
        Client::Anyone => config.with_no_client_auth(),
        Client::WithCertificate => {
            let roots = Arc::new(authority.roots());
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
            config.with_client_cert_verifier(verifier.unwrap())
        }
    };
    let chain: Vec<CertificateDer<'static>> = vec![certificate.der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let inner = fake.url().trim_start_matches("http://").to_owned();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, inner) = (acceptor.clone(), inner.clone());
            tokio::spawn(async move {
                // A client that does not trust us parts here.
                let Ok(mut outer) = acceptor.accept(stream).await else { return };
                let mut inner = TcpStream::connect(inner).await.unwrap();
                let _ended = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
            });
        }
    });
    address
}

async fn list(settings: &[(&str, &str)]) -> Value {
    let input =
        lines(&[initialize(json!("2025-11-25")), call(2, "browse_duo_sessions", json!({"action": "list"}))]);
    let run = run(program(settings), &input, 2).await;
    let answer = run.messages().into_iter().find(|message| message["id"] == 2);
    answer.unwrap_or_else(|| panic!("{}", run.err))["result"]["structuredContent"].clone()
}

#[tokio::test]
async fn a_private_authority_is_trusted_when_it_is_named() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let (authority, directory) = (Authority::new(), Directory::new("authority"));
    let url = serve(&authority, &fake, Client::Anyone).await;
    let base = [("GITLAB_URL", url.as_str()), ("GITLAB_TOKEN", fake.token())];
    let refused = list(&base).await;
    assert_eq!(refused["error"]["kind"], "network", "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("certificate"), "{refused}");
    assert_eq!(fake.requests().len(), 0, "no token travels before the certificate is trusted");
    let ca = directory.file("ca.pem", &authority.0.pem());
    let other = directory.file("other.pem", &Authority::new().0.pem());
    assert_eq!(list(&[&base[..], &[("GITLAB_CA_FILE", &other)]].concat()).await["error"]["kind"], "network");
    let answer = list(&[&base[..], &[("GITLAB_CA_FILE", &ca)]].concat()).await;
    assert!(answer["sessions"].is_array(), "{answer}");
}

#[tokio::test]
async fn a_client_certificate_is_shown_where_it_is_wanted() {
    let fake = FakeGitLab::builder().with_example_sessions().start().await.unwrap();
    let (authority, directory) = (Authority::new(), Directory::new("client-certificate"));
    let url = serve(&authority, &fake, Client::WithCertificate).await;
    let ca = directory.file("ca.pem", &authority.0.pem());
    let (certificate, key) = authority.certificate("worker");
    let certificate = directory.file("client.pem", &certificate.pem());
    let key = directory.file("client.key", &key.serialize_pem());
    let base = [("GITLAB_URL", url.as_str()), ("GITLAB_TOKEN", fake.token()), ("GITLAB_CA_FILE", &ca)];
    let refused = list(&base).await;
    assert_eq!(refused["error"]["kind"], "network", "{refused}");
    assert_eq!(fake.requests().len(), 0);
    let shown = [("GITLAB_CLIENT_CERT_FILE", certificate.as_str()), ("GITLAB_CLIENT_KEY_FILE", &key)];
    let answer = list(&[&base[..], &shown].concat()).await;
    assert!(answer["sessions"].is_array(), "{answer}");
}
