//! Which arguments belong to which action: everything else is refused by name.

use gitlab_duo_core::model::error::DuoError;

use crate::arguments::loose::{Loose, echo, listed};
use crate::spec::table::TOOLS;
use crate::spec::tool::{ActionSpec, ToolSpec};

/// The action of a call, with all names of its arguments checked.
pub(crate) fn action(spec: &ToolSpec, loose: &Loose<'_>) -> Result<&'static ActionSpec, DuoError> {
    let action = chosen(spec, loose)?;
    for name in loose.names() {
        check(spec, action, loose, name)?;
    }
    Ok(action)
}

fn chosen(spec: &ToolSpec, loose: &Loose<'_>) -> Result<&'static ActionSpec, DuoError> {
    if let [only] = spec.actions {
        return Ok(only);
    }
    let Some(wanted) = loose.text("action")? else {
        let message = format!("`action` is missing: it is one of {}", listed(&spec.action_names()));
        return Err(DuoError::invalid(message));
    };
    let wanted = wanted.trim().to_ascii_lowercase();
    spec.actions.iter().find(|action| action.name == wanted).ok_or_else(|| no_such_action(spec, &wanted))
}

fn no_such_action(spec: &ToolSpec, wanted: &str) -> DuoError {
    let message =
        format!("{} is no action of `{}`: it has {}", echo(wanted), spec.name, listed(&spec.action_names()));
    let is_other = |other: &&&ToolSpec| {
        other.surface == spec.surface
            && other.name != spec.name
            && other.actions.iter().any(|action| action.name == wanted)
    };
    let refusal = DuoError::invalid(message);
    match TOOLS.iter().find(is_other) {
        Some(other) => {
            refusal.with_next_step(format!("call `{}` with this action and the same arguments", other.name))
        }
        None => refusal,
    }
}

fn check(spec: &ToolSpec, action: &ActionSpec, loose: &Loose<'_>, name: &str) -> Result<(), DuoError> {
    if action.takes(name) || (name == "action" && spec.actions.len() > 1) {
        return Ok(());
    }
    let takes = format!("`{}` takes {}", action.name, action.arguments());
    let owners: Vec<_> =
        spec.actions.iter().filter(|other| other.takes(name)).map(|other| other.name).collect();
    if owners.is_empty() {
        return Err(DuoError::invalid(format!("{} is no argument of `{}`: {takes}", echo(name), spec.name)));
    }
    // Clients that fill in every argument of the schema send null for those of other actions.
    match loose.given(name) {
        None => Ok(()),
        Some(_) => {
            let owners = listed(&owners);
            Err(DuoError::invalid(format!(
                "`{name}` is an argument of {owners}, not of this action: {takes}"
            )))
        }
    }
}
