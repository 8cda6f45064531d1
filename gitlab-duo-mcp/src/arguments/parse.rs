//! Reads the arguments of a tool.

use gitlab_duo_core::model::error::DuoError;
use serde_json::{Map, Value};

use crate::arguments::call::Call;
use crate::arguments::door::Door;
use crate::arguments::loose::Loose;
use crate::arguments::{browse, manage, names};
use crate::spec::tool::{Ability, ToolSpec};

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
        Ability::GetSession => browse::get_session(&loose, door),
        Ability::ReadTranscript => browse::read_transcript(&loose).map(Call::ReadTranscript),
        Ability::StartSession => manage::start_session(&loose, door),
        Ability::SendInput => manage::send_input(&loose, door).map(Call::SendInput),
        Ability::StopSession => manage::stop_session(&loose, door).map(Call::StopSession),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
