//! How a list goes on, and what an instance could not tell.

use serde::Serialize;

use crate::model::page::{PageInfo, Unavailable};

/// How a list goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageInfoView {
    /// Whether more rows follow; null when GitLab did not say.
    pub has_next_page: Option<bool>,
    /// The cursor for `after`, exactly as GitLab gave it.
    pub end_cursor: Option<String>,
}

impl From<PageInfo> for PageInfoView {
    fn from(page_info: PageInfo) -> Self {
        let end_cursor = page_info.end_cursor.map(|cursor| cursor.as_str().to_owned());
        Self { has_next_page: page_info.has_next_page, end_cursor }
    }
}

/// A detail that this instance cannot give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnavailableView {
    /// The detail, by its name in results.
    pub detail: String,
    /// The first release known to have it.
    pub since: String,
}

/// The details as results show them: each once, in order.
#[must_use]
pub fn unavailable(mut details: Vec<Unavailable>) -> Vec<UnavailableView> {
    details.sort();
    // Sorted by release within a detail: the first one that brings anything of it counts.
    details.dedup_by(|later, earlier| later.detail == earlier.detail);
    let view =
        |missing: Unavailable| UnavailableView { detail: missing.detail, since: missing.since.to_string() };
    details.into_iter().map(view).collect()
}
