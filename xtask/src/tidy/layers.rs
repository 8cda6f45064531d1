//! Imports run downwards.

use super::imports::crate_paths;
use super::sources::SourceFile;

/// The rooms of each crate, lowest first. Rooms of one line may not use one another either, unless
/// they stand in this order. What is not listed (`lib`, `main`) stands above all.
const LAYERS: [(&str, &[&str]); 3] = [
    ("gitlab-duo-core", &["rules", "model", "gateway", "view", "actions", "client"]),
    (
        "gitlab-duo-graphql",
        &["scalars", "facts", "wire", "generated", "operations", "gateway", "builder", "connect"],
    ),
    (
        "gitlab-duo-mcp",
        &[
            "limits",
            "spec",
            "settings",
            "log",
            "arguments",
            "text",
            "fit",
            "tools",
            "reply",
            "caller",
            "looks",
            "in_flight",
            "detached",
            "resources",
            "prompts",
            "completion",
            "server",
            "http",
            "commands",
        ],
    ),
];

/// Every import that runs upwards.
pub(super) fn upward(files: &[SourceFile]) -> Vec<String> {
    files.iter().filter(|file| !file.is_generated()).flat_map(of_file).collect()
}

fn of_file(file: &SourceFile) -> Vec<String> {
    let Some((name, module)) = file.module() else { return Vec::new() };
    let Some((_, layers)) = LAYERS.iter().find(|(of, _)| *of == name) else { return Vec::new() };
    let height = |room: &String| layers.iter().position(|layer| layer == room);
    let Some(own) = module.first().and_then(height) else { return Vec::new() };
    let is_upward = |path: &Vec<String>| path.first().and_then(height).is_some_and(|other| other > own);
    let complaint =
        |path: Vec<String>| format!("{}: uses `crate::{}`, a room above its own", file.path, path.join("::"));
    crate_paths(&file.text).into_iter().filter(is_upward).map(complaint).collect()
}
