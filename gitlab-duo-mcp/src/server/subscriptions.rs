//! Subscriptions to resources, in both generations of the protocol: a change of what GitLab shows is
//! told, and what has changed is then read like anything else.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::DuoError;
use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, ResourceUpdatedNotificationParam, SubscribeRequestMethod, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{Peer, RequestContext, SubscriptionContext, SubscriptionSink};

use crate::limits::SUBSCRIPTIONS;
use crate::resources::look::{Seen, is_passing, look};
use crate::resources::pace::Pace;
use crate::resources::uri::ResourceUri;
use crate::server::refusals::{bounded, guarded, refused, refused_resource};
use crate::server::state::{Server, ServerSettings, no_token};
use crate::server::watches::has_connection;

/// Who hears of a change.
#[derive(Clone)]
enum Listener {
    /// A client of the older generation: everything goes to its connection.
    Connection(Peer<RoleServer>),
    /// A request that stays open for this.
    Request(SubscriptionSink),
}

impl Listener {
    fn has_gone(&self) -> bool {
        match self {
            Self::Connection(peer) => peer.is_transport_closed(),
            // The request's own future is dropped with it.
            Self::Request(_) => false,
        }
    }

    /// Tells that a resource has changed; false when nobody listens any more.
    async fn tell(&self, uri: ResourceUri) -> bool {
        let uri = uri.to_string();
        match self {
            Self::Connection(peer) => {
                peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_ok()
            }
            Self::Request(sink) => sink.notify_resource_updated(uri).await.is_ok(),
        }
    }
}

/// A resource that is watched for somebody. It keeps nothing of the server alive.
struct Watch {
    uri: ResourceUri,
    gateway: Arc<dyn DuoWriter>,
    settings: Arc<ServerSettings>,
    bound: Duration,
    listener: Listener,
}

impl Watch {
    /// A look, with the policy of every read.
    async fn look(&self) -> Result<Seen, DuoError> {
        let ServerSettings { scope, clock, .. } = &*self.settings;
        bounded(look(&*self.gateway, scope, self.uri, clock()), self.bound).await
    }

    /// Tells every change after `seen` until the session has ended, it can no longer be read, or
    /// nobody listens. Dropping the future ends it, and the look in flight.
    async fn follow(&self, mut seen: Seen) {
        let mut pace = Pace::default();
        let mut pause = pace.pause(seen.poll_after_seconds());
        while !seen.has_ended() {
            tokio::time::sleep(pause).await;
            if self.listener.has_gone() {
                return;
            }
            match self.look().await {
                Ok(next) if next == seen => pause = pace.pause(seen.poll_after_seconds()),
                Ok(next) => {
                    if !self.listener.tell(self.uri).await {
                        return;
                    }
                    seen = next;
                    pace.restart();
                    pause = pace.pause(seen.poll_after_seconds());
                }
                Err(failure) if is_passing(failure.kind) => {
                    pause = Pace::after_failure(failure.retry_after_seconds);
                }
                Err(_) => {
                    // Whoever reads now learns what became of it.
                    self.listener.tell(self.uri).await;
                    return;
                }
            }
        }
    }
}

impl Server {
    /// Subscribes in the older generation. Policy, version and existence are checked now, by a first
    /// look; a resource that is watched already stays so.
    pub(super) async fn subscribed(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !has_connection(&context) {
            return Err(ErrorData::method_not_found::<SubscribeRequestMethod>());
        }
        let work = async {
            self.settings.scope.admit_browsing()?;
            let uri = ResourceUri::parse(&request.uri)?;
            if self.watches.is_watched(uri) {
                return Ok(None);
            }
            let place = self.watches.place().ok_or_else(too_many)?;
            let watch = self.watch(uri, &context, Listener::Connection(context.peer.clone()))?;
            let seen = watch.look().await?;
            Ok(Some((watch, seen, place)))
        };
        let begun = guarded(work, self.call_bound, &context).await;
        let begun = begun.map_err(|refusal| refused_resource(&refusal, &request.uri))?;
        if let Some((watch, seen, place)) = begun.filter(|(_, seen, _)| !seen.has_ended()) {
            self.watches.start(watch.uri, async move {
                watch.follow(seen).await;
                drop(place);
            });
        }
        Ok(())
    }

    /// Ends a subscription of the older generation; one that is not there is none to end.
    pub(super) fn unsubscribed(&self, request: &UnsubscribeRequestParams) -> Result<(), ErrorData> {
        let uri = ResourceUri::parse(&request.uri);
        self.watches.stop(uri.map_err(|refusal| refused_resource(&refusal, &request.uri))?);
        Ok(())
    }

    /// What of a request of the newer generation will be told: changes of resources of ours, as many
    /// as there are places. Nothing else changes here.
    pub(super) fn accepted(&self, requested: &SubscriptionFilter) -> SubscriptionFilter {
        let asked = requested.resource_subscriptions.iter().flatten();
        let mut known: Vec<_> = asked.filter(|uri| ResourceUri::parse(uri).is_ok()).collect();
        known.sort();
        known.dedup();
        let accepted = known.into_iter().take(self.watches.free());
        SubscriptionFilter::builder().resource_subscriptions(accepted).build()
    }

    /// Serves a request of the newer generation until the client ends it, or all that it watches has
    /// ended. A resource that cannot be read ends alone, and is the answer when there was no other.
    pub(super) async fn listened(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let request = context.request_context();
        let accepted = context.accepted().resource_subscriptions.iter().flatten();
        let uris: BTreeSet<_> = accepted.filter_map(|uri| ResourceUri::parse(uri).ok()).collect();
        if uris.is_empty() {
            return self.nothing_to_tell(&context).await;
        }
        let listener = Listener::Request(context.sink().clone());
        let listener = &listener;
        let watches = uris.into_iter().map(|uri| async move {
            let place = self.watches.place().ok_or_else(too_many)?;
            let watch = self.watch(uri, request, listener.clone())?;
            let seen = watch.look().await?;
            watch.follow(seen).await;
            drop(place);
            Ok::<_, DuoError>(())
        });
        let outcomes = tokio::select! {
            outcomes = join_all(watches.collect::<Vec<_>>()) => outcomes,
            () = context.cancelled() => return Ok(()),
        };
        let is_one_well = outcomes.iter().any(Result::is_ok);
        let refusal = outcomes.into_iter().find_map(Result::err).filter(|_| !is_one_well);
        refusal.map_or(Ok(()), |refusal| Err(refused(&refusal)))
    }

    /// Resources that are none of ours, or too many, are refused; without any, nothing ever changes.
    async fn nothing_to_tell(&self, context: &SubscriptionContext) -> Result<(), ErrorData> {
        let Some(uri) = context.requested().resource_subscriptions.iter().flatten().next() else {
            context.cancelled().await;
            return Ok(());
        };
        let refusal = ResourceUri::parse(uri).err().unwrap_or_else(too_many);
        Err(refused_resource(&refusal, uri))
    }

    fn watch(
        &self,
        uri: ResourceUri,
        context: &RequestContext<RoleServer>,
        listener: Listener,
    ) -> Result<Watch, DuoError> {
        let gateway = self.callers.of(context).ok_or_else(no_token)?.gateway;
        let settings = Arc::clone(&self.settings);
        Ok(Watch { uri, gateway, settings, bound: self.call_bound, listener })
    }
}

fn too_many() -> DuoError {
    DuoError::invalid(format!("this connection watches {SUBSCRIPTIONS} resources, and no more are possible"))
        .with_next_step("end a subscription first: those of ended sessions end by themselves")
}
