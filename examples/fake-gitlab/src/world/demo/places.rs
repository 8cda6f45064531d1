//! People, groups and projects of the demo world.

use super::{COLLEAGUE, PROJECT, USER};
use crate::world::people::{Group, User};
use crate::world::project::Project;
use crate::world::state::World;

const FLOWS: [&str; 4] = ["code_review/v1", "fix_pipeline/v1", "developer/v1", "convert_to_gl_ci/v1"];

pub(super) fn add(world: &mut World) {
    let people = [
        User::new(USER, "devuser", "Dev User"),
        User::new(COLLEAGUE, "otheruser", "Other User"),
        User::service_account(9001, "ai-developer-example-group"),
        User::service_account(9002, "ai-developer-acme"),
    ];
    world.users.extend(people.map(|user| (user.id, user)));
    let groups = [
        Group::new(310, "example-group", "Example Group", None),
        Group::new(320, "acme", "Acme", None),
        Group::new(321, "acme/platform", "Platform", Some(320)),
        Group::new(322, "acme/platform/tools", "Tools", Some(321)),
        Group::new(330, "secret-group", "Secret Group", None),
    ];
    world.groups.extend(groups.map(|group| (group.id, group)));
    for project in projects() {
        world.add_project(project);
    }
    world.moved.insert("example-group/old-backend".to_owned(), PROJECT);
}

fn projects() -> Vec<Project> {
    let mut backend =
        with_flows(Project::new(PROJECT, "example-group/backend", Some(310), &[USER, COLLEAGUE]));
    backend.branches.extend(["feature/rounding", "release/2.0", "feature/lonely"].map(str::to_owned));
    let mut no_runner = with_flows(Project::new(4030, "example-group/no-runner", Some(310), &[USER]));
    no_runner.runner = None;
    let mut switched_off = Project::new(4040, "example-group/duo-off", Some(310), &[USER]);
    switched_off.duo_features_enabled = false;
    switched_off.remote_flows_enabled = false;
    let mut read_only = with_flows(Project::new(4050, "example-group/read-only", Some(310), &[]));
    read_only.guests.push(USER);
    let mut fork = Project::new(5200, "otheruser/backend", None, &[USER, COLLEAGUE]);
    fork.branches.push("feature/rounding".to_owned());
    vec![
        backend,
        no_runner,
        switched_off,
        read_only,
        fork,
        with_flows(Project::new(4711, "acme/platform/tools/api", Some(322), &[USER])),
        Project::new(4712, "acme/c.plus.plus", Some(320), &[USER]),
        Project::new(6001, "secret-group/vault", Some(330), &[COLLEAGUE]),
    ]
}

fn with_flows(mut project: Project) -> Project {
    project.foundational_flows = FLOWS.map(str::to_owned).to_vec();
    project
}
