//! What a tool is: data that the tool list, the parser and the tests all read.

use serde_json::{Map, Value};

use crate::spec::surface::Surface;

/// A tool.
pub(crate) struct ToolSpec {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) surface: Surface,
    pub(crate) hints: Hints,
    /// Every argument of any of its actions, in the order of the schema.
    pub(crate) arguments: &'static [Argument],
    /// What it can do. A tool with several actions has the argument `action`.
    pub(crate) actions: &'static [ActionSpec],
    pub(crate) output: fn() -> Map<String, Value>,
}

/// What a client may assume before it calls.
#[expect(clippy::struct_excessive_bools, reason = "the four hints of MCP, each written out")]
pub(crate) struct Hints {
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
}

/// An argument as the schema shows it.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) description: &'static str,
}

/// The type of an argument. Ids are texts, since not every client keeps 64 bits of a number.
pub(crate) enum Kind {
    Text,
    Choice(fn() -> Vec<&'static str>),
    Choices(fn() -> Vec<&'static str>),
    Count { least: u32, most: u32 },
    Flag,
}

/// One thing that a tool can do, and the arguments it takes.
pub(crate) struct ActionSpec {
    pub(crate) name: &'static str,
    pub(crate) ability: Ability,
    /// Refused when missing.
    pub(crate) needed: &'static [&'static str],
    /// Understood; rules between them are checked when they are parsed.
    pub(crate) optional: &'static [&'static str],
}

/// An ability of core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ability {
    AgentsAndFlows,
    ListSessions,
    GetSession,
    ReadTranscript,
    StartSession,
    SendInput,
    StopSession,
}

impl ToolSpec {
    /// The names of its actions.
    pub(crate) fn action_names(&self) -> Vec<&'static str> {
        self.actions.iter().map(|action| action.name).collect()
    }
}

impl ActionSpec {
    /// Whether it takes an argument of this name.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.needed.contains(&name) || self.optional.contains(&name)
    }

    /// The arguments it takes, as a sentence shows them.
    pub(crate) fn arguments(&self) -> String {
        let names: Vec<_> = self.needed.iter().chain(self.optional).map(|name| format!("`{name}`")).collect();
        names.join(", ")
    }
}
