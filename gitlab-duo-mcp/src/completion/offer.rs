//! What can be offered for an argument of a prompt, or for the variable of a template.

use std::sync::Arc;

use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::instance::InstanceUrl;
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::{WELL_KNOWN_AGENTS, WELL_KNOWN_FLOWS};
use jiff::Timestamp;

use crate::caller::Caller;
use crate::completion::cache::Cache;
use crate::completion::choose::Candidates;
use crate::completion::known::{Known, Source, read};
use crate::prompts::arguments::waiting_statuses;
use crate::prompts::listing::{admit, named};
use crate::prompts::spec::Meaning;
use crate::resources::template::{TEMPLATES, VARIABLE};

/// What is being filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    /// A prompt, by name.
    Prompt(&'a str),
    /// A template, by its text.
    Template(&'a str),
}

/// What an argument means, as far as policy leaves what it belongs to; none for anything unknown.
pub(crate) fn meaning(subject: Subject<'_>, argument: &str, scope: &Scope) -> Option<Meaning> {
    match subject {
        Subject::Prompt(name) => {
            let spec = named(name).filter(|spec| admit(spec, scope).is_ok())?;
            let of_name = spec.arguments.iter().find(|known| known.name == argument);
            of_name.map(|argument| argument.meaning)
        }
        Subject::Template(text) => {
            let is_ours = argument == VARIABLE && TEMPLATES.iter().any(|spec| spec.uri_template == text);
            (is_ours && scope.admit_browsing().is_ok()).then_some(Meaning::Session)
        }
    }
}

/// Everything around a completion.
pub(crate) struct Circumstances<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) caller: Option<Caller>,
    pub(crate) scope: &'a Scope,
    pub(crate) instance: &'a InstanceUrl,
    pub(crate) now: Timestamp,
}

impl Circumstances<'_> {
    /// The values from which an argument may be chosen. `project`: what was given for the project, as
    /// far as the person has come.
    ///
    /// # Errors
    /// Those of the reads.
    pub(crate) async fn candidates(
        &self,
        meaning: Meaning,
        project: Option<&str>,
    ) -> Result<Candidates, DuoError> {
        match meaning {
            Meaning::Goal | Meaning::Page(_) => Ok(fixed(&[])),
            Meaning::WaitingStatus => Ok(fixed(&waiting_statuses())),
            Meaning::Session => Ok(some(&*self.known(Source::Sessions).await?, |known| &known.workflow_ids)),
            Meaning::Project => self.projects().await,
            Meaning::Flow => self.of_project(project, &WELL_KNOWN_FLOWS, |known| &known.flows).await,
            Meaning::Agent => self.of_project(project, &WELL_KNOWN_AGENTS, |known| &known.agents).await,
        }
    }

    /// The projects that the operator allows, then those of recent sessions.
    async fn projects(&self) -> Result<Candidates, DuoError> {
        let known = self.known(Source::Sessions).await?;
        let allowed = self.scope.allowed_projects.iter().flatten().map(ToString::to_string);
        let values = allowed.chain(known.projects.iter().cloned()).collect();
        Ok(Candidates { values, is_complete: known.is_complete })
    }

    /// What the project offers; without one, what GitLab offers in general.
    async fn of_project(
        &self,
        project: Option<&str>,
        well_known: &[&str],
        values: fn(&Known) -> &Vec<String>,
    ) -> Result<Candidates, DuoError> {
        let Some(project) = project.filter(|project| !project.trim().is_empty()) else {
            return Ok(Candidates { is_complete: false, ..fixed(well_known) });
        };
        let project = ProjectRef::parse(project, self.instance);
        let project = project.map_err(|error| DuoError::invalid(error.to_string()))?;
        Ok(some(&*self.known(Source::Project(project)).await?, values))
    }

    async fn known(&self, source: Source) -> Result<Arc<Known>, DuoError> {
        let caller = self.caller.as_ref().ok_or_else(no_token)?;
        let name = source.to_string();
        let read = read(source, &*caller.gateway, self.scope);
        self.cache.known(caller.key, &name, self.now, read).await
    }
}

fn no_token() -> DuoError {
    DuoError::new(ErrorKind::Unauthorized, "no GitLab token is set")
}

fn fixed(values: &[&str]) -> Candidates {
    Candidates { values: values.iter().map(|value| (*value).to_owned()).collect(), is_complete: true }
}

fn some(known: &Known, values: fn(&Known) -> &Vec<String>) -> Candidates {
    Candidates { values: values(known).clone(), is_complete: known.is_complete }
}
