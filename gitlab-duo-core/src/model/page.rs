//! Pages of a list, and what an instance cannot tell.

use std::fmt;

use crate::rules::gates::Feature;
use crate::rules::limits::{PAGE_ROWS, PAGE_ROWS_MAX};
use crate::rules::version::Release;

/// A place in a list, exactly as GitLab gave it. Opaque: never built, altered or carried to another list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    /// Takes a cursor as it was received.
    #[must_use]
    pub fn received(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The cursor as it was received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether and where a list goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageInfo {
    /// Whether more rows follow; none when GitLab did not say.
    pub has_next_page: Option<bool>,
    /// Where the next page begins.
    pub end_cursor: Option<Cursor>,
}

/// How many rows a page shall have: 1 to 100, 20 when nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u32);

impl Default for PageSize {
    fn default() -> Self {
        Self(PAGE_ROWS)
    }
}

impl PageSize {
    /// A page of `rows` rows; none outside 1 to 100, since GitLab would silently give fewer.
    #[must_use]
    pub fn new(rows: u32) -> Option<Self> {
        (1..=PAGE_ROWS_MAX).contains(&rows).then_some(Self(rows))
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(self) -> u32 {
        self.0
    }
}

/// A detail that this instance cannot give.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unavailable {
    /// The detail, by its name in results.
    pub detail: String,
    /// The first release known to have it.
    pub since: Release,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (since {})", self.detail, self.since)
    }
}

/// An answer beside what the instance could not put into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What was answered.
    pub value: T,
    /// Details that this instance does not have.
    pub unavailable: Vec<Unavailable>,
}

impl<T> Answer<T> {
    /// An answer that lacks nothing.
    #[must_use]
    pub fn complete(value: T) -> Self {
        Self { value, unavailable: Vec::new() }
    }

    /// The same answer with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { value: change(self.value), unavailable: self.unavailable }
    }
}

/// A feature of [`Feature`] as an unavailable detail, for abilities that a version lacks altogether.
#[must_use]
pub fn unavailable_feature(detail: &str, feature: Feature) -> Unavailable {
    Unavailable { detail: detail.to_owned(), since: feature.gate().since }
}
