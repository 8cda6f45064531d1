//! What a client learns of this server before it asks for anything.

use rmcp::RoleServer;
use rmcp::model::{Implementation, InitializeResult, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;

use crate::server::instructions::instructions;
use crate::server::watches::has_connection;
use crate::spec::surface::Surface;
use crate::tools::icon::icons;
use crate::tools::revision::Revision;

/// All that this server is and can do, in the form of the newest revision.
pub(super) fn config(surface: Surface) -> ServerConfig {
    let mut name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
        .with_title("GitLab Duo sessions");
    name.icons = icons(Revision::Icons);
    let capabilities = ServerCapabilities::builder()
        .enable_completions()
        .enable_prompts()
        .enable_resources()
        .enable_resources_subscribe()
        .enable_tasks()
        .enable_tools()
        .build();
    ServerConfig::new(capabilities).with_server_info(name).with_instructions(instructions(surface))
}

/// Takes out what the agreed revision does not know, and what this connection cannot have.
pub(super) fn in_revision(result: &mut InitializeResult, context: &RequestContext<RoleServer>) {
    // Tasks came with the generation that has no handshake.
    result.capabilities.extensions = None;
    let revision = Revision::of_version(&result.protocol_version);
    if !revision.has_structured() {
        result.server_info.title = None;
    }
    result.server_info.icons = icons(revision);
    if !revision.has_annotations() {
        result.capabilities.completions = None;
    }
    if let Some(resources) = result.capabilities.resources.as_mut().filter(|_| !has_connection(context)) {
        resources.subscribe = None;
    }
}
