//! Catalog items, their versions, and foundational agents.

use super::{gid, reference};
use crate::world::{Agent, Item, ItemKind, ItemVersion, World};
use serde_json::{Value, json};

const MADE: &str = "2026-08-01T08:00:00Z";

pub(super) fn item(world: &World, id: i64) -> Option<Value> {
    let item = world.items.get(&id)?;
    let global = match (item.kind, &item.reference) {
        (ItemKind::FoundationalAgent, Some(name)) => gid("Ai::FoundationalChatAgent", name.replace('/', "-")),
        _ => gid("Ai::Catalog::Item", id),
    };
    let flow_reference = item.reference.as_ref().filter(|_| item.kind == ItemKind::Flow);
    let agent_reference = item.reference.as_ref().filter(|_| item.kind == ItemKind::FoundationalAgent);
    Some(json!({
        "__typename": type_name(item.kind), "id": global, "name": item.name,
        "description": item.description, "descriptionHtml": format!("<p>{}</p>", item.description),
        "itemType": item.kind.enum_value(), "foundational": item.reference.is_some(),
        "foundationalFlowReference": flow_reference, "foundationalAgentReference": agent_reference,
        "createdAt": MADE, "updatedAt": MADE, "public": true, "visibility": "PUBLIC",
        "softDeleted": false, "softDeletedAt": null, "starCount": 0, "starred": false,
        "last30DayUsageCount": 0, "isEnabledInManagedByProject": true, "project": null,
        "verificationLevel": if item.reference.is_some() { "GITLAB_MAINTAINED" } else { "UNVERIFIED" },
        "webPath": format!("/explore/ai-catalog/{}/{id}", if item.kind == ItemKind::Flow { "flows" } else { "agents" }),
        "userPermissions": {
            "adminAiCatalogItem": false, "forceHardDeleteAiCatalogItem": false,
            "readAiCatalogItem": true, "reportAiCatalogItem": false,
        },
    }))
}

fn type_name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Agent | ItemKind::FoundationalAgent => "AiCatalogAgent",
        ItemKind::Flow => "AiCatalogFlow",
        ItemKind::ThirdPartyFlow => "AiCatalogThirdPartyFlow",
    }
}

/// A version of an item, of the type that belongs to the item's.
pub(in crate::graphql) fn version(item: &Item, version: &ItemVersion) -> Value {
    json!({
        "__typename": format!("{}Version", type_name(item.kind)),
        "id": gid("Ai::Catalog::ItemVersion", version.id), "versionName": version.name,
        "humanVersionName": format!("v{}", version.name), "released": version.released,
        "releasedAt": version.released.then_some(MADE), "createdAt": MADE, "updatedAt": MADE,
        "createdBy": null, "deprecated": false, "definition": "", "mcpTools": [], "tools": [],
        "item": reference("AiCatalogItem", item.id),
    })
}

/// A foundational agent.
pub(in crate::graphql) fn agent(agent: &Agent) -> Value {
    json!({
        "__typename": "AiFoundationalChatAgent",
        "id": gid("Ai::FoundationalChatAgent", agent.definition().replace('/', "-")),
        "name": agent.name, "description": agent.description, "reference": agent.reference,
        "version": agent.version, "referenceWithVersion": agent.definition(),
        "selectableInChat": agent.selectable, "avatarUrl": null, "systemPrompt": null, "tools": [],
        "flowConfig": null, "visibility": "PUBLIC",
    })
}
