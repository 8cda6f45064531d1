//! The rules find what they are for, and this repository keeps them.

use super::imports::crate_paths;
use super::release::{Release, disagreements};
use super::sources::SourceFile;
use super::{circles, layers, rules};

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn this_repository_keeps_its_rules() {
    if let Err(complaints) = super::check() {
        panic!("{complaints}");
    }
}

#[test]
fn paths_below_crate_are_found_in_uses_and_expressions() {
    let text = "use crate::a::{b::C, d}; use std::fs; fn f() { crate::e::g(); }
                #[cfg(test)] mod tests { use crate::hidden::x; }";
    let paths: Vec<_> = crate_paths(text).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["a::b::C", "a::d", "e::g"]);
}

#[test]
fn an_upward_import_is_found() {
    let up = file("gitlab-duo-core/src/model/x.rs", "use crate::actions::start;");
    let down = file("gitlab-duo-core/src/actions/x.rs", "use crate::model::ids;");
    assert_eq!(layers::upward(&[up, down]).len(), 1);
}

#[test]
fn a_circle_is_found_around_a_corner() {
    let files = [
        file("xtask/src/a.rs", "use crate::b::x;"),
        file("xtask/src/b.rs", "use crate::c::x;"),
        file("xtask/src/c.rs", "use crate::a::x;"),
    ];
    assert_eq!(circles::circles(&files), ["xtask: imports run in a circle: a -> b -> c -> a"]);
}

#[test]
fn a_long_file_and_forbidden_words_are_found() {
    let long = file("xtask/src/a.rs", &"\n".repeat(401));
    assert_eq!(rules::sizes(&[long]).len(), 1);
    let words = file("gitlab-duo-core/src/a.rs", "use std::fs;\n// std::net is fine here\n");
    assert_eq!(rules::forbidden_words(&[words]).len(), 1);
    let manifest = file(
        "gitlab-duo-core/Cargo.toml",
        "[dependencies]\nreqwest = \"1\"\n[dev-dependencies]\ntokio = \"1\"",
    );
    assert_eq!(
        rules::manifests(&[manifest]),
        ["gitlab-duo-core/Cargo.toml: depends on `reqwest`: core does no I/O"]
    );
}

/// What is spoilt, how, and how many complaints that brings.
type Case = (&'static str, fn(&mut Release), usize);

#[test]
fn what_registries_are_told_is_held_against_the_workspace() {
    let sound = || Release::read().unwrap();
    assert_eq!(disagreements(&sound()), [""; 0]);

    let cases: [Case; 7] = [
        ("a new version: two files, the image and two bundles", |it| it.version = "9.9.9".to_owned(), 5),
        ("a bundle of another version", |it| it.entry["packages"][1]["version"] = "9.9.9".into(), 1),
        ("another name in the image", |it| it.dockerfile = it.dockerfile.replace("gitlab-duo/", ""), 1),
        ("a setting that is not there", |it| variable(it)["name"] = "GITLAB_NOTHING".into(), 1),
        ("another description", |it| variable(it)["description"] = "The token".into(), 1),
        ("a token with a default", |it| variable(it)["default"] = "glpat-x".into(), 1),
        (
            "a bundle with an unknown setting",
            |it| it.manifest["server"]["mcp_config"]["env"]["X"] = "".into(),
            1,
        ),
    ];
    for (case, spoil, complaints) in cases {
        let mut release = sound();
        spoil(&mut release);
        let found = disagreements(&release);
        assert_eq!(found.len(), complaints, "{case}: {found:?}");
    }
}

/// The token, as the registry is told of it.
fn variable(release: &mut Release) -> &mut serde_json::Value {
    &mut release.entry["packages"][0]["environmentVariables"][1]
}
