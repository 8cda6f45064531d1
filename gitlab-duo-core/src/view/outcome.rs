//! What became of a start, an answer or a stop.

use serde::Serialize;

use crate::gateway::request::{CONTEXT_VERSION, ContextEntry, Run, StartRequest, StartTarget};
use crate::model::ids::WorkflowId;
use crate::model::status::Status;
use crate::rules::limits::{FAILURE_CHARS, GOAL_PREVIEW_CHARS, LINK_CHARS, TITLE_CHARS};
use crate::view::text::{Pen, TextField, is_zero};

/// A session after a write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OutcomeView {
    #[serde(skip)]
    id: WorkflowId,
    /// The session.
    pub workflow_id: String,
    /// Its status; after an answer still the old one, until the CI job has begun.
    #[serde(flatten)]
    pub status: TextField,
    /// The flow or agent reference.
    #[serde(flatten)]
    pub flow: TextField,
    /// Its page.
    #[serde(flatten)]
    pub web_url: TextField,
    /// Seconds until the next look is worth it.
    pub poll_after_seconds: Option<u32>,
    /// GitLab's own words, when it sent any.
    #[serde(flatten)]
    pub message: TextField,
    /// The CI workload that runs this leg of the session, when GitLab named it.
    #[serde(flatten)]
    pub workload_id: TextField,
    /// For a stop: whether anything was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<bool>,
    /// What this program has to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Invisible characters taken out of the texts above.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

/// What became of a write that a person has decided about.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided<R> {
    /// It was sent.
    Sent(Box<OutcomeView>),
    /// Something else would be decided about now: nothing was sent, and this wants a decision of its own.
    Changed(Box<R>),
}

impl<R> Decided<R> {
    pub(crate) fn sent(outcome: OutcomeView) -> Self {
        Self::Sent(Box::new(outcome))
    }
}

/// What [`OutcomeView`] is made of.
pub(crate) struct OutcomeParts<'a> {
    pub(crate) workflow_id: WorkflowId,
    pub(crate) status: Option<&'a Status>,
    pub(crate) flow: Option<&'a str>,
    pub(crate) web_url: Option<&'a str>,
    pub(crate) poll_after_seconds: Option<u32>,
    pub(crate) message: Option<&'a str>,
    pub(crate) workload: Option<&'a str>,
    pub(crate) sent: Option<bool>,
    pub(crate) hints: Vec<String>,
}

impl OutcomeView {
    /// The session, as the methods of a client take it.
    #[must_use]
    pub fn id(&self) -> WorkflowId {
        self.id
    }

    /// The status as a type; none when GitLab did not say. After an answer it is still the old one.
    #[must_use]
    pub fn typed_status(&self) -> Option<Status> {
        self.status.value().map(Status::read)
    }

    pub(crate) fn of(parts: OutcomeParts<'_>) -> Self {
        let mut pen = Pen::default();
        Self {
            id: parts.workflow_id,
            workflow_id: parts.workflow_id.to_string(),
            status: pen.text("status", parts.status.map(Status::name), TITLE_CHARS),
            flow: pen.text("flow", parts.flow, TITLE_CHARS),
            web_url: pen.text("web_url", parts.web_url, LINK_CHARS),
            poll_after_seconds: parts.poll_after_seconds,
            message: pen.text("message", parts.message, FAILURE_CHARS).or_left_out(),
            workload_id: pen.text("workload_id", parts.workload, TITLE_CHARS).or_left_out(),
            sent: parts.sent,
            hints: parts.hints,
            removed_characters: pen.removed(),
        }
    }
}

/// What a start would send, when asked not to send it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DryRunView {
    /// Always true.
    pub dry_run: bool,
    /// The body of the request, its goal as a preview.
    pub would_start: WouldStartView,
    /// What this program has to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// The fields of GitLab's start request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WouldStartView {
    /// The project, by number.
    pub project_id: String,
    /// The consumer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_catalog_item_consumer_id: Option<u64>,
    /// The agent's reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_definition: Option<String>,
    /// Where an agent runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<&'static str>,
    /// What it shall do, a preview.
    #[serde(flatten)]
    pub goal: TextField,
    /// The branch to start from.
    #[serde(flatten)]
    pub source_branch: TextField,
    /// The merge request under review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_request_id: Option<u64>,
    /// The context of a pipeline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub additional_context: Vec<ContextEntryView>,
    /// Always true: without it GitLab would create nothing.
    pub start_workflow: bool,
}

impl DryRunView {
    pub(crate) fn of(request: &StartRequest, hints: Vec<String>) -> Self {
        let mut pen = Pen::default();
        let target = request.target.as_ref();
        let (consumer, agent) = match &request.run {
            Run::Consumer(id) => (Some(id.number()), None),
            Run::Agent(reference) => (None, Some(reference.to_string())),
        };
        let review =
            target.filter(|target| target.is_review).and_then(|target| target.merge_request.as_ref());
        let would_start = WouldStartView {
            project_id: request.project.to_string(),
            ai_catalog_item_consumer_id: consumer,
            environment: agent.as_ref().map(|_| "ambient"),
            workflow_definition: agent,
            goal: pen.text("goal", Some(&request.goal), GOAL_PREVIEW_CHARS),
            source_branch: pen
                .text("source_branch", target.map(|target| target.source_branch.as_str()), TITLE_CHARS)
                .or_left_out(),
            merge_request_id: review.map(|merge_request| merge_request.iid.number()),
            additional_context: target.map(|target| context(target, &mut pen)).unwrap_or_default(),
            start_workflow: true,
        };
        Self { dry_run: true, would_start, hints }
    }
}

/// An entry of the context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ContextEntryView {
    /// `merge_request` or `pipeline`.
    #[serde(rename = "Category")]
    pub category: &'static str,
    /// Text that holds JSON.
    #[serde(rename = "Content")]
    pub content: String,
    /// The form of the content.
    pub metadata: ContextMetadataView,
}

/// The form of an entry's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ContextMetadataView {
    /// Its version.
    pub version: &'static str,
}

fn context(target: &StartTarget, pen: &mut Pen) -> Vec<ContextEntryView> {
    let metadata = ContextMetadataView { version: CONTEXT_VERSION };
    let view = |ContextEntry { category, content }| ContextEntryView {
        category,
        content,
        metadata: metadata.clone(),
    };
    let bounded =
        |entry: ContextEntry| ContextEntry { content: pen.clipped(&entry.content, LINK_CHARS).text, ..entry };
    target.additional_context().into_iter().map(bounded).map(view).collect()
}
