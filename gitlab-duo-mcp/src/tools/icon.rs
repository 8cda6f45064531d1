//! The icon in MCP's form.

use rmcp::model::Icon;

use crate::spec::icon::{ICON, ICON_TYPE};
use crate::tools::revision::Revision;

/// The icons of anything listed; none in a revision that does not know them.
pub(crate) fn icons(revision: Revision) -> Option<Vec<Icon>> {
    let icon = || Icon::new(ICON).with_mime_type(ICON_TYPE).with_sizes(vec!["any".to_owned()]);
    revision.has_icons().then(|| vec![icon()])
}
