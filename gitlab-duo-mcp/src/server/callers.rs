//! Where the caller of a request is found.

use rmcp::RoleServer;
use rmcp::service::RequestContext;

use crate::caller::Caller;

/// Where the caller of a request is found.
#[derive(Clone, Debug)]
pub(super) enum Callers {
    /// The same one for every request; none when there is no token.
    One(Option<Caller>),
    /// Each HTTP request brings its own, put into its extensions by the layer that read its token.
    OfRequest,
}

impl Callers {
    /// The caller of a request; none when it has no token.
    pub(super) fn of(&self, context: &RequestContext<RoleServer>) -> Option<Caller> {
        match self {
            Self::One(caller) => caller.clone(),
            Self::OfRequest => {
                let parts = context.extensions.get::<http::request::Parts>()?;
                parts.extensions.get::<Caller>().cloned()
            }
        }
    }
}
