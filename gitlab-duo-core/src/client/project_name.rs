//! A project as a caller names it, before it is known on which GitLab.

use crate::model::error::DuoError;
use crate::model::ids::ProjectId;
use crate::model::instance::InstanceUrl;
use crate::model::project::{ProjectPath, ProjectRef};

/// A project: every text that [`ProjectRef::parse`] reads (`group/project`, `4021`, the URL of one of
/// its pages), or one that was read already. Text is read when the call is made, against the GitLab
/// that is called.
///
/// ```
/// use gitlab_duo_core::client::project_name::ProjectName;
/// use gitlab_duo_core::model::ids::ProjectId;
///
/// let by_path = ProjectName::from("acme/platform/api");
/// let by_url = ProjectName::from("https://gitlab.example.com/acme/platform/api/-/issues");
/// let by_id = ProjectId::new(4021).map(ProjectName::from);
/// ```
#[derive(Clone, Debug)]
pub struct ProjectName(Name);

#[derive(Clone, Debug)]
enum Name {
    Text(String),
    Read(ProjectRef),
}

impl ProjectName {
    /// The project that is meant on this instance.
    pub(super) fn on(&self, instance: &InstanceUrl) -> Result<ProjectRef, DuoError> {
        match &self.0 {
            Name::Read(project) => Ok(project.clone()),
            Name::Text(text) => {
                ProjectRef::parse(text, instance).map_err(|error| DuoError::invalid(error.to_string()))
            }
        }
    }
}

impl From<&str> for ProjectName {
    fn from(text: &str) -> Self {
        Self(Name::Text(text.to_owned()))
    }
}

impl From<String> for ProjectName {
    fn from(text: String) -> Self {
        Self(Name::Text(text))
    }
}

impl From<&String> for ProjectName {
    fn from(text: &String) -> Self {
        Self(Name::Text(text.clone()))
    }
}

impl From<ProjectRef> for ProjectName {
    fn from(project: ProjectRef) -> Self {
        Self(Name::Read(project))
    }
}

impl From<ProjectId> for ProjectName {
    fn from(id: ProjectId) -> Self {
        Self(Name::Read(ProjectRef::Id(id)))
    }
}

impl From<ProjectPath> for ProjectName {
    fn from(path: ProjectPath) -> Self {
        Self(Name::Read(ProjectRef::Path(path)))
    }
}
