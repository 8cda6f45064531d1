//! Objects that a session came from or made: merge requests, work items, notes, pipelines.

use jiff::Timestamp;

/// What a link leads to.
#[derive(Clone, Debug)]
pub enum LinkTarget {
    /// A merge request, by its number.
    MergeRequest(i64),
    /// A work item.
    WorkItem {
        /// Number, unique over all projects.
        id: i64,
        /// Number within the project.
        iid: i64,
        /// Project it is in.
        project: i64,
        /// Title.
        title: String,
    },
    /// A comment.
    Note {
        /// Number.
        id: i64,
        /// Text.
        body: String,
        /// Address of the object with the anchor of the comment.
        url: String,
    },
    /// A pipeline, by its number.
    Pipeline(i64),
}

impl LinkTarget {
    /// The connection of a session that lists such links.
    pub fn connection(&self) -> &'static str {
        match self {
            Self::MergeRequest(_) => "mergeRequestLinks",
            Self::WorkItem { .. } => "workItemLinks",
            Self::Note { .. } => "noteLinks",
            Self::Pipeline(_) => "pipelineLinks",
        }
    }
}

/// One link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Number of the link; cursors are made of it.
    pub id: i64,
    /// `CREATED`, `SOURCE` or `TRIGGERED`.
    pub kind: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Where it leads.
    pub target: LinkTarget,
    /// True when the viewer may not see the object: it comes as null.
    pub hidden: bool,
}

impl Link {
    /// A visible link.
    pub fn new(id: i64, kind: &str, created_at: Timestamp, target: LinkTarget) -> Self {
        Self { id, kind: kind.to_owned(), created_at, target, hidden: false }
    }
}
