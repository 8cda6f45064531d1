//! What the operator allows. Flags and environment come from whoever starts the program, the file may
//! be an administrator's: what the file or its profile refuses stays refused, whatever comes before.

use std::collections::BTreeSet;

use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::project::ProjectPath;
use gitlab_duo_core::model::scope::{Scope, Subgroups, WorkingScope};
use gitlab_duo_core::rules::policy::{Access, Preset};

use crate::settings::layers::{Layers, Origin, accepted, read_switch};
use crate::settings::table::{
    ALLOWED_PROJECT_IDS, PRESET, READ_ONLY_MODE, SCOPE, SCOPE_SUBGROUPS, Setting, USE_DUO,
};
use crate::settings::wrong::WrongSetting;

/// Reads the restrictions of all places; each may only narrow the others.
///
/// # Errors
/// The first [`WrongSetting`].
pub fn read(layers: &Layers) -> Result<Scope, WrongSetting> {
    let groups = groups(layers);
    let said: Vec<_> = groups.iter().map(Said::read).collect::<Result<_, _>>()?;
    let scopes = said.iter().enumerate().map(|(index, own)| own.scope(&said, index));
    Ok(scopes.fold(Scope::default(), Scope::narrowed_by))
}

/// Flags and environment are one voice, where a flag counts before its variable; each other layer is
/// a voice of its own.
fn groups(layers: &Layers) -> Vec<Layers> {
    let is_caller = |origin| matches!(origin, Origin::Flags | Origin::Environment);
    let (caller, file): (Vec<_>, Vec<_>) =
        layers.0.iter().cloned().partition(|layer| is_caller(layer.origin));
    std::iter::once(caller).chain(file.into_iter().map(|layer| vec![layer])).map(Layers).collect()
}

/// What one voice says.
struct Said {
    access: Access,
    allowed_projects: Option<BTreeSet<ProjectId>>,
    path: Option<ProjectPath>,
    subgroups: Option<bool>,
}

impl Said {
    fn read(layers: &Layers) -> Result<Self, WrongSetting> {
        let switch = |setting: &Setting| layers.first(setting, |text| read_switch(text, setting));
        let access = [
            if switch(&USE_DUO)? == Some(false) { Access::Off } else { Access::Full },
            if switch(&READ_ONLY_MODE)? == Some(true) { Access::ReadOnly } else { Access::Full },
            layers.first(&PRESET, preset)?.unwrap_or_default(),
        ];
        Ok(Self {
            access: access.into_iter().min().unwrap_or_default(),
            allowed_projects: layers.first(&ALLOWED_PROJECT_IDS, allowed_projects)?,
            path: layers.first(&SCOPE, |text| ProjectPath::parse(text).map_err(|_| accepted(&SCOPE)))?,
            subgroups: switch(&SCOPE_SUBGROUPS)?,
        })
    }

    fn scope(&self, all: &[Self], index: usize) -> Scope {
        let working = self.path.clone().map(|path| WorkingScope { path, subgroups: subgroups(all, index) });
        Scope {
            access: self.access,
            allowed_projects: self.allowed_projects.clone(),
            working: working.into_iter().collect(),
        }
    }
}

/// The subgroups of a voice's own path: what it says, else what the next voice says; and a voice
/// before it without a path of its own can leave them out.
fn subgroups(all: &[Said], index: usize) -> Subgroups {
    let own = all.iter().skip(index).find_map(|said| said.subgroups);
    let mut before = all.iter().take(index).filter(|said| said.path.is_none());
    let is_left_out = own == Some(false) || before.any(|said| said.subgroups == Some(false));
    if is_left_out { Subgroups::LeftOut } else { Subgroups::Included }
}

fn preset(name: &str) -> Result<Access, String> {
    Preset::named(name).map(|preset| preset.access).ok_or_else(|| accepted(&PRESET))
}

/// Half a list would allow less or more than was meant: one unreadable entry refuses all of it.
fn allowed_projects(text: &str) -> Result<BTreeSet<ProjectId>, String> {
    let ids: Option<_> = text.split(',').map(|entry| project_id(entry.trim())).collect();
    ids.ok_or_else(|| accepted(&ALLOWED_PROJECT_IDS))
}

fn project_id(entry: &str) -> Option<ProjectId> {
    let is_number = !entry.is_empty() && entry.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| ProjectId::parse(entry).ok()).flatten()
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
