//! No two files use one another, directly or around a corner.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::crate_paths;
use super::sources::{CRATES, SourceFile};

type Module = Vec<String>;

/// One complaint per crate whose files import in a circle.
pub(super) fn circles(files: &[SourceFile]) -> Vec<String> {
    CRATES.iter().filter_map(|name| circle_of(name, files)).collect()
}

fn circle_of(name: &str, files: &[SourceFile]) -> Option<String> {
    let of_crate = files.iter().filter(|file| !file.is_generated());
    let modules: BTreeMap<Module, &SourceFile> = of_crate
        .filter_map(|file| file.module().filter(|(of, _)| *of == name).map(|(_, module)| (module, file)))
        .collect();
    let edges: BTreeMap<&Module, BTreeSet<Module>> = modules
        .iter()
        // A list of modules hands names on; it is no room of its own.
        .filter(|(module, _)| !module.is_empty())
        .map(|(module, file)| (module, uses(module, file, &modules)))
        .collect();
    let mut done = BTreeSet::new();
    edges.keys().find_map(|start| walk(start, &edges, &mut Vec::new(), &mut done)).map(|circle| {
        let names: Vec<_> = circle.iter().map(|module| module.join("::")).collect();
        format!("{name}: imports run in a circle: {}", names.join(" -> "))
    })
}

/// The files that a file names: for each path the longest beginning that is a file.
fn uses(own: &Module, file: &SourceFile, modules: &BTreeMap<Module, &SourceFile>) -> BTreeSet<Module> {
    let file_of = |path: Module| {
        (1..=path.len())
            .rev()
            .filter_map(|length| path.get(..length))
            .find(|start| modules.contains_key(*start))
            .map(<[String]>::to_vec)
    };
    crate_paths(&file.text).into_iter().filter_map(file_of).filter(|module| module != own).collect()
}

fn walk(
    module: &Module,
    edges: &BTreeMap<&Module, BTreeSet<Module>>,
    way: &mut Vec<Module>,
    done: &mut BTreeSet<Module>,
) -> Option<Vec<Module>> {
    if let Some(start) = way.iter().position(|visited| visited == module) {
        way.push(module.clone());
        return Some(way.split_off(start));
    }
    if done.contains(module) {
        return None;
    }
    way.push(module.clone());
    let found = edges.get(module).into_iter().flatten().find_map(|next| walk(next, edges, way, done));
    if found.is_none() {
        way.pop();
        done.insert(module.clone());
    }
    found
}
