//! Where a caller without a token gets one: the metadata of this resource, after RFC 9728.

use axum::response::Response;
use gitlab_duo_core::model::instance::InstanceUrl;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use serde_json::json;

use crate::http::page::{self, sentence, with};

/// Where the metadata is found; a client may put the path of the resource behind it.
pub(super) const PATH: &str = "/.well-known/oauth-protected-resource";

/// The address of a path at the host that the server was called by. Beyond loopback, something in
/// front of the server speaks https; nobody's header is believed about that.
fn address(host: &str, path: &str) -> String {
    let name =
        host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name });
    let is_here = matches!(name, "localhost" | "[::1]") || name.starts_with("127.");
    format!("{}://{host}{path}", if is_here { "http" } else { "https" })
}

/// The metadata: GitLab is who issues tokens for this server.
pub(super) fn document(host: &str, instance: &InstanceUrl) -> Response {
    page::json(&json!({
        "resource": address(host, "/mcp"),
        "authorization_servers": [instance.as_str()],
        "scopes_supported": ["api", "read_api"],
        "bearer_methods_supported": ["header"],
        "resource_name": "GitLab Duo sessions",
    }))
}

/// The answer to a request that needs a token and has none.
pub(super) fn challenge(host: &str) -> Response {
    let text =
        "this server needs a GitLab token with each request, as Authorization: Bearer or PRIVATE-TOKEN";
    let response = sentence(StatusCode::UNAUTHORIZED, text);
    let challenge = format!(r#"Bearer resource_metadata="{}/mcp""#, address(host, PATH));
    match HeaderValue::from_str(&challenge) {
        Ok(challenge) => with(response, WWW_AUTHENTICATE, challenge),
        Err(_) => with(response, WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
    }
}
