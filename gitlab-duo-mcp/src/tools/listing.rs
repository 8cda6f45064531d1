//! The tools as a client lists them: what policy leaves, in the form of its protocol revision.

use std::sync::Arc;

use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::rules::policy::Access;
use rmcp::model::{Icon, Tool, ToolAnnotations};

use crate::spec::icon::ICON;
use crate::spec::input;
use crate::spec::surface::Surface;
use crate::spec::table::{ALIASES, TOOLS};
use crate::spec::tool::ToolSpec;
use crate::tools::revision::Revision;

/// The tools that are listed on a surface, in a fixed order.
pub(crate) fn listed(surface: Surface, scope: &Scope) -> impl Iterator<Item = &'static ToolSpec> {
    let access = scope.access;
    let is_allowed = move |spec: &&ToolSpec| match access {
        Access::Full => true,
        Access::ReadOnly => spec.hints.read_only,
        Access::Off => false,
    };
    TOOLS.iter().copied().filter(move |spec| spec.surface == surface).filter(is_allowed)
}

/// A tool that is called, with the arguments that its name stands for.
#[derive(Clone, Copy)]
pub(crate) struct Called {
    pub(crate) spec: &'static ToolSpec,
    pub(crate) fixed: &'static [(&'static str, &'static str)],
}

/// The tool that is called by a name on a surface, listed or not: one that policy hides is refused
/// by policy, not as unknown.
pub(crate) fn called(surface: Surface, name: &str) -> Option<Called> {
    let own = TOOLS.iter().find(|spec| spec.surface == surface && spec.name == name);
    let own = own.map(|spec| Called { spec, fixed: &[] });
    let alias = || ALIASES.iter().find(|alias| alias.name == name);
    own.or_else(|| alias().map(|alias| Called { spec: alias.tool, fixed: alias.fixed }))
}

/// The form of a tool that a revision knows.
pub(crate) fn tool(spec: &ToolSpec, revision: Revision) -> Tool {
    let mut tool = Tool::new(spec.name, spec.description, Arc::new(input::schema(spec)));
    if revision.has_annotations() {
        tool.annotations = Some(annotations(spec));
    }
    if revision.has_structured() {
        tool.title = Some(spec.title.to_owned());
        if revision.has_icons() {
            // The type of a data URI stands in itself.
            tool.icons = Some(vec![Icon::new(ICON)]);
        }
        tool.output_schema = Some(Arc::new((spec.output)()));
    }
    tool
}

fn annotations(spec: &ToolSpec) -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(spec.hints.read_only)
        .destructive(spec.hints.destructive)
        .idempotent(spec.hints.idempotent)
        .open_world(spec.hints.open_world)
}
