//! Which path is whose.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{any, get};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, VARY,
};
use http::{HeaderValue, Method, Request, StatusCode};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use crate::http::admission::{holding, whole};
use crate::http::door::{Admitted, Refused, admit};
use crate::http::options::HttpOptions;
use crate::http::page::{later, sentence, with};
use crate::http::ready::Readiness;
use crate::http::upstream::Upstream;
use crate::http::{metadata, token};
use crate::server::Server;

/// Headers of a request that a page of an allowed origin may set.
const REQUEST_HEADERS: &str = "authorization, private-token, content-type, accept, mcp-protocol-version, \
    mcp-session-id, mcp-method, mcp-name, last-event-id";

/// What all requests share.
#[derive(Clone)]
struct Shared {
    protocol: StreamableHttpService<Server, NeverSessionManager>,
    options: Arc<HttpOptions>,
    upstream: Upstream,
    readiness: Readiness,
    in_flight: Arc<Semaphore>,
}

/// The paths. A session id is neither handed out nor looked at: whatever a client brings from before
/// a restart, or from another replica, it is served.
pub(super) fn router(server: Server, options: HttpOptions, upstream: Upstream) -> Router {
    // Host, origin and the length of bodies are checked here, for all paths alike.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_max_request_body_bytes(options.body_bytes)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let protocol = StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
    let in_flight = Arc::new(Semaphore::new(options.requests));
    let options = Arc::new(options);
    let shared = Shared { protocol, options, upstream, readiness: Readiness::default(), in_flight };
    Router::new()
        .route("/mcp", any(mcp))
        .route(metadata::PATH, get(resource).options(resource))
        .route(&format!("{}/mcp", metadata::PATH), get(resource).options(resource))
        .route("/healthz", get(|| async { sentence(StatusCode::OK, "ok") }))
        .route("/readyz", get(ready))
        .fallback(|| async {
            sentence(StatusCode::NOT_FOUND, "there is nothing here: MCP is served at /mcp")
        })
        .with_state(shared)
}

async fn mcp(State(shared): State<Shared>, request: Request<Body>) -> Response {
    let admitted = match shared.admit(&request) {
        Ok(admitted) => admitted,
        Err(refusal) => return refusal,
    };
    let response = if *request.method() == Method::OPTIONS {
        preflight()
    } else {
        shared.answered(request, &admitted).await.unwrap_or_else(|refusal| refusal)
    };
    readable_by(admitted.origin, response)
}

async fn resource(State(shared): State<Shared>, request: Request<Body>) -> Response {
    match shared.admit(&request) {
        Ok(admitted) => {
            let document = || metadata::document(&admitted.host, &shared.upstream.parts.instance);
            let is_preflight = *request.method() == Method::OPTIONS;
            let response = if is_preflight { preflight() } else { document() };
            readable_by(admitted.origin, response)
        }
        Err(refusal) => refusal,
    }
}

async fn ready(State(shared): State<Shared>) -> Response {
    if shared.readiness.of(&shared.upstream).await {
        return sentence(StatusCode::OK, "ready");
    }
    later("GitLab does not answer")
}

impl Shared {
    fn admit(&self, request: &Request<Body>) -> Result<Admitted, Response> {
        admit(request.uri(), request.headers(), &self.options).map_err(|refused| {
            let text = match refused {
                Refused::Host => "this server is not known by this Host: name it in GITLAB_DUO_ALLOWED_HOSTS",
                Refused::Origin => "this Origin may not call: name it in GITLAB_DUO_ALLOWED_ORIGINS",
            };
            sentence(StatusCode::FORBIDDEN, text)
        })
    }

    /// Who asks is known before anything of the body is read.
    async fn answered(&self, mut request: Request<Body>, admitted: &Admitted) -> Result<Response, Response> {
        let token = token::take(request.headers_mut());
        let token = token.map_err(|why| sentence(StatusCode::BAD_REQUEST, why))?;
        let caller = self.upstream.caller(token).ok_or_else(|| metadata::challenge(&admitted.host))?;
        let permit = Arc::clone(&self.in_flight).try_acquire_owned();
        let permit = permit.map_err(|_| later("too many requests are being answered"))?;
        let mut request = whole(request, &self.options).await?;
        request.extensions_mut().insert(caller);
        let response = self.protocol.handle(request).await.map(Body::new);
        Ok(holding(permit, response))
    }
}

fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let methods = HeaderValue::from_static("GET, POST, OPTIONS");
    let response = with(response, ACCESS_CONTROL_ALLOW_METHODS, methods);
    with(response, ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(REQUEST_HEADERS))
}

/// Lets the page that called read the answer.
fn readable_by(origin: Option<HeaderValue>, response: Response) -> Response {
    let Some(origin) = origin else { return response };
    let response = with(response, ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let response = with(response, VARY, HeaderValue::from_static("origin"));
    with(response, ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("www-authenticate, retry-after"))
}
