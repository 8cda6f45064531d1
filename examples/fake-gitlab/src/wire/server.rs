//! The listener: accepts connections until it is stopped or forgotten.

use super::connection::Watched;
use super::service;
use crate::shared::Shared;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The running listener. Dropping it closes it and all its connections.
pub(crate) struct Server {
    stopping: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

impl Server {
    pub(crate) async fn stop(&self) {
        self.stopping.send_replace(true);
        let mut ended = self.ended.clone();
        // An error means that the task is gone, which is what was waited for.
        let _ = ended.wait_for(|ended| *ended).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.send_replace(true);
    }
}

pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>) -> Server {
    let (stopping, stop) = watch::channel(false);
    let (end, ended) = watch::channel(false);
    tokio::spawn(async move {
        accept(listener, shared, stop).await;
        end.send_replace(true);
    });
    Server { stopping, ended }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, mut stop: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                shared.connections.fetch_add(1, Ordering::SeqCst);
                connections.spawn(connection(stream, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
    connections.shutdown().await;
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let watched = Watched::new(stream, Arc::clone(&shared));
    let control = watched.control();
    let service = service_fn(move |request| {
        let (shared, control) = (Arc::clone(&shared), Arc::clone(&control));
        async move {
            let answer = service::answer(&shared, &control, request).await;
            control.answered();
            answer
        }
    });
    // A broken connection is either a client that went away or a fault that was asked for.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(watched), service).await;
}
