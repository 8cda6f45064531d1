//! Connections: how many, how slow, and their end.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::http::options::HttpOptions;
use crate::http::router::router;
use crate::http::upstream::Upstream;
use crate::server::Server;

/// How long accepting pauses when it fails, as without free file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` is ready; then no connection is accepted any more, and answers in flight have
/// [`HttpOptions::last_answers`] to end. The server must take each request's caller from the request.
///
/// # Errors
/// When the listener is not usable at all.
pub async fn serve_http(
    listener: TcpListener,
    server: Server,
    options: HttpOptions,
    upstream: Upstream,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "HTTP is served");
    let (head_time, last_answers) = (options.head_time, options.last_answers);
    let room = Arc::new(Semaphore::new(options.connections));
    let router = router(server, options, upstream);
    let (end, ending) = watch::channel(false);
    let mut open = JoinSet::new();
    tokio::pin!(shutdown);
    loop {
        let accepted = async {
            let permit = Arc::clone(&room).acquire_owned().await;
            (permit, listener.accept().await)
        };
        tokio::select! {
            () = &mut shutdown => break,
            Some(_ended) = open.join_next() => {}
            (permit, accepted) = accepted => match accepted {
                Ok((stream, _)) => {
                    let connection = connection(stream, router.clone(), head_time, ending.clone());
                    open.spawn(async move {
                        let _held = permit;
                        connection.await;
                    });
                }
                Err(error) => {
                    tracing::warn!(kind = %error.kind(), "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    end.send_replace(true);
    let all_ended = async { while open.join_next().await.is_some() {} };
    if tokio::time::timeout(last_answers, all_ended).await.is_err() {
        tracing::warn!("answers in flight were cut off");
    }
    open.shutdown().await;
    Ok(())
}

async fn connection(
    stream: TcpStream,
    router: Router,
    head_time: Duration,
    mut ending: watch::Receiver<bool>,
) {
    // Small answers are sent at once.
    let _slower = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_time);
    let served = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(served);
    let ended = tokio::select! {
        ended = served.as_mut() => Some(ended),
        () = told(&mut ending) => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        None => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(timed_out = error.is_timeout(), "a connection ended early");
    }
}

/// Waits until the server is told to end, or is gone.
async fn told(ending: &mut watch::Receiver<bool>) {
    let _gone = ending.wait_for(|ends| *ends).await.is_err();
}
