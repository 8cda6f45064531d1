//! Serving over standard input and output, or any pair of streams that carries a message per line.

use std::io;

use rmcp::model::{
    ClientCapabilities, ClientRequest, Implementation, InitializeRequest, InitializeRequestParams,
    JsonRpcMessage, ProtocolVersion,
};
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;

use crate::limits::LAST_ANSWERS;
use crate::server::Server;

/// Serves over this process's standard input and output until the input ends.
///
/// # Errors
/// When the streams fail or the client does not speak the protocol.
pub async fn serve_stdio(server: Server) -> io::Result<()> {
    serve(server, tokio::io::stdin(), tokio::io::stdout()).await
}

/// Serves over a pair of streams until `read` ends. Answers in flight then have less than a second;
/// what takes longer is given up.
///
/// # Errors
/// When the streams fail or the client does not speak the protocol.
pub async fn serve<R, W>(server: Server, read: R, write: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (ended, has_ended) = oneshot::channel();
    let transport =
        Lines { inner: AsyncRwTransport::new(read, write), ended: Some(ended), lifecycle: Lifecycle::Before };
    tokio::select! {
        result = converse(server, transport) => result,
        () = patience(has_ended) => {
            tracing::warn!("the client has gone; answers in flight are given up");
            Ok(())
        }
    }
}

async fn converse<T>(server: Server, transport: T) -> io::Result<()>
where
    T: Transport<RoleServer, Error = io::Error> + 'static,
{
    match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that looks and leaves without a word is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

async fn patience(has_ended: oneshot::Receiver<()>) {
    if has_ended.await.is_err() {
        // The transport went without an end of input: the conversation's own result counts.
        return std::future::pending().await;
    }
    tokio::time::sleep(LAST_ANSWERS).await;
}

/// Whether the conversation has begun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    Before,
    Begun,
}

/// Lines in both directions, a little more forgiving than rmcp's own transport: stray notifications
/// before the beginning do not end the process, and an incomplete `initialize` is negotiated.
struct Lines<R: AsyncRead, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, R, W>,
    ended: Option<oneshot::Sender<()>>,
    lifecycle: Lifecycle,
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        // Safe to drop at any point: nothing is held here between two messages.
        loop {
            let Some(message) = self.inner.receive().await else {
                // Nobody listens any more when the conversation has ended by itself.
                let _unheard = self.ended.take().map(|ended| ended.send(()));
                return None;
            };
            let message = completed(message);
            if begins(&message) {
                self.lifecycle = Lifecycle::Begun;
            }
            let is_request = matches!(message, JsonRpcMessage::Request(_));
            if is_request || self.lifecycle == Lifecycle::Begun {
                return Some(message);
            }
            tracing::debug!("a message that is no request came before the conversation began");
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.inner.close().await
    }
}

/// Whether rmcp begins the conversation with this message: `initialize`, or a request that carries
/// everything itself. A discovery is only a look.
fn begins(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            use rmcp::model::GetMeta;
            let meta = other.get_meta();
            let is_known = meta
                .protocol_version()
                .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
            is_known && meta.missing_required_keys(&ProtocolVersion::LATEST).is_empty()
        }
    }
}

/// An `initialize` that lacks its version, capabilities or client name is no reason to part: what is
/// missing counts as unknown, and a version that nobody knows is answered with one that we speak.
fn completed(message: RxJsonRpcMessage<RoleServer>) -> RxJsonRpcMessage<RoleServer> {
    let JsonRpcMessage::Request(mut request) = message else { return message };
    if let ClientRequest::CustomRequest(custom) = &request.request
        && custom.method == "initialize"
    {
        request.request = ClientRequest::InitializeRequest(InitializeRequest::new(initialize_params(
            custom.params.as_ref(),
        )));
    }
    JsonRpcMessage::Request(request)
}

fn initialize_params(params: Option<&Value>) -> InitializeRequestParams {
    let part = |name: &str| params.and_then(|params| params.get(name)).cloned().unwrap_or_default();
    let capabilities: ClientCapabilities = serde_json::from_value(part("capabilities")).unwrap_or_default();
    let client: Result<Implementation, _> = serde_json::from_value(part("clientInfo"));
    let client = client.unwrap_or_else(|_| Implementation::new("unknown", "0"));
    // Without a readable version, the newest one that has this handshake is offered.
    let version: ProtocolVersion =
        serde_json::from_value(part("protocolVersion")).unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE);
    InitializeRequestParams::new(capabilities, client).with_protocol_version(version)
}
