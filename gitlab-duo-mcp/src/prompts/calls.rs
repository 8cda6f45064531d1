//! The calls that a prompt names, under the tool names of a surface.

use crate::prompts::given::Given;
use crate::spec::surface::Surface;
use crate::spec::table::TOOLS;
use crate::spec::tool::{Ability, ActionSpec, ToolSpec};

/// Stands for the id of a session that the model learns on its way.
pub(crate) const WORKFLOW_ID: &str = r#""WORKFLOW_ID""#;

/// The calls of a surface.
pub(crate) struct Calls {
    surface: Surface,
}

impl Calls {
    pub(crate) fn of(surface: Surface) -> Self {
        Self { surface }
    }

    /// A call with its arguments, each a name and JSON; arguments that the tool does not take are
    /// left out. None when this surface has no such tool.
    pub(crate) fn call(&self, ability: Ability, arguments: &[(&str, &str)]) -> Option<String> {
        let (tool, action) = self.find(ability)?;
        let action_name = (tool.actions.len() > 1).then(|| format!("\"action\": \"{}\"", action.name));
        let taken = arguments.iter().filter(|(name, _)| action.takes(name));
        let arguments = taken.map(|(name, json)| format!("\"{name}\": {json}"));
        let arguments: Vec<_> = action_name.into_iter().chain(arguments).collect();
        Some(format!("`{}` with {{{}}}", tool.name, arguments.join(", ")))
    }

    /// As [`Self::call`], with those of the prompt's arguments that were given, then others.
    pub(crate) fn with_given(
        &self,
        ability: Ability,
        given: &Given,
        names: &[&str],
        others: &[(&str, &str)],
    ) -> Option<String> {
        let ours = names.iter().filter_map(|name| Some((*name, given.json(name)?)));
        self.call(ability, &ours.chain(others.iter().copied()).collect::<Vec<_>>())
    }

    /// Whether the tool with this ability takes an argument.
    pub(crate) fn takes(&self, ability: Ability, argument: &str) -> bool {
        self.find(ability).is_some_and(|(_, action)| action.takes(argument))
    }

    fn find(&self, ability: Ability) -> Option<(&'static ToolSpec, &'static ActionSpec)> {
        let of_surface = TOOLS.iter().filter(|tool| tool.surface == self.surface);
        let mut actions = of_surface.flat_map(|tool| tool.actions.iter().map(|action| (*tool, action)));
        actions.find(|(_, action)| action.ability == ability)
    }
}
