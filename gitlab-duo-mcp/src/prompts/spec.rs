//! What a prompt is: data, from which the list, the reader of arguments and completion are made.

use gitlab_duo_core::model::selector::TargetKind;

use crate::prompts::calls::Calls;
use crate::prompts::given::Given;

/// A prompt.
pub(crate) struct PromptSpec {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) arguments: &'static [PromptArgument],
    /// Arguments of which at most one may be given.
    pub(crate) alternatives: &'static [&'static str],
    pub(crate) text: fn(&Calls, &Given) -> String,
}

/// What becomes of it when a model follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Reads,
    Writes,
}

/// An argument of a prompt.
pub(crate) struct PromptArgument {
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
    pub(crate) need: Need,
    pub(crate) description: &'static str,
}

/// Whether a prompt can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Required,
    Optional,
}

/// What an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Project,
    Flow,
    Agent,
    Session,
    /// A status in which a session waits for a person.
    WaitingStatus,
    Goal,
    Page(TargetKind),
}
