//! Runs a call: core's action, and its view told twice, as JSON and as text.

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
use gitlab_duo_core::model::scope::Scope;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::call::Call;
use crate::text;

/// The result of a call, before MCP's form.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) structured: Value,
    pub(crate) text: String,
}

/// Runs `call`.
///
/// # Errors
/// Those of core's action.
pub(crate) async fn run(
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
            answer(start_session(writer, scope, request).await?, text::outcome::started)
        }
        Call::SendInput(request) => {
            answer(send_input(writer, scope, request).await?, text::outcome::answered)
        }
        Call::StopSession(request) => {
            answer(stop_session(writer, scope, request).await?, text::outcome::stopped)
        }
    }
}

fn answer<V: Serialize>(view: V, tell: impl FnOnce(&V) -> String) -> Result<Answer, DuoError> {
    let structured = serde_json::to_value(&view)
        .map_err(|_| DuoError::new(ErrorKind::Server, "this program could not write its result"))?;
    Ok(Answer { structured, text: tell(&view) })
}
