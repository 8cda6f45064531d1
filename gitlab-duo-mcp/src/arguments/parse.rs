//! Reads the arguments of a tool.

use gitlab_duo_core::model::error::DuoError;
use serde_json::{Map, Value};

use crate::arguments::call::{Call, Parsed};
use crate::arguments::door::Door;
use crate::arguments::loose::{Loose, echo};
use crate::arguments::{browse, manage, names, project};
use crate::spec::tool::{Ability, ToolSpec};

/// Reads the arguments of a tool. `fixed`: those that the name it was called by stands for.
///
/// # Errors
/// `invalid_arguments`, naming the argument and what is accepted.
pub(crate) fn parse(
    spec: &ToolSpec,
    values: &Map<String, Value>,
    fixed: &[(&str, &str)],
    door: &Door<'_>,
) -> Result<Parsed, DuoError> {
    let values = with_fixed(values, fixed)?;
    let loose = Loose::new(&values);
    let action = names::action(spec, &loose)?;
    let call = match action.ability {
        Ability::AgentsAndFlows => browse::agents_and_flows(&loose, door).map(Call::AgentsAndFlows),
        Ability::ListSessions => browse::list_sessions(&loose, door).map(Call::ListSessions),
        Ability::GetSession => browse::get_session(&loose, door),
        Ability::ReadTranscript => browse::read_transcript(&loose).map(Call::ReadTranscript),
        Ability::StartSession => manage::start_session(&loose, door, spec.surface, action),
        Ability::SendInput => manage::send_input(&loose, door).map(Call::SendInput),
        Ability::StopSession => manage::stop_session(&loose, door).map(Call::StopSession),
    }?;
    Ok(Parsed { call, same: project::named_twice(&loose, door, spec.surface)? })
}

/// The arguments with what the name stands for; another value for it is a contradiction.
fn with_fixed(values: &Map<String, Value>, fixed: &[(&str, &str)]) -> Result<Map<String, Value>, DuoError> {
    let mut all = values.clone();
    for (name, value) in fixed {
        if let Some(given) = Loose::new(values).word(name)?.filter(|given| given.trim() != *value) {
            let message = format!("`{name}` is {}: this tool's name stands for `{value}`", echo(given));
            return Err(DuoError::invalid(message));
        }
        all.insert((*name).to_owned(), Value::from(*value));
    }
    Ok(all)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
