//! What the operator of this program allows: it may only narrow what GitLab allows.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::ids::ProjectId;
use crate::model::project::{Project, ProjectLink, ProjectPath};
use crate::rules::policy::Access;

/// What may be done, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Whether sessions may be browsed and changed.
    pub access: Access,
    /// The only projects allowed; none allows all.
    pub allowed_projects: Option<BTreeSet<ProjectId>>,
    /// The projects or groups to stay within, all of them at once; empty allows all.
    pub working: Vec<WorkingScope>,
}

/// A project or group to stay within.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingScope {
    /// The full path of the project or group.
    pub path: ProjectPath,
    /// Whether projects of its subgroups belong to it.
    pub subgroups: Subgroups,
}

/// Whether projects of subgroups belong to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subgroups {
    /// They do.
    Included,
    /// They do not.
    LeftOut,
}

impl WorkingScope {
    /// Whether the project with this path lies within.
    #[must_use]
    pub fn holds(&self, project: &ProjectPath) -> bool {
        if project.is(&self.path) {
            return true;
        }
        let (project, group) = (project.as_str(), self.path.as_str());
        let Some((start, rest)) = project.split_at_checked(group.len()) else { return false };
        let Some(below) = rest.strip_prefix('/') else { return false };
        start.eq_ignore_ascii_case(group) && (self.subgroups == Subgroups::Included || !below.contains('/'))
    }
}

/// Why the operator's settings refuse a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// Duo is off here.
    Off,
    /// Only browsing is on here.
    ReadOnly,
    /// The project is none of the allowed ones.
    NotAllowed(String),
    /// The project lies outside the working scope.
    OutOfScope {
        /// The project.
        project: String,
        /// The scope.
        scope: ProjectPath,
    },
    /// The session has no project, and projects are restricted.
    NoProject,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => formatter.write_str("Duo sessions are switched off in this program's settings"),
            Self::ReadOnly => formatter
                .write_str("this program is set to read only: nothing is started, answered or stopped"),
            Self::NotAllowed(project) => {
                write!(formatter, "project `{project}` is not among the allowed projects")
            }
            Self::OutOfScope { project, scope } => {
                write!(formatter, "project `{project}` lies outside the working scope `{scope}`")
            }
            Self::NoProject => formatter.write_str(
                "this session has no readable project, and this program is restricted to certain projects",
            ),
        }
    }
}

impl std::error::Error for Refusal {}

impl Scope {
    /// This scope narrowed by another layer of settings: what either refuses is refused.
    #[must_use]
    pub fn narrowed_by(self, other: Self) -> Self {
        let allowed_projects = match (self.allowed_projects, other.allowed_projects) {
            (Some(ours), Some(theirs)) => Some(ours.intersection(&theirs).copied().collect()),
            (ours, theirs) => ours.or(theirs),
        };
        let working = [self.working, other.working].concat();
        Self { access: self.access.min(other.access), allowed_projects, working }
    }

    /// Whether projects are restricted at all.
    #[must_use]
    pub fn restricts_projects(&self) -> bool {
        self.allowed_projects.is_some() || !self.working.is_empty()
    }

    /// Admits browsing.
    ///
    /// # Errors
    /// [`Refusal::Off`].
    pub fn admit_browsing(&self) -> Result<(), Refusal> {
        if self.access == Access::Off { Err(Refusal::Off) } else { Ok(()) }
    }

    /// Admits a write.
    ///
    /// # Errors
    /// [`Refusal::Off`] or [`Refusal::ReadOnly`].
    pub fn admit_writing(&self) -> Result<(), Refusal> {
        match self.access {
            Access::Full => Ok(()),
            Access::ReadOnly => Err(Refusal::ReadOnly),
            Access::Off => Err(Refusal::Off),
        }
    }

    /// Admits a project as GitLab describes it.
    ///
    /// # Errors
    /// The [`Refusal`] that applies first: allowed projects, then the working scope.
    pub fn admit(&self, project: &Project) -> Result<(), Refusal> {
        self.admit_allowed(Some(project.id))?;
        self.admit_working(Some(&project.path))
    }

    /// Admits the project of a session. One that is not known is refused as soon as projects are restricted.
    ///
    /// # Errors
    /// The [`Refusal`] that applies first.
    pub fn admit_link(&self, project: &ProjectLink) -> Result<(), Refusal> {
        self.admit_allowed(project.id)?;
        self.admit_working(project.path.as_ref())
    }

    /// Admits by the operator's list of projects alone.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] or [`Refusal::NoProject`].
    pub fn admit_allowed(&self, project: Option<ProjectId>) -> Result<(), Refusal> {
        match (&self.allowed_projects, project) {
            (None, _) => Ok(()),
            (Some(_), None) => Err(Refusal::NoProject),
            (Some(allowed), Some(id)) if allowed.contains(&id) => Ok(()),
            (Some(_), Some(id)) => Err(Refusal::NotAllowed(id.to_string())),
        }
    }

    fn admit_working(&self, project: Option<&ProjectPath>) -> Result<(), Refusal> {
        self.working.iter().try_for_each(|scope| match project {
            None => Err(Refusal::NoProject),
            Some(path) if scope.holds(path) => Ok(()),
            Some(path) => Err(Refusal::OutOfScope { project: path.to_string(), scope: scope.path.clone() }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_holds_its_projects_and_subgroups_only_when_told() {
        let rows = [
            ("acme", Subgroups::Included, "acme/api", true),
            ("acme", Subgroups::Included, "acme/platform/api", true),
            ("acme", Subgroups::LeftOut, "acme/api", true),
            ("acme", Subgroups::LeftOut, "acme/platform/api", false),
            ("acme", Subgroups::Included, "acme2/api", false),
            ("acme", Subgroups::Included, "other/acme/api", false),
            ("Acme/API", Subgroups::LeftOut, "acme/api", true),
            ("acme/api", Subgroups::Included, "acme/api-docs", false),
            ("ä", Subgroups::Included, "a\u{308}/api", false),
        ];
        for (scope, subgroups, project, expected) in rows {
            let scope = WorkingScope { path: ProjectPath::parse(scope).unwrap(), subgroups };
            let holds = ProjectPath::parse(project).is_ok_and(|project| scope.holds(&project));
            assert_eq!(holds, expected, "{scope:?} {project}");
        }
    }

    #[test]
    fn an_unknown_project_is_refused_as_soon_as_projects_are_restricted() {
        let open = Scope::default();
        assert_eq!(open.admit_link(&ProjectLink::default()), Ok(()));
        let narrow = Scope { allowed_projects: Some(BTreeSet::new()), ..Scope::default() };
        assert_eq!(narrow.admit_link(&ProjectLink::default()), Err(Refusal::NoProject));
    }

    #[test]
    fn a_further_layer_only_narrows() {
        let ids = |ids: &[u64]| Some(ids.iter().filter_map(|id| ProjectId::new(*id)).collect());
        let within = |path: &str| {
            vec![WorkingScope { path: ProjectPath::parse(path).unwrap(), subgroups: Subgroups::Included }]
        };
        let operator =
            Scope { access: Access::ReadOnly, allowed_projects: ids(&[1, 2]), working: within("acme") };
        let user =
            Scope { access: Access::Full, allowed_projects: ids(&[2, 3]), working: within("acme/platform") };
        let both = operator.narrowed_by(user);
        assert_eq!((both.access, &both.allowed_projects), (Access::ReadOnly, &ids(&[2])));
        let project = |id, path: &str| Project {
            id: ProjectId::new(id).unwrap(),
            path: ProjectPath::parse(path).unwrap(),
            web_url: None,
        };
        assert_eq!(both.admit(&project(2, "acme/platform/api")), Ok(()));
        assert!(both.admit(&project(2, "acme/api")).is_err());
        assert!(both.admit(&project(1, "acme/platform/api")).is_err());
    }
}
