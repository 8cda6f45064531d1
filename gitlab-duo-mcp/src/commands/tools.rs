//! The tool list as it is configured.

use gitlab_duo_core::model::scope::Scope;
use serde_json::json;

use crate::commands::printed::Printed;
use crate::spec::surface::Surface;
use crate::spec::tool::ToolSpec;
use crate::tools::listing::{listed, tool};
use crate::tools::revision::Revision;

/// The tools for a person: a name, a title and a description each.
#[must_use]
pub fn human(surface: Surface, scope: &Scope) -> Printed {
    let all: Vec<_> = listed(surface, scope).map(paragraph).collect();
    if all.is_empty() {
        return Printed::out("There are no tools: they are switched off in the settings.\n");
    }
    Printed::out(all.join("\n"))
}

/// The tools as a client of the newest protocol revision receives them.
#[must_use]
pub fn json(surface: Surface, scope: &Scope) -> Printed {
    let tools: Vec<_> = listed(surface, scope).map(|spec| tool(spec, Revision::Structured)).collect();
    Printed::out(format!("{:#}\n", json!({ "tools": tools })))
}

fn paragraph(spec: &ToolSpec) -> String {
    let kind = if spec.hints.read_only { "reads" } else { "writes" };
    format!("{} ({kind}): {}\n  {}\n", spec.name, spec.title, spec.description.replace('\n', "\n  "))
}
