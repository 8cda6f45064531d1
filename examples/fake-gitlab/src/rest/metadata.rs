//! `/metadata` and its old alias `/version`.

use super::access;
use super::refuse::Outcome;
use crate::wire::{Answer, Request};
use crate::world::World;
use serde_json::json;

pub(super) fn show(world: &World, request: &Request) -> Outcome {
    access::viewer(world, request, access::VERSION)?;
    let host = world.base_url.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
    let body = json!({
        "version": world.version.to_string(),
        "revision": "1a2b3c4d5e6",
        "kas": {
            "enabled": true,
            "externalUrl": format!("ws://{host}/-/kubernetes-agent/"),
            "externalK8sProxyUrl": format!("{}/-/kubernetes-agent/k8s-proxy/", world.base_url),
            "version": world.version.numbers(),
        },
        "enterprise": world.settings.enterprise,
    });
    Ok(Answer::json(200, &body))
}
