//! Every tool of every surface, and every further name that one can be called by.

use crate::spec::tool::ToolSpec;
use crate::spec::{compact, gitlab};

/// The tools, in the order of the list.
pub(crate) static TOOLS: [&ToolSpec; 8] = [
    &compact::BROWSE,
    &compact::MANAGE,
    &gitlab::DISCOVER,
    &gitlab::LIST,
    &gitlab::GET,
    &gitlab::START,
    &gitlab::SEND_INPUT,
    &gitlab::STOP,
];

/// A name that is never listed and can be called on every surface: those of earlier and other
/// servers, which prompts and models still know.
pub(crate) struct Alias {
    pub(crate) name: &'static str,
    pub(crate) tool: &'static ToolSpec,
    /// Arguments that the name stands for. Others given for them are refused.
    pub(crate) fixed: &'static [(&'static str, &'static str)],
}

/// The aliases.
pub(crate) static ALIASES: [Alias; 6] = [
    Alias { name: "get_duo_workflow_status", tool: &gitlab::GET, fixed: &[] },
    Alias { name: "trigger_duo_flow", tool: &gitlab::START, fixed: &[] },
    Alias { name: "trigger_duo_developer", tool: &gitlab::START, fixed: &[("flow", "developer/v1")] },
    Alias { name: "start_duo_flow", tool: &gitlab::START, fixed: &[] },
    Alias { name: "get_session", tool: &gitlab::GET, fixed: &[] },
    Alias { name: "list_sessions", tool: &gitlab::LIST, fixed: &[] },
];
