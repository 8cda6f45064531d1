//! What the two library crates show to other programs, line by line, so that a change of it is seen in review.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};

/// The crates that other programs build upon; the features beside the default ones that are part of it.
const CRATES: [&str; 2] = ["gitlab-duo-core", "gitlab-duo-graphql"];
const FEATURES: &str = "gitlab-duo-core/testing";
/// Set by [`list`] for the documenting run: then this program stands in for rustdoc.
const STANDS_IN: &str = "XTASK_STANDS_IN_FOR_RUSTDOC";

/// Writes the list of each crate.
///
/// # Errors
/// What cannot be documented, read or written.
pub(crate) fn write() -> Result<()> {
    for (path, text) in lists()? {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Fails when a committed list differs from what the crate shows.
///
/// # Errors
/// The lines that came and went.
pub(crate) fn check() -> Result<()> {
    let mut found = Vec::new();
    for (path, text) in lists()? {
        let committed = fs::read_to_string(&path).unwrap_or_default();
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        found.extend(differences(&committed, &text).into_iter().map(|line| format!("{name}: {line}")));
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!(
        "the public interface has changed:\n{}\nif that is meant, run `cargo xtask public-api` and say it in CHANGELOG.md",
        found.join("\n")
    )
}

/// Lines that went, then lines that came.
fn differences(before: &str, after: &str) -> Vec<String> {
    let only_in = |one: &str, other: &str, mark: &str| -> Vec<String> {
        let known: std::collections::BTreeSet<_> = other.lines().collect();
        one.lines().filter(|line| !known.contains(line)).map(|line| format!("{mark} {line}")).collect()
    };
    [only_in(before, after, "-"), only_in(after, before, "+")].concat()
}

fn lists() -> Result<Vec<(PathBuf, String)>> {
    document()?;
    CRATES.iter().map(|name| Ok((root().join(name).join("public-api.txt"), list(name)?))).collect()
}

/// Describes the whole workspace, so that its dependencies are those that are built anyway.
fn document() -> Result<()> {
    let status = Command::new("cargo")
        .args(["doc", "--quiet", "--workspace", "--no-deps", "--lib", "--features", FEATURES])
        .env("RUSTDOC", env::current_exe().context("this program has a path")?)
        .env(STANDS_IN, "1")
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json")
        .current_dir(root())
        .status()
        .context("`cargo` does not run")?;
    ensure!(status.success(), "the crates cannot be documented");
    Ok(())
}

fn list(name: &str) -> Result<String> {
    let json = root().join("target/doc").join(format!("{}.json", name.replace('-', "_")));
    let public = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    let public =
        public.context("this compiler describes crates in a form that is not known here: use Rust 1.95")?;
    Ok(public.to_string())
}

/// Runs rustdoc in place of this program, when [`document`] asked for it: the description is not stable, and only
/// rustdoc is told that it may write it. Dependencies would be built anew if the whole build knew.
pub(crate) fn stood_in() -> Option<i32> {
    env::var_os(STANDS_IN)?;
    let status = Command::new("rustdoc").args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    Some(status.ok().and_then(|status| status.code()).unwrap_or(1))
}

fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_and_went_is_told_line_by_line() {
        assert_eq!(differences("a\nb\nc\n", "a\nc\nd\n"), ["- b", "+ d"]);
        assert!(differences("a\nb\n", "a\nb\n").is_empty());
    }
}
