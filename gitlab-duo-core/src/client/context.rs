//! What every call of a client needs.

use std::sync::Arc;

use crate::actions::wait_session::Patience;
use crate::client::project_name::ProjectName;
use crate::gateway::reader::DuoReader;
use crate::model::error::DuoError;
use crate::model::project::ProjectRef;
use crate::model::scope::Scope;

/// The way to GitLab, what may be done there, and the time. Cheap to clone.
pub(super) struct CallContext<G> {
    pub(super) gateway: Arc<G>,
    pub(super) scope: Arc<Scope>,
    pub(super) time: Arc<dyn Patience>,
}

// By hand: a derived one would want a gateway that can be cloned.
impl<G> Clone for CallContext<G> {
    fn clone(&self) -> Self {
        Self {
            gateway: Arc::clone(&self.gateway),
            scope: Arc::clone(&self.scope),
            time: Arc::clone(&self.time),
        }
    }
}

impl<G: DuoReader> CallContext<G> {
    /// The project that a caller means on this GitLab. Text is read after the settings were asked.
    pub(super) async fn project(&self, name: &ProjectName) -> Result<ProjectRef, DuoError> {
        self.scope.admit_browsing()?;
        name.on(&self.gateway.instance().await?.url)
    }
}
