//! A call: which ability of core is meant, with a request that cannot be wrong.

use gitlab_duo_core::actions::agents_and_flows::AgentsAndFlows;
use gitlab_duo_core::actions::get_session::GetSession;
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::send_input::SendInput;
use gitlab_duo_core::actions::start_session::StartSession;
use gitlab_duo_core::actions::stop_session::StopSession;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::scope::Scope;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::arguments::loose::Loose;
use crate::arguments::{browse, manage, names};
use crate::tools::spec::{Ability, ToolSpec};

/// A request of core, ready to be run.
#[derive(Debug)]
pub(crate) enum Call {
    AgentsAndFlows(AgentsAndFlows),
    ListSessions(ListSessions),
    GetSession(GetSession),
    StartSession(StartSession),
    PlanStart(StartSession),
    SendInput(SendInput),
    StopSession(StopSession),
}

/// What the arguments are read against.
pub(crate) struct Door<'a> {
    pub(crate) instance: &'a InstanceUrl,
    pub(crate) scope: &'a Scope,
    pub(crate) now: Timestamp,
}

/// Reads the arguments of a tool.
///
/// # Errors
/// `invalid_arguments`, naming the argument and what is accepted.
pub(crate) fn parse(spec: &ToolSpec, values: &Map<String, Value>, door: &Door<'_>) -> Result<Call, DuoError> {
    let loose = Loose::new(values);
    let action = names::action(spec, &loose)?;
    match action.ability {
        Ability::AgentsAndFlows => browse::agents_and_flows(&loose, door).map(Call::AgentsAndFlows),
        Ability::ListSessions => browse::list_sessions(&loose, door).map(Call::ListSessions),
        Ability::GetSession => browse::get_session(&loose, door).map(Call::GetSession),
        Ability::StartSession => manage::start_session(&loose, door),
        Ability::SendInput => manage::send_input(&loose, door).map(Call::SendInput),
        Ability::StopSession => manage::stop_session(&loose, door).map(Call::StopSession),
    }
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
