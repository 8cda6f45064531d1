//! From reductions to what the product keeps: documents, missing details and unknown arguments, with "since".

use std::collections::BTreeSet;

use gitlab_duo_core::rules::version::Release;

use super::operation::{Detail, Operation, Path};
use super::reduce::Reduction;
use super::sources::VersionedSchema;

/// Something that exists from a version on: a detail of a result, or a variable.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Since {
    pub(crate) name: String,
    pub(crate) since: Release,
}

/// One document, valid from `since` up to the next one.
pub(crate) struct PlannedDocument {
    pub(crate) since: Release,
    pub(crate) text: String,
    pub(crate) missing: Vec<Since>,
    pub(crate) unknown_arguments: Vec<Since>,
}

/// All that is written about one operation.
pub(crate) struct Plan {
    /// Oldest first.
    pub(crate) documents: Vec<PlannedDocument>,
    /// Every detail that the newest document brings.
    pub(crate) details: Vec<Since>,
}

impl Plan {
    /// `reductions` stand in the order of `schemas`, oldest first.
    pub(crate) fn new(operation: &Operation, schemas: &[VersionedSchema], reductions: &[Reduction]) -> Self {
        let versions = schemas.iter().map(|schema| schema.version);
        let history = History { operation, rows: versions.zip(reductions).collect() };
        let mut documents: Vec<PlannedDocument> = Vec::new();
        for (since, reduction) in &history.rows {
            let Some(text) = reduction.text.clone() else { continue };
            if documents.last().is_some_and(|last| last.text == text) {
                continue;
            }
            let missing = history.missing(reduction);
            let unknown_arguments = history.unknown_arguments(reduction);
            documents.push(PlannedDocument { since: *since, text, missing, unknown_arguments });
        }
        Self { documents, details: history.details() }
    }
}

struct History<'a> {
    operation: &'a Operation,
    rows: Vec<(Release, &'a Reduction)>,
}

impl History<'_> {
    fn since(&self, path: &Path) -> Option<Release> {
        self.rows.iter().find(|(_, reduction)| reduction.kept.contains(path)).map(|(version, _)| *version)
    }

    /// The topmost removed fields, and what a comment names below them.
    fn missing(&self, reduction: &Reduction) -> Vec<Since> {
        let mut missing = Vec::new();
        for (path, detail) in &self.operation.details {
            let is_topmost = reduction.removed.contains(path);
            let is_below = reduction.removed.iter().any(|removed| path.starts_with(removed));
            let names = match detail {
                Detail::Own(name) if is_topmost => vec![name.clone()],
                Detail::Named(names) if is_below => names.clone(),
                _ => continue,
            };
            self.add(&mut missing, names, path);
        }
        missing
    }

    /// The same for the newest document as a whole, below the rows of its lists.
    fn details(&self) -> Vec<Since> {
        let mut details = Vec::new();
        let mut closed: BTreeSet<&Path> = BTreeSet::new();
        for (path, detail) in &self.operation.details {
            let is_below = closed.iter().any(|above| path.len() > above.len() && path.starts_with(above));
            let names = match detail {
                _ if self.is_structure(path) => continue,
                Detail::Own(name) if !is_below => vec![name.clone()],
                Detail::Named(names) => names.clone(),
                _ => Vec::new(),
            };
            closed.insert(path);
            self.add(&mut details, names, path);
        }
        details
    }

    fn add(&self, list: &mut Vec<Since>, names: Vec<String>, path: &Path) {
        let Some(since) = self.since(path) else { return };
        for name in names {
            if !list.iter().any(|known| known.name == name) {
                list.push(Since { name, since });
            }
        }
    }

    fn unknown_arguments(&self, reduction: &Reduction) -> Vec<Since> {
        let knows = |reduction: &Reduction, name: &String| {
            reduction.text.is_some() && !reduction.unknown_variables.contains(name)
        };
        let since =
            |name: &String| self.rows.iter().find(|(_, row)| knows(row, name)).map(|(version, _)| *version);
        let unknown = reduction.unknown_variables.iter();
        unknown.filter_map(|name| Some(Since { name: name.clone(), since: since(name)? })).collect()
    }

    /// A root field with its rows, and the rows themselves, carry details and are none.
    fn is_structure(&self, path: &Path) -> bool {
        match path.as_slice() {
            [_] => self.operation.details.iter().any(|(other, _)| other.len() > 1 && other.starts_with(path)),
            [_, below] => below == "nodes" || below == "pageInfo",
            [_, page_info, _] => page_info == "pageInfo",
            _ => false,
        }
    }
}
