//! A page of the caller's own sessions.

use serde::Serialize;

use crate::model::ids::WorkflowId;
use crate::model::instance::Instance;
use crate::model::selector::CUSTOM_FLOW;
use crate::model::session::SessionRow;
use crate::model::status::Status;
use crate::rules::limits::{GOAL_PREVIEW_CHARS, LINK_CHARS, TITLE_CHARS};
use crate::view::page::{PageInfoView, UnavailableView};
use crate::view::session::session_url;
use crate::view::text::{Pen, TextField, is_zero};

/// A page of the caller's own sessions, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionListView {
    /// The rows.
    pub sessions: Vec<SessionRowView>,
    /// How the list goes on, also when rows were left out.
    #[serde(rename = "pageInfo")]
    pub page_info: PageInfoView,
    /// Rows left out because their project cannot be proven to lie within the working scope.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_unverifiable_sessions: usize,
    /// Rows left out by this program's settings or the project asked for.
    #[serde(skip_serializing_if = "is_zero")]
    pub excluded_by_policy: usize,
    /// Filters that this instance does not know, applied here to this page's rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filtered_here: Vec<&'static str>,
    /// What this program has to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Details that this instance does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<UnavailableView>,
    /// Invisible characters taken out of the texts above.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_characters: usize,
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionRowView {
    #[serde(skip)]
    id: WorkflowId,
    /// The session.
    pub workflow_id: String,
    /// GitLab's lower-case name; an unknown status as it came.
    #[serde(flatten)]
    pub status: TextField,
    /// What it shall do, a preview.
    #[serde(flatten)]
    pub goal: TextField,
    /// The flow or agent reference.
    #[serde(flatten)]
    pub flow: TextField,
    /// The name of a custom flow.
    #[serde(flatten)]
    pub agent: TextField,
    /// The full path of its project; null when it has none or it is not readable.
    pub project: Option<String>,
    /// Its page.
    #[serde(flatten)]
    pub web_url: TextField,
    /// When it was created.
    pub created_at: Option<String>,
}

impl SessionRowView {
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

    /// The bounded view of a row.
    pub fn of(row: &SessionRow, instance: &Instance, pen: &mut Pen) -> Self {
        let is_custom = row.flow.as_deref() == Some(CUSTOM_FLOW);
        let agent = row.agent_name.as_deref().filter(|_| is_custom);
        Self {
            id: row.id,
            workflow_id: row.id.to_string(),
            status: pen.text("status", row.status.as_ref().map(Status::name), TITLE_CHARS),
            goal: pen.text("goal", row.goal.as_deref(), GOAL_PREVIEW_CHARS),
            flow: pen.text("flow", row.flow.as_deref(), TITLE_CHARS),
            agent: pen.text("agent", agent, TITLE_CHARS).or_left_out(),
            project: row.project.path.as_ref().map(ToString::to_string),
            web_url: pen.text("web_url", session_url(row, instance).as_deref(), LINK_CHARS),
            created_at: row.created_at.map(|time| time.to_string()),
        }
    }
}
