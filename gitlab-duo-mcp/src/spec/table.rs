//! Every tool of every surface.

use crate::spec::compact;
use crate::spec::tool::ToolSpec;

/// The tools, in the order of the list.
pub(crate) static TOOLS: [&ToolSpec; 2] = [&compact::BROWSE, &compact::MANAGE];
