//! The AI catalog: items, their versions, consumers ("this item enabled there") and foundational agents.

use super::script::Script;
use serde_json::{Map, Value};

/// What kind of thing a catalog item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A chat agent.
    Agent,
    /// A flow that runs in CI.
    Flow,
    /// A foundational agent in a made-up consumer row.
    FoundationalAgent,
    /// An external agent.
    ThirdPartyFlow,
}

impl ItemKind {
    /// The name in GraphQL's enum.
    pub fn enum_value(self) -> &'static str {
        match self {
            Self::Agent => "AGENT",
            Self::Flow => "FLOW",
            Self::FoundationalAgent => "FOUNDATIONAL_AGENT",
            Self::ThirdPartyFlow => "THIRD_PARTY_FLOW",
        }
    }
}

/// One version of an item.
#[derive(Clone, Debug)]
pub struct ItemVersion {
    /// Number of the version, unique over all items.
    pub id: i64,
    /// `n.n.n`.
    pub name: String,
    /// False for a draft.
    pub released: bool,
}

/// A catalog item.
#[derive(Clone, Debug)]
pub struct Item {
    /// Number of the item. Never a selector of a session.
    pub id: i64,
    /// Name for people.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// Kind.
    pub kind: ItemKind,
    /// Reference of a foundational flow or agent, such as `developer/v1`.
    pub reference: Option<String>,
    /// Whether an Ultimate licence is needed.
    pub ultimate: bool,
    /// Versions, oldest first.
    pub versions: Vec<ItemVersion>,
}

impl Item {
    /// A custom item whose version `1.2.0` is released.
    pub fn new(id: i64, name: &str, kind: ItemKind) -> Self {
        let version = ItemVersion { id: id + 2000, name: "1.2.0".to_owned(), released: true };
        Self {
            id,
            name: name.to_owned(),
            description: "Does one thing well.".to_owned(),
            kind,
            reference: None,
            ultimate: false,
            versions: vec![version],
        }
    }

    /// The same as GitLab's own, known by that reference.
    #[must_use]
    pub fn foundational(mut self, reference: &str) -> Self {
        self.reference = Some(reference.to_owned());
        self
    }

    /// The version of that name.
    pub fn version(&self, name: &str) -> Option<&ItemVersion> {
        self.versions.iter().find(|version| version.name == name)
    }
}

/// An item enabled in a project or group.
#[derive(Clone, Debug)]
pub struct Consumer {
    /// Number of the consumer; made-up rows have negative ones.
    pub id: i64,
    /// The item; `None` when it is gone or hidden.
    pub item: Option<i64>,
    /// Project it belongs to.
    pub project: Option<i64>,
    /// Group it belongs to.
    pub group: Option<i64>,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Name of the pinned version.
    pub pinned: String,
    /// User number of its own service account.
    pub service_account: Option<i64>,
    /// Consumer of the group above, whose service account runs it.
    pub parent: Option<i64>,
    /// Overrules GitLab's rule whether the viewer may execute it.
    pub executable: Option<bool>,
    /// How its sessions go on.
    pub script: Script,
    /// Fields laid over what GraphQL would answer.
    pub graphql: Map<String, Value>,
}

impl Consumer {
    /// That item, enabled in that project.
    pub fn of_project(id: i64, item: i64, project: i64) -> Self {
        Self {
            id,
            item: Some(item),
            project: Some(project),
            group: None,
            enabled: true,
            pinned: "1.2.0".to_owned(),
            service_account: None,
            parent: None,
            executable: None,
            script: Script::straight(),
            graphql: Map::new(),
        }
    }

    /// That item, enabled in that group.
    pub fn of_group(id: i64, item: i64, group: i64) -> Self {
        Self { project: None, group: Some(group), ..Self::of_project(id, item, 0) }
    }
}

/// A foundational agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Reference without version.
    pub reference: String,
    /// Version, empty for the oldest one.
    pub version: String,
    /// Name for people.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// Whether Duo Chat offers it.
    pub selectable: bool,
}

impl Agent {
    /// The `workflow_definition` that means this agent.
    pub fn definition(&self) -> String {
        if self.version.is_empty() {
            self.reference.clone()
        } else {
            format!("{}/{}", self.reference, self.version)
        }
    }
}
