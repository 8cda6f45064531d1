//! Reads the arguments of a prompt: each is what it must be, or refused by name.

use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::selector::TargetKind;
use gitlab_duo_core::model::status::{Status, StatusGroup};
use gitlab_duo_core::model::target::TargetUrl;
use gitlab_duo_core::rules::limits::TITLE_CHARS;
use serde_json::{Map, Value};

use crate::arguments::loose::{Loose, echo, listed};
use crate::limits::PROMPT_GOAL_CHARS;
use crate::prompts::given::Given;
use crate::prompts::spec::{Meaning, Need, PromptArgument, PromptSpec};

/// Reads the arguments of a prompt.
///
/// # Errors
/// `invalid_arguments`, naming the argument and what is accepted.
pub(crate) fn read(
    spec: &PromptSpec,
    values: &Map<String, Value>,
    instance: &InstanceUrl,
) -> Result<Given, DuoError> {
    let loose = Loose::new(values);
    loose.names().try_for_each(|name| check_name(spec, name))?;
    let mut given = Given::default();
    for argument in spec.arguments {
        match (value(argument, &loose, instance)?, argument.need) {
            (Some(value), _) => given.insert(argument.name, &value),
            (None, Need::Optional) => {}
            (None, Need::Required) => return Err(missing(spec, argument)),
        }
    }
    let alternatives = spec.alternatives.iter().filter(|name| given.json(name).is_some());
    if alternatives.count() > 1 {
        let names = listed(spec.alternatives);
        return Err(DuoError::invalid(format!("{names} are given together: give at most one of them")));
    }
    Ok(given)
}

/// The statuses in which a session waits for a person.
pub(crate) fn waiting_statuses() -> Vec<&'static str> {
    let is_waiting = |status: &Status| status.group() == Some(StatusGroup::AwaitingInput);
    Status::known().iter().filter(|(_, status)| is_waiting(status)).map(|(name, _)| *name).collect()
}

fn value(
    argument: &PromptArgument,
    loose: &Loose<'_>,
    instance: &InstanceUrl,
) -> Result<Option<String>, DuoError> {
    let name = argument.name;
    match argument.meaning {
        Meaning::Project => {
            let project = loose.id(name, |text| ProjectRef::parse(text, instance))?;
            Ok(project.map(|project| project.to_string()))
        }
        Meaning::Session => Ok(loose.id(name, WorkflowId::parse)?.map(|id| id.to_string())),
        Meaning::Flow | Meaning::Agent => bounded(name, loose.word(name)?.map(str::trim), TITLE_CHARS),
        Meaning::Goal => bounded(name, loose.text(name)?, PROMPT_GOAL_CHARS),
        Meaning::WaitingStatus => loose.choice(name, &waiting_statuses(), str::to_owned),
        Meaning::Page(kind) => loose.word(name)?.map(|text| page(name, text, kind, instance)).transpose(),
    }
}

fn page(name: &str, text: &str, kind: TargetKind, instance: &InstanceUrl) -> Result<String, DuoError> {
    let target = TargetUrl::parse(text, instance).ok().filter(|target| target.page.kind() == kind);
    let target = target.ok_or_else(|| {
        let page = match kind {
            TargetKind::Pipeline => "pipeline (`…/-/pipelines/1`)",
            TargetKind::MergeRequest => "merge request (`…/-/merge_requests/1`)",
            other => other.name(),
        };
        DuoError::invalid(format!("`{name}` must be the URL of a {page} of this GitLab"))
    })?;
    Ok(target.canonical(instance))
}

fn bounded(name: &str, text: Option<&str>, chars: usize) -> Result<Option<String>, DuoError> {
    let found = text.map_or(0, |text| text.chars().count());
    if found > chars {
        let message = format!("`{name}` has {found} characters: a prompt takes at most {chars}");
        return Err(DuoError::invalid(message));
    }
    Ok(text.map(str::to_owned))
}

fn check_name(spec: &PromptSpec, name: &str) -> Result<(), DuoError> {
    if spec.arguments.iter().any(|argument| argument.name == name) {
        return Ok(());
    }
    let known: Vec<_> = spec.arguments.iter().map(|argument| argument.name).collect();
    let known = listed(&known);
    Err(DuoError::invalid(format!("{} is no argument of `{}`: it takes {known}", echo(name), spec.name)))
}

fn missing(spec: &PromptSpec, argument: &PromptArgument) -> DuoError {
    DuoError::invalid(format!("`{}` is missing: `{}` needs it", argument.name, spec.name))
        .with_next_step(argument.description)
}
