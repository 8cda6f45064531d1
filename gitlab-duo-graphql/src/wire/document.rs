//! The documents of an operation, and which of them an instance understands.

use gitlab_duo_core::model::page::Unavailable;
use gitlab_duo_core::rules::version::Release;

/// An operation with a document per generation of GitLab.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Its name, as in `schema/operations/`.
    pub(crate) name: &'static str,
    /// Every detail that the newest document brings.
    pub(crate) details: &'static [Detail],
    /// Oldest first, never empty.
    pub(crate) documents: &'static [Document],
}

/// What is sent to instances from `since` on.
#[derive(Debug)]
pub(crate) struct Document {
    /// The first release that understands it.
    pub(crate) since: Release,
    /// The text.
    pub(crate) text: &'static str,
    /// Details that newer documents bring.
    pub(crate) missing: &'static [Detail],
    /// Variables that newer documents take.
    pub(crate) unknown_arguments: &'static [Argument],
}

/// A detail, by its name in results.
#[derive(Debug)]
pub(crate) struct Detail {
    pub(crate) name: &'static str,
    pub(crate) since: Release,
}

impl Detail {
    pub(crate) const fn new(name: &'static str, since: Release) -> Self {
        Self { name, since }
    }

    pub(crate) fn unavailable(&self) -> Unavailable {
        Unavailable { detail: self.name.to_owned(), since: self.since }
    }
}

/// A variable.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) variable: &'static str,
    pub(crate) since: Release,
}

impl Argument {
    pub(crate) const fn new(variable: &'static str, since: Release) -> Self {
        Self { variable, since }
    }
}

impl Operation {
    /// The place of the newest document that `release` understands; none when it cannot answer the operation at all.
    pub(crate) fn index_for(&self, release: Release) -> Option<usize> {
        self.documents.iter().rposition(|document| document.since <= release)
    }

    /// The first release that can answer it.
    pub(crate) fn since(&self) -> Option<Release> {
        self.documents.first().map(|document| document.since)
    }
}

impl Document {
    /// Whether a variable may be given.
    pub(crate) fn takes(&self, variable: &str) -> bool {
        !self.unknown_arguments.iter().any(|argument| argument.variable == variable)
    }

    /// The missing details, as the port reports them.
    pub(crate) fn unavailable(&self) -> Vec<Unavailable> {
        self.missing.iter().map(Detail::unavailable).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{get_session, list_sessions};

    #[test]
    fn a_release_between_two_takes_the_older_document() {
        let since = |release| {
            let operation = &list_sessions::OPERATION;
            operation.index_for(release).map(|index| operation.documents[index].since)
        };
        let rows = [
            (Release::new(16, 11), None),
            (Release::new(17, 3), Some(Release::new(17, 3))),
            (Release::new(18, 4), Some(Release::new(17, 3))),
            (Release::new(18, 6), Some(Release::new(18, 5))),
            (Release::new(19, 4), Some(Release::new(19, 3))),
            (Release::new(20, 1), Some(Release::new(19, 5))),
        ];
        for (release, expected) in rows {
            assert_eq!(since(release), expected, "{release}");
        }
        assert_eq!(get_session::OPERATION.index_for(Release::new(18, 4)), None);
        assert_eq!(get_session::OPERATION.since(), Some(Release::new(18, 5)));
    }

    #[test]
    fn an_argument_is_known_from_its_release_on() {
        let takes = |release, variable| {
            let operation = &list_sessions::OPERATION;
            operation.documents[operation.index_for(release).unwrap()].takes(variable)
        };
        assert!(!takes(Release::new(17, 3), "projectPath"));
        assert!(takes(Release::new(18, 5), "projectPath"));
        assert!(!takes(Release::new(19, 4), "statuses"));
        assert!(takes(Release::new(19, 5), "statuses"));
    }
}
