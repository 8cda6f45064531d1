//! The world as a whole: its tables, its settings, its clock.

use super::catalog::{Agent, Consumer, Item, ItemVersion};
use super::ci::{MergeRequest, Pipeline};
use super::people::{Group, Token, User};
use super::project::Project;
use super::session::Session;
use crate::version::Version;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Settings of the whole instance.
#[derive(Clone, Debug)]
pub struct Settings {
    /// False answers starts with the credits refusal.
    pub credits_available: bool,
    /// Whether the licence is Ultimate.
    pub ultimate: bool,
    /// Whether administrators switched the Duo CLI off.
    pub duo_cli_disabled: bool,
    /// False is the community edition: no Duo anywhere.
    pub enterprise: bool,
    /// Group that a create without project and namespace lands in.
    pub default_namespace: Option<i64>,
    /// Whether custom flows may run.
    pub custom_flows: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            credits_available: true,
            ultimate: false,
            duo_cli_disabled: false,
            enterprise: true,
            default_namespace: None,
            custom_flows: true,
        }
    }
}

/// Everything an instance knows. Tables are keyed by number.
pub struct World {
    pub(crate) now: Timestamp,
    pub(crate) version: Version,
    pub(crate) base_url: String,
    pub(crate) tokens: Vec<Token>,
    /// Sessions that somebody looked up without being allowed to: a second look is refused.
    pub(crate) strange_looks: BTreeSet<(i64, i64)>,
    next: i64,
    /// Settings of the whole instance.
    pub settings: Settings,
    /// People and service accounts.
    pub users: BTreeMap<i64, User>,
    /// Groups.
    pub groups: BTreeMap<i64, Group>,
    /// Projects.
    pub projects: BTreeMap<i64, Project>,
    /// Old paths of renamed projects.
    pub moved: BTreeMap<String, i64>,
    /// Catalog items.
    pub items: BTreeMap<i64, Item>,
    /// Consumers; negative numbers are the made-up rows.
    pub consumers: BTreeMap<i64, Consumer>,
    /// Foundational agents in their order.
    pub agents: Vec<Agent>,
    /// Pipelines.
    pub pipelines: BTreeMap<i64, Pipeline>,
    /// Merge requests.
    pub merge_requests: BTreeMap<i64, MergeRequest>,
    /// Sessions.
    pub sessions: BTreeMap<i64, Session>,
}

impl World {
    /// An empty instance.
    pub(crate) fn empty(version: Version, now: Timestamp) -> Self {
        Self {
            now,
            version,
            base_url: String::new(),
            tokens: Vec::new(),
            strange_looks: BTreeSet::new(),
            next: 0,
            settings: Settings::default(),
            users: BTreeMap::new(),
            groups: BTreeMap::new(),
            projects: BTreeMap::new(),
            moved: BTreeMap::new(),
            items: BTreeMap::new(),
            consumers: BTreeMap::new(),
            agents: Vec::new(),
            pipelines: BTreeMap::new(),
            merge_requests: BTreeMap::new(),
            sessions: BTreeMap::new(),
        }
    }

    /// The present moment.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The version this instance reports.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Address of the instance without trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Adds or replaces a session and hands its number back.
    pub fn add_session(&mut self, session: Session) -> i64 {
        let id = session.id;
        self.sessions.insert(id, session);
        id
    }

    /// Adds or replaces a project.
    pub fn add_project(&mut self, project: Project) {
        self.projects.insert(project.id, project);
    }

    /// Adds or replaces a consumer.
    pub fn add_consumer(&mut self, consumer: Consumer) {
        self.consumers.insert(consumer.id, consumer);
    }

    /// Adds or replaces a catalog item.
    pub fn add_item(&mut self, item: Item) {
        self.items.insert(item.id, item);
    }

    /// Adds or replaces a pipeline.
    pub fn add_pipeline(&mut self, pipeline: Pipeline) {
        self.pipelines.insert(pipeline.id, pipeline);
    }

    /// Adds or replaces a merge request.
    pub fn add_merge_request(&mut self, merge_request: MergeRequest) {
        self.merge_requests.insert(merge_request.id, merge_request);
    }

    /// Renames a project; the old path leads on.
    pub fn move_project(&mut self, id: i64, new_path: &str) {
        if let Some(project) = self.projects.get_mut(&id) {
            let old = std::mem::replace(&mut project.full_path, new_path.to_owned());
            self.moved.insert(old, id);
        }
    }

    /// The session of that number, to look at or to change.
    pub fn session_mut(&mut self, id: i64) -> Option<&mut Session> {
        self.sessions.get_mut(&id)
    }

    /// The project at that path; paths compare without case.
    pub fn project_at(&self, path: &str) -> Option<&Project> {
        self.projects.values().find(|project| project.full_path.eq_ignore_ascii_case(path))
    }

    /// The group at that path.
    pub fn group_at(&self, path: &str) -> Option<&Group> {
        self.groups.values().find(|group| group.full_path.eq_ignore_ascii_case(path))
    }

    /// The merge request of that number within a project.
    pub fn merge_request_of(&self, project: i64, iid: i64) -> Option<&MergeRequest> {
        self.merge_requests.values().find(|row| row.project == project && row.iid == iid)
    }

    /// Whether that user is a member of any project in the group or below it.
    pub fn in_group(&self, user: i64, group: i64) -> bool {
        let Some(path) = self.groups.get(&group).map(|group| format!("{}/", group.full_path)) else {
            return false;
        };
        self.projects.values().any(|row| row.full_path.starts_with(&path) && row.has_member(user))
    }

    /// The item that has that version, and the version.
    pub fn item_version(&self, id: i64) -> Option<(&Item, &ItemVersion)> {
        self.items
            .values()
            .find_map(|item| item.versions.iter().find(|version| version.id == id).map(|v| (item, v)))
    }

    /// The version a consumer is pinned to, if there is such a one.
    pub fn pinned_version(&self, consumer: &Consumer) -> Option<&ItemVersion> {
        self.items.get(&consumer.item?)?.version(&consumer.pinned)
    }

    /// The consumer of that project for the foundational flow of that reference.
    pub fn consumer_of_flow(&self, project: i64, reference: &str) -> Option<&Consumer> {
        self.consumers.values().filter(|consumer| consumer.project == Some(project)).find(|consumer| {
            let item = consumer.item.and_then(|id| self.items.get(&id));
            item.is_some_and(|item| item.reference.as_deref() == Some(reference))
        })
    }

    /// Web address of a project.
    pub fn project_url(&self, project: i64) -> String {
        let path = self.projects.get(&project).map(|project| project.full_path.as_str()).unwrap_or_default();
        format!("{}/{path}", self.base_url)
    }

    /// The next unused number of a table that starts there.
    pub(crate) fn fresh(&mut self, base: i64) -> i64 {
        self.next += 1;
        base + self.next
    }

    /// The number the next session gets: ascending, as lists sort by it.
    pub(crate) fn next_session_id(&self) -> i64 {
        self.sessions.keys().next_back().copied().unwrap_or(0).max(749) + 1
    }
}
