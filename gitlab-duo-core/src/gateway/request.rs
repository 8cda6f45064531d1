//! Requests and answers of the port.

use crate::model::catalog::{Consumer, ItemFilter};
use crate::model::ids::{ConsumerId, MergeRequestIid, ProjectId, UserId, WorkflowId};
use crate::model::page::{Cursor, PageInfo, PageSize};
use crate::model::project::ProjectPath;
use crate::model::selector::{AgentReference, FlowReference};
use crate::model::session::{Session, SessionRow};
use crate::model::status::{Status, StatusGroup};

/// Which of the caller's own sessions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionQuery {
    /// Only those of this project.
    pub project: Option<ProjectPath>,
    /// Only those of this group. Never beside `statuses`: GitLab refuses both together.
    pub status_group: Option<StatusGroup>,
    /// Only those with one of these statuses; empty for all.
    pub statuses: Vec<Status>,
    /// How many rows.
    pub first: PageSize,
    /// Where to begin.
    pub after: Option<Cursor>,
}

impl SessionQuery {
    /// The filters that are asked for.
    #[must_use]
    pub fn filters(&self) -> Vec<SessionFilter> {
        let asked = [
            (SessionFilter::Project, self.project.is_some()),
            (SessionFilter::StatusGroup, self.status_group.is_some()),
            (SessionFilter::Statuses, !self.statuses.is_empty()),
        ];
        asked.into_iter().filter(|(_, is_asked_for)| *is_asked_for).map(|(filter, _)| filter).collect()
    }
}

/// A filter of [`SessionQuery`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionFilter {
    /// `project`.
    Project,
    /// `status_group`.
    StatusGroup,
    /// `statuses`.
    Statuses,
}

impl SessionFilter {
    /// The name in arguments and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project_id",
            Self::StatusGroup => "status_group",
            Self::Statuses => "statuses",
        }
    }
}

/// A page of sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPage {
    /// The rows, newest first, null rows left out.
    pub rows: Vec<SessionRow>,
    /// Where the list goes on.
    pub page_info: PageInfo,
    /// Filters that were asked for and that the instance does not know: the rows still hold what
    /// they would have left out.
    pub not_filtered: Vec<SessionFilter>,
}

/// What became of looking for a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// It is there.
    Found(Box<Session>),
    /// It is not there, or this caller may not see it.
    Absent,
    /// The instance has no look-up by id, and the session is not among the caller's newest `rows` sessions.
    GaveUp {
        /// Rows looked at.
        rows: u32,
    },
}

/// Which part of a project's catalog to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogQuery {
    /// The project.
    pub project: ProjectId,
    /// Only items of this type.
    pub item_type: Option<ItemFilter>,
    /// Only the consumer of this foundational flow. An instance that cannot filter by it gives all rows.
    pub flow: Option<FlowReference>,
    /// How many rows.
    pub first: PageSize,
    /// Where to begin.
    pub after: Option<Cursor>,
}

/// A page of consumers, disabled ones included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogPage {
    /// The rows, null rows left out.
    pub rows: Vec<Consumer>,
    /// Where the list goes on.
    pub page_info: PageInfo,
}

/// A pipeline, as far as a start needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The project it ran in.
    pub project: Option<ProjectId>,
    /// Its `ref`: a branch, a tag, or `refs/merge-requests/<iid>/head`.
    pub git_ref: Option<String>,
    /// Whether it ran for a tag.
    pub tag: Option<bool>,
    /// What started it, as in `push`.
    pub source: Option<String>,
}

/// A merge request, as far as a start needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeRequest {
    /// Its number.
    pub iid: MergeRequestIid,
    /// Its state; `opened` while its branch is to be expected.
    pub state: Option<String>,
    /// The branch it comes from.
    pub source_branch: Option<String>,
    /// The project of that branch; another one for a fork.
    pub source_project: Option<ProjectId>,
    /// Its page.
    pub web_url: Option<String>,
    /// Its author.
    pub author: Option<UserId>,
}

/// A start, resolved: exactly what is sent beside `start_workflow: true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartRequest {
    /// The project, by number: a renamed project's old path would be refused.
    pub project: ProjectId,
    /// What to run.
    pub run: Run,
    /// What it shall do.
    pub goal: String,
    /// Branch and context of a URL-targeted flow, below 19.5.
    pub target: Option<StartTarget>,
}

/// What a start runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A consumer of this very project.
    Consumer(ConsumerId),
    /// A foundational agent, in the environment `ambient`.
    Agent(AgentReference),
}

/// What a URL-targeted flow works on, for instances that do not find it themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartTarget {
    /// The branch to start from. Without it GitLab would silently take the default branch.
    pub source_branch: String,
    /// The merge request it belongs to.
    pub merge_request: Option<TargetMergeRequest>,
    /// The pipeline's `source`; none for a flow that works on the merge request itself.
    pub pipeline_source: Option<String>,
    /// Whether the merge request is the goal, to be sent as `merge_request_id`.
    pub is_review: bool,
}

/// The version of the form that the contents of `additional_context` have (18.9, 19.3).
pub const CONTEXT_VERSION: &str = "1.0.0";

/// An entry of a start's `additional_context`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextEntry {
    /// `merge_request` or `pipeline`.
    pub category: &'static str,
    /// Text that holds JSON.
    pub content: String,
}

impl StartTarget {
    /// The context as GitLab's own user interface sends it (18.9, 19.3): the merge request, then the
    /// pipeline. A review needs none.
    #[must_use]
    pub fn additional_context(&self) -> Vec<ContextEntry> {
        let merge_request = self.merge_request.as_ref().filter(|_| !self.is_review).map(|merge_request| {
            let mut content = serde_json::Map::new();
            content.insert("url".to_owned(), merge_request.url.clone().into());
            // Left out rather than null when it is not known.
            content.extend(
                merge_request.author.map(|author| ("author_id".to_owned(), author.to_string().into())),
            );
            let content = serde_json::Value::Object(content);
            ContextEntry { category: "merge_request", content: content.to_string() }
        });
        let pipeline = self.pipeline_source.as_ref().map(|source| {
            let content = serde_json::json!({"source_branch": self.source_branch, "source": source});
            ContextEntry { category: "pipeline", content: content.to_string() }
        });
        merge_request.into_iter().chain(pipeline).collect()
    }
}

/// The merge request in a start's context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetMergeRequest {
    /// Its number.
    pub iid: MergeRequestIid,
    /// Its page.
    pub url: String,
    /// Its author.
    pub author: Option<UserId>,
}

/// A session that GitLab accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its id.
    pub id: WorkflowId,
    /// Its status; after an answer still the old one.
    pub status: Option<Status>,
    /// The `workflow_definition`.
    pub flow: Option<String>,
    /// GitLab's own message, as of a missing runner.
    pub message: Option<String>,
    /// The CI workload of this leg: a number, or text where GitLab sends it so.
    pub workload: Option<String>,
}

/// A person's answer to a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HumanInput {
    /// Yes, go on. GitLab takes no message with it.
    Approve,
    /// No, or the answer to a question: the session goes on with it.
    Reply(Option<String>),
}
