//! Which prompts policy leaves.

use gitlab_duo_core::model::scope::{Refusal, Scope};

use crate::prompts::spec::{Effect, PromptSpec};
use crate::prompts::table::PROMPTS;

/// The prompts that are listed, in a fixed order.
pub(crate) fn listed(scope: &Scope) -> impl Iterator<Item = &'static PromptSpec> {
    PROMPTS.iter().filter(|spec| admit(spec, scope).is_ok())
}

/// The prompt of this name, listed or not: one that policy hides is refused by policy.
pub(crate) fn named(name: &str) -> Option<&'static PromptSpec> {
    PROMPTS.iter().find(|spec| spec.name == name)
}

/// Admits what a prompt leads to.
///
/// # Errors
/// The [`Refusal`] of browsing or writing.
pub(crate) fn admit(spec: &PromptSpec, scope: &Scope) -> Result<(), Refusal> {
    match spec.effect {
        Effect::Reads => scope.admit_browsing(),
        Effect::Writes => scope.admit_writing(),
    }
}
