//! The files that the rules look at.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A source file of ours.
pub(super) struct SourceFile {
    /// Its path from the root of the repository, with forward slashes.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
}

/// The crates whose inner structure is checked.
pub(super) const CRATES: [&str; 5] =
    ["gitlab-duo-core", "gitlab-duo-graphql", "gitlab-duo-mcp", "examples/fake-gitlab", "xtask"];

impl SourceFile {
    /// The crate it belongs to and its module path there; none outside of a `src` folder.
    pub(super) fn module(&self) -> Option<(&'static str, Vec<String>)> {
        let of_crate =
            |name: &&str| self.path.strip_prefix(*name).and_then(|rest| rest.strip_prefix("/src/"));
        let name = CRATES.iter().find(|name| of_crate(name).is_some())?;
        let module = of_crate(name)?.strip_suffix(".rs")?;
        let parts = module.split('/').map(str::to_owned);
        Some((name, parts.filter(|part| !matches!(part.as_str(), "lib" | "main" | "mod")).collect()))
    }

    /// Whether a machine wrote it.
    pub(super) fn is_generated(&self) -> bool {
        self.path.contains("/generated/")
    }

    /// The text without its tests, where unit tests close the file.
    pub(super) fn product(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&self.text)
    }
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust file that git knows, or would add.
pub(super) fn files() -> Result<Vec<SourceFile>> {
    listed("*.rs")
}

/// Every `Cargo.toml`.
pub(super) fn manifests() -> Result<Vec<SourceFile>> {
    listed("*Cargo.toml")
}

fn listed(pattern: &str) -> Result<Vec<SourceFile>> {
    let listing = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "--", pattern])
        .current_dir(root())
        .output()
        .context("`git ls-files` does not run: install git")?;
    ensure!(listing.status.success(), "`git ls-files` fails: run this inside a checkout");
    let paths = String::from_utf8(listing.stdout)?;
    let existing = paths.lines().filter(|path| root().join(path).is_file());
    existing
        .map(|path| {
            Ok(SourceFile { path: path.to_owned(), text: std::fs::read_to_string(root().join(path))? })
        })
        .collect()
}
