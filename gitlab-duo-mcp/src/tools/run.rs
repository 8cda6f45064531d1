//! Runs a call: core's action, and its view told twice, as JSON and as text.

use futures_util::future::try_join;
use gitlab_duo_core::actions::agents_and_flows::agents_and_flows;
use gitlab_duo_core::actions::get_session::get_session;
use gitlab_duo_core::actions::list_sessions::list_sessions;
use gitlab_duo_core::actions::read_transcript::read_transcript;
use gitlab_duo_core::actions::send_input::send_input;
use gitlab_duo_core::actions::start_session::{plan_start, start_session};
use gitlab_duo_core::actions::stop_session::stop_session;
use gitlab_duo_core::actions::wait_session::{Patience, wait_session};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::AgentReference;
use gitlab_duo_core::view::list::SessionListView;
use gitlab_duo_core::view::outcome::OutcomeView;
use gitlab_duo_core::view::session::SessionView;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::call::{Call, Parsed};
use crate::spec::surface::Surface;
use crate::text;
use crate::tools::form;

/// The result of a call, before MCP's form.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) structured: Value,
    pub(crate) text: String,
    /// The session that was started, which a client may follow as a task.
    pub(crate) started: Option<Started>,
}

/// A session that was started just now.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) workflow_id: String,
    pub(crate) poll_after_seconds: Option<u32>,
}

impl Started {
    pub(crate) fn of(view: &OutcomeView) -> Option<Self> {
        let OutcomeView { workflow_id, poll_after_seconds, .. } = view;
        Some(Self { workflow_id: workflow_id.clone(), poll_after_seconds: *poll_after_seconds })
    }
}

/// Runs `call`.
///
/// # Errors
/// Those of core's action.
pub(crate) async fn run(
    parsed: Parsed,
    surface: Surface,
    writer: &dyn DuoWriter,
    scope: &Scope,
    patience: &dyn Patience,
) -> Result<Answer, DuoError> {
    check_same(&parsed, writer).await?;
    match surface {
        Surface::Compact => plainly(parsed.call, writer, scope, patience).await,
        Surface::GitLab => as_gitlab(parsed.call, writer, scope, patience).await,
    }
}

/// Refuses a call whose two names of a project are not of one.
///
/// # Errors
/// `invalid_arguments`, and those of the look-ups.
pub(crate) async fn check_same(parsed: &Parsed, reader: &dyn DuoReader) -> Result<(), DuoError> {
    match &parsed.same {
        Some((by_id, by_url)) => refuse_different(reader, by_id, by_url).await,
        None => Ok(()),
    }
}

/// The views in the form that GitLab's own server gives them, with everything else beside.
async fn as_gitlab(
    call: Call,
    writer: &dyn DuoWriter,
    scope: &Scope,
    patience: &dyn Patience,
) -> Result<Answer, DuoError> {
    let form = form::of(&call);
    let mut answer = match call {
        Call::ListSessions(request) => without_chats(list_sessions(writer, scope, request).await?)?,
        call => plainly(call, writer, scope, patience).await?,
    };
    form(&mut answer.structured);
    Ok(answer)
}

/// GitLab's own list leaves interactive chats out; how many is said.
fn without_chats(mut view: SessionListView) -> Result<Answer, DuoError> {
    let all = view.sessions.len();
    view.sessions.retain(|row| !row.flow.value().is_some_and(is_chat));
    let hidden = all - view.sessions.len();
    if hidden > 0 {
        view.hints.push(format!("{hidden} interactive chats of this page are left out"));
    }
    let mut answer = answer(view, text::list::tell)?;
    if let (Value::Object(fields), true) = (&mut answer.structured, hidden > 0) {
        fields.insert("hidden_chat_sessions".to_owned(), Value::from(hidden));
    }
    Ok(answer)
}

fn is_chat(definition: &str) -> bool {
    AgentReference::new(definition).is_some_and(|reference| reference.is_chat())
}

/// Refuses two names that are not of one project: either may be an old path or a number.
async fn refuse_different(
    reader: &dyn DuoReader,
    by_id: &ProjectRef,
    by_url: &ProjectRef,
) -> Result<(), DuoError> {
    let (left, right) = try_join(reader.project(by_id), reader.project(by_url)).await?;
    if left.zip(right).is_some_and(|(left, right)| left.id == right.id) {
        return Ok(());
    }
    Err(DuoError::invalid("`project_id` and `url` do not name the same project")
        .with_next_step("give one of them"))
}

async fn plainly(
    call: Call,
    writer: &dyn DuoWriter,
    scope: &Scope,
    patience: &dyn Patience,
) -> Result<Answer, DuoError> {
    let reader: &dyn DuoReader = writer;
    match call {
        Call::AgentsAndFlows(request) => {
            answer(agents_and_flows(reader, scope, request).await?, text::catalog::tell)
        }
        Call::ListSessions(request) => answer(list_sessions(reader, scope, request).await?, text::list::tell),
        Call::GetSession(request) => answer(get_session(reader, scope, request).await?, text::session::tell),
        Call::WaitSession(request) => {
            answer(wait_session(reader, scope, request, patience).await?, text::session::tell)
        }
        Call::ReadTranscript(request) => {
            answer(read_transcript(reader, scope, request).await?, text::transcript::tell)
        }
        Call::PlanStart(request) => answer(plan_start(reader, scope, request).await?, text::outcome::planned),
        Call::StartSession(request) => {
            let view = start_session(writer, scope, request).await?;
            let started = Started::of(&view);
            Ok(Answer { started, ..answer(view, text::outcome::started)? })
        }
        Call::SendInput(request) => {
            answer(send_input(writer, scope, request).await?, text::outcome::answered)
        }
        Call::StopSession(request) => {
            answer(stop_session(writer, scope, request).await?, text::outcome::stopped)
        }
    }
}

/// A session in the form of a surface, as [`run`] gives it.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn session_answer(view: &SessionView, surface: Surface) -> Result<Answer, DuoError> {
    let mut answer = answer(view, |view| text::session::tell(view))?;
    form::of_session(surface)(&mut answer.structured);
    Ok(answer)
}

pub(super) fn answer<V: Serialize>(view: V, tell: impl FnOnce(&V) -> String) -> Result<Answer, DuoError> {
    let structured = serde_json::to_value(&view)
        .map_err(|_| DuoError::new(ErrorKind::Server, "this program could not write its result"))?;
    Ok(Answer { structured, text: tell(&view), started: None })
}
