//! Pipelines and merge requests.

use serde_json::{Map, Value};

/// A CI pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Number of the pipeline, unique over all projects.
    pub id: i64,
    /// Number within the project.
    pub iid: i64,
    /// Project it runs in.
    pub project: i64,
    /// Branch, tag, or `refs/merge-requests/<iid>/head`.
    pub git_ref: String,
    /// Commit.
    pub sha: String,
    /// `created`, `pending`, `running`, `success`, `failed`, `canceled`, `skipped`, `manual` …
    pub status: String,
    /// `push`, `merge_request_event`, `duo_workflow` …
    pub source: String,
    /// Whether the ref is a tag.
    pub tag: bool,
    /// Number of the user who started it.
    pub user: i64,
    /// Merge request it belongs to, by number within the target project.
    pub merge_request: Option<i64>,
    /// Fields laid over what REST would answer.
    pub rest: Map<String, Value>,
}

impl Pipeline {
    /// A failed push pipeline of that ref.
    pub fn new(id: i64, project: i64, git_ref: &str) -> Self {
        Self {
            id,
            iid: id % 50_000,
            project,
            git_ref: git_ref.to_owned(),
            sha: "9f1c2d3e4a5b6c7d8e9f0a1b2c3d4e5f60718293".to_owned(),
            status: "failed".to_owned(),
            source: "push".to_owned(),
            tag: false,
            user: 88,
            merge_request: None,
            rest: Map::new(),
        }
    }

    /// Whether GitLab counts it as completed.
    pub fn complete(&self) -> bool {
        matches!(self.status.as_str(), "success" | "failed" | "canceled" | "skipped")
    }
}

/// A merge request.
#[derive(Clone, Debug)]
pub struct MergeRequest {
    /// Number, unique over all projects.
    pub id: i64,
    /// Number within the target project.
    pub iid: i64,
    /// Target project.
    pub project: i64,
    /// Project the branch is in; another one for forks.
    pub source_project: i64,
    /// Title.
    pub title: String,
    /// `opened`, `closed`, `merged` or `locked`.
    pub state: String,
    /// Branch with the changes.
    pub source_branch: String,
    /// Branch they go to.
    pub target_branch: String,
    /// Number of the author.
    pub author: i64,
    /// Pipelines, newest first.
    pub pipelines: Vec<i64>,
    /// Fields laid over what REST would answer.
    pub rest: Map<String, Value>,
}

impl MergeRequest {
    /// An open merge request of a branch of the same project into `main`.
    pub fn new(id: i64, iid: i64, project: i64, source_branch: &str) -> Self {
        Self {
            id,
            iid,
            project,
            source_project: project,
            title: "Round invoice totals".to_owned(),
            state: "opened".to_owned(),
            source_branch: source_branch.to_owned(),
            target_branch: "main".to_owned(),
            author: 88,
            pipelines: Vec::new(),
            rest: Map::new(),
        }
    }
}
