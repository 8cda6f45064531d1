//! Catalog items of the demo world and where they are enabled.

use super::PROJECT;
use crate::world::catalog::{Consumer, Item, ItemKind, ItemVersion};
use crate::world::script::Script;
use crate::world::state::World;

/// Item number, name, reference, needs Ultimate.
const FOUNDATIONAL: [(i64, &str, &str, bool); 5] = [
    (3731, "Secret Detection False Positive Detection", "secrets_fp_detection/v1", true),
    (3729, "Convert to GitLab CI/CD", "convert_to_gl_ci/v1", false),
    (3725, "Fix CI/CD Pipeline", "fix_pipeline/v1", false),
    (3723, "Developer", "developer/v1", false),
    (3718, "Code Review", "code_review/v1", false),
];

/// Item number, name, kind.
const CUSTOM: [(i64, &str, ItemKind); 11] = [
    (3091, "Invoice keeper", ItemKind::Flow),
    (3090, "Draft flow", ItemKind::Flow),
    (3088, "Old flow", ItemKind::Flow),
    (3086, "Release helper", ItemKind::Agent),
    (3084, "Outside helper", ItemKind::ThirdPartyFlow),
    (3080, "Inherited flow", ItemKind::Flow),
    (3079, "CI gardener", ItemKind::Flow),
    (3078, "Changelog writer", ItemKind::Flow),
    (3077, "Quick fixer", ItemKind::Flow),
    (3060, "Parked one", ItemKind::Flow),
    (3059, "Parked two", ItemKind::Flow),
];

pub(super) fn add(world: &mut World) {
    add_items(world);
    add_group_consumers(world);
    add_project_consumers(world);
    add_elsewhere(world);
}

fn add_items(world: &mut World) {
    for (id, name, reference, ultimate) in FOUNDATIONAL {
        let mut item = Item::new(id, name, ItemKind::Flow).foundational(reference);
        item.ultimate = ultimate;
        world.add_item(item);
    }
    for (id, name, kind) in CUSTOM {
        world.add_item(Item::new(id, name, kind));
    }
    world.add_item(Item::new(3040, "Planner", ItemKind::FoundationalAgent).foundational("duo_planner/v1"));
    describe(world, 3723, "Turn feedback into actionable merge requests or issues.");
    describe(world, 3091, &"Keeps invoice code and its tests in step. ".repeat(12));
    if let Some(draft) = world.items.get_mut(&3090) {
        draft.versions = vec![ItemVersion { id: 5090, name: "0.1.0".to_owned(), released: false }];
    }
}

fn describe(world: &mut World, item: i64, description: &str) {
    if let Some(item) = world.items.get_mut(&item) {
        item.description = description.to_owned();
    }
}

fn add_group_consumers(world: &mut World) {
    // Rows of the group carry the service account that the projects below it use.
    for (id, item, group, account) in [(40, 3723, 310, 9001), (41, 3723, 320, 9002)] {
        let mut consumer = Consumer::of_group(id, item, group);
        consumer.service_account = Some(account);
        world.add_consumer(consumer);
    }
    world.add_consumer(Consumer::of_group(80, 3080, 310));
}

fn add_project_consumers(world: &mut World) {
    let rows = [
        (731, 3731, Script::straight()),
        (729, 3729, Script::straight()),
        (725, 3725, Script::straight()),
        (723, 3723, Script::question()),
        (718, 3718, Script::straight()),
        (91, 3091, Script::plan()),
        (90, 3090, Script::straight()),
        (88, 3088, Script::straight()),
        (86, 3086, Script::agent()),
        (84, 3084, Script::straight()),
        (79, 3079, Script::tool_calls(PROJECT)),
        (78, 3078, Script::fails_halfway()),
        (77, 3077, Script::straight()),
        (60, 3060, Script::straight()),
        (59, 3059, Script::straight()),
        (-3, 3040, Script::agent()),
    ];
    for (id, item, script) in rows {
        add_row(world, (id, item, PROJECT, 40), script);
    }
    for disabled in [88, 60, 59] {
        change(world, disabled, |consumer| consumer.enabled = false);
    }
    change(world, 90, |consumer| consumer.pinned = "0.1.0".to_owned());
    let mut gone = Consumer::of_project(55, 0, PROJECT);
    gone.item = None;
    world.add_consumer(gone);
}

fn add_elsewhere(world: &mut World) {
    for (id, item, project, parent) in [
        (740, 3723, 4030, 40),
        (811, 3723, 4711, 41),
        (812, 3725, 4711, 41),
        (813, 3718, 4711, 41),
        (820, 3723, 4050, 40),
    ] {
        let script = if item == 3723 { Script::question() } else { Script::straight() };
        add_row(world, (id, item, project, parent), script);
    }
}

fn add_row(world: &mut World, (id, item, project, parent): (i64, i64, i64, i64), script: Script) {
    let mut consumer = Consumer::of_project(id, item, project);
    consumer.parent = Some(parent);
    consumer.script = script;
    world.add_consumer(consumer);
}

fn change(world: &mut World, id: i64, change: impl FnOnce(&mut Consumer)) {
    if let Some(consumer) = world.consumers.get_mut(&id) {
        change(consumer);
    }
}
