//! What the arguments of a call are read against.

use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::scope::Scope;
use jiff::Timestamp;

/// The circumstances of a call.
pub(crate) struct Door<'a> {
    pub(crate) instance: &'a InstanceUrl,
    pub(crate) scope: &'a Scope,
    pub(crate) now: Timestamp,
}
