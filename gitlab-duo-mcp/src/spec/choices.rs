//! The values that arguments with a few names accept.

use gitlab_duo_core::model::catalog::ItemFilter;
use gitlab_duo_core::model::status::{STATUS_GROUPS, Status};

pub(crate) fn item_types() -> Vec<&'static str> {
    ItemFilter::NAMES.to_vec()
}

pub(crate) fn status_groups() -> Vec<&'static str> {
    STATUS_GROUPS.to_vec()
}

pub(crate) fn statuses() -> Vec<&'static str> {
    Status::known().iter().map(|(name, _)| *name).collect()
}
