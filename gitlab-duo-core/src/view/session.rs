//! A session as a caller sees it.

use jiff::Timestamp;
use serde::Serialize;

use crate::model::checkpoint::{Checkpoint, agent_began, failure_reason, latest_answer};
use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::page::Unavailable;
use crate::model::project::ProjectLink;
use crate::model::session::{Session, SessionRow};
use crate::model::status::{Status, StatusGroup};
use crate::rules::limits::{
    ANSWER_CHARS, FAILURE_CHARS, GOAL_PREVIEW_CHARS, JOB_LOGS, LINK_CHARS, SLOW_START_MINUTES, SUMMARY_CHARS,
    TITLE_CHARS,
};
use crate::view::checkpoint::PendingInputView;
use crate::view::created::CreatedView;
use crate::view::page::{UnavailableView, unavailable};
use crate::view::text::{Pen, TextField, is_zero};

/// A session with its details. Null means: not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionView {
    #[serde(skip)]
    id: WorkflowId,
    /// The session.
    pub workflow_id: String,
    /// GitLab's lower-case name; an unknown status as it came.
    #[serde(flatten)]
    pub status: TextField,
    /// The group of the status.
    #[serde(flatten)]
    pub status_group: TextField,
    /// Whether it has ended.
    pub terminal: Option<bool>,
    /// Seconds until the next look is worth it.
    pub poll_after_seconds: Option<u32>,
    /// Its title.
    #[serde(flatten)]
    pub title: TextField,
    /// What it shall do, a preview.
    #[serde(flatten)]
    pub goal: TextField,
    /// The flow or agent reference; `ai_catalog_agent` for a custom flow.
    #[serde(flatten)]
    pub flow: TextField,
    /// The name of the flow or agent.
    #[serde(flatten)]
    pub agent: TextField,
    /// The full path of its project.
    pub project: Option<String>,
    /// The id of its project.
    pub project_id: Option<String>,
    /// Its page.
    #[serde(flatten)]
    pub web_url: TextField,
    /// When it was created.
    pub created_at: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// While `created`: seconds since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_for_seconds: Option<i64>,
    /// What waits for a person; null when nothing does.
    pub pending_input: Option<PendingInputView>,
    /// The latest answer of the agent.
    #[serde(flatten)]
    pub answer: TextField,
    /// What it did.
    #[serde(flatten)]
    pub summary: TextField,
    /// What it created.
    pub created: CreatedView,
    /// Pages of its CI jobs, newest first.
    pub job_logs: Vec<String>,
    /// Why it failed, for a failed session.
    #[serde(flatten)]
    pub failure_reason: TextField,
    /// Whether the agent ever ran.
    pub agent_began: Option<bool>,
    /// What this program has to say, never derived from foreign text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Details that this instance does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<UnavailableView>,
    /// Invisible characters taken out of the texts above.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

impl SessionView {
    /// The session, as the methods of a client take it.
    #[must_use]
    pub fn id(&self) -> WorkflowId {
        self.id
    }

    /// The status as a type; none when GitLab did not say.
    #[must_use]
    pub fn typed_status(&self) -> Option<Status> {
        self.status.value().map(Status::read)
    }

    /// Whether it waits for a person, and GitLab takes an answer now; none when GitLab did not say.
    #[must_use]
    pub fn can_be_answered(&self) -> Option<bool> {
        self.pending_input.as_ref().map_or(Some(false), |pending| pending.can_send)
    }

    /// The bounded view of `session` at the time `now`.
    #[must_use]
    pub fn of(session: &Session, instance: &Instance, missing: Vec<Unavailable>, now: Timestamp) -> Self {
        let mut pen = Pen::default();
        let row = &session.row;
        let checkpoint = Checkpoint::of(session, &instance.support);
        let history = session.history.as_ref();
        let messages = history.and_then(|history| history.messages.as_deref());
        let is_failed = row.status == Some(Status::Failed);
        let failure = history.filter(|_| is_failed).and_then(failure_reason);
        let failure_reason = pen.text("failure_reason", failure.as_deref(), FAILURE_CHARS);
        Self {
            id: row.id,
            workflow_id: row.id.to_string(),
            status: pen.text("status", row.status.as_ref().map(Status::name), TITLE_CHARS),
            status_group: pen.text("status_group", row.group().as_ref().map(StatusGroup::name), TITLE_CHARS),
            terminal: row.status.as_ref().and_then(Status::is_terminal),
            poll_after_seconds: row.status.as_ref().and_then(Status::poll_after_seconds),
            title: pen.text("title", row.title.as_deref(), TITLE_CHARS),
            goal: pen.text("goal", row.goal.as_deref(), GOAL_PREVIEW_CHARS),
            flow: pen.text("flow", row.flow.as_deref(), TITLE_CHARS),
            agent: pen.text("agent", row.agent_name.as_deref(), TITLE_CHARS),
            project: row.project.path.as_ref().map(ToString::to_string),
            project_id: row.project.id.map(|id| id.to_string()),
            web_url: pen.text("web_url", session_url(row, instance).as_deref(), LINK_CHARS),
            created_at: row.created_at.map(|time| time.to_string()),
            updated_at: row.updated_at.map(|time| time.to_string()),
            created_for_seconds: created_for_seconds(row, now),
            pending_input: checkpoint.as_ref().map(|checkpoint| PendingInputView::of(checkpoint, &mut pen)),
            answer: pen.text("answer", messages.and_then(latest_answer), ANSWER_CHARS),
            summary: pen.text("summary", session.summary.as_deref(), SUMMARY_CHARS),
            created: CreatedView::of(&session.created, &mut pen),
            job_logs: job_logs(session, &mut pen),
            failure_reason: if is_failed { failure_reason } else { failure_reason.or_left_out() },
            agent_began: agent_began(session),
            hints: hints(session, instance, now),
            unavailable: unavailable(missing),
            removed_characters: pen.removed(),
        }
    }
}

/// The session's page: GitLab's word, or built from its project's page. A session of a group has none.
#[must_use]
pub fn session_url(row: &SessionRow, instance: &Instance) -> Option<String> {
    row.web_url.clone().or_else(|| {
        let project = project_url(&row.project, instance)?;
        Some(format!("{project}/-/automate/agent-sessions/{}", row.id))
    })
}

fn project_url(project: &ProjectLink, instance: &Instance) -> Option<String> {
    let built = || project.path.as_ref().map(|path| format!("{}/{path}", instance.url));
    project.web_url.clone().or_else(built)
}

fn job_logs(session: &Session, pen: &mut Pen) -> Vec<String> {
    session.job_logs.iter().take(JOB_LOGS).map(|url| pen.clipped(url, LINK_CHARS).text).collect()
}

fn created_for_seconds(row: &SessionRow, now: Timestamp) -> Option<i64> {
    let is_waiting = row.status == Some(Status::Created);
    row.created_at.filter(|_| is_waiting).map(|created_at| now.duration_since(created_at).as_secs().max(0))
}

fn hints(session: &Session, instance: &Instance, now: Timestamp) -> Vec<String> {
    let mut hints = Vec::new();
    let row = &session.row;
    let waited = created_for_seconds(row, now).unwrap_or(0);
    if waited >= SLOW_START_MINUTES * 60 {
        hints.push(format!(
            "the CI job has not started for {} minutes; possible causes: no suitable runner, no GitLab Credits, \
             flow execution switched off; GitLab fails such a session after about 30 minutes",
            waited / 60
        ));
    }
    if row.status == Some(Status::Failed) {
        hints.push(
            "a failed session may have changed things before it failed: check `created` and the project"
                .to_owned(),
        );
    }
    if session.history.is_none() && row.status != Some(Status::Created) {
        hints.push(
            "the history is missing here, so what the agent said and did is unknown, not empty".to_owned(),
        );
    }
    hints.extend(version_hint(instance));
    hints
}

/// What is said when the version of an instance could not be read.
#[must_use]
pub fn version_hint(instance: &Instance) -> Option<String> {
    let version = instance.support.version();
    version.release().is_none().then(|| {
        format!("the version of this GitLab is {version}: it is treated as {}", instance.support.release())
    })
}
