//! Projects and the settings of theirs that decide whether Duo works.

use serde_json::{Map, Value};

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Number of the project.
    pub id: i64,
    /// Path with all groups, with slashes.
    pub full_path: String,
    /// Group it is in; `None` for a user's own project.
    pub group: Option<i64>,
    /// Branch a workload starts from when none is named.
    pub default_branch: String,
    /// Branches that exist.
    pub branches: Vec<String>,
    /// `private`, `internal` or `public`.
    pub visibility: String,
    /// Whether it is archived.
    pub archived: bool,
    /// Users who may read it and have Duo in it.
    pub members: Vec<i64>,
    /// Members below the Developer role: they read, and start nothing.
    pub guests: Vec<i64>,
    /// Duo features of the project.
    pub duo_features_enabled: bool,
    /// Flow execution in CI.
    pub remote_flows_enabled: bool,
    /// Foundational flows switched on here, by reference.
    pub foundational_flows: Vec<String>,
    /// Kind of runner that takes Duo jobs: `instance_type`, `group_type`, `project_type`, or none.
    pub runner: Option<String>,
    /// Fields laid over what GraphQL would answer.
    pub graphql: Map<String, Value>,
    /// Fields laid over what REST would answer.
    pub rest: Map<String, Value>,
}

impl Project {
    /// A private project with Duo, an instance runner and a `main` branch.
    pub fn new(id: i64, full_path: &str, group: Option<i64>, members: &[i64]) -> Self {
        Self {
            id,
            full_path: full_path.to_owned(),
            group,
            default_branch: "main".to_owned(),
            branches: vec!["main".to_owned()],
            visibility: "private".to_owned(),
            archived: false,
            members: members.to_vec(),
            guests: Vec::new(),
            duo_features_enabled: true,
            remote_flows_enabled: true,
            foundational_flows: Vec::new(),
            runner: Some("instance_type".to_owned()),
            graphql: Map::new(),
            rest: Map::new(),
        }
    }

    /// Last part of the path.
    pub fn path(&self) -> &str {
        self.full_path.rsplit('/').next().unwrap_or_default()
    }

    /// The branch a workload starts from: the named one if it exists, else the default, silently.
    pub fn start_branch(&self, wanted: Option<&str>) -> String {
        match wanted {
            Some(branch) if self.branches.iter().any(|known| known == branch) => branch.to_owned(),
            _ => self.default_branch.clone(),
        }
    }

    /// Whether that user may read it.
    pub fn readable_by(&self, user: Option<i64>) -> bool {
        self.visibility == "public" || user.is_some_and(|user| self.has_member(user))
    }

    /// Whether that user is a member of any role.
    pub fn has_member(&self, user: i64) -> bool {
        self.members.contains(&user) || self.guests.contains(&user)
    }

    /// Whether that user may start sessions in CI here, as far as roles go.
    pub fn developer(&self, user: i64) -> bool {
        self.members.contains(&user) && !self.guests.contains(&user)
    }
}
