//! Whether the crates that are published can be packed, with all that a registry wants to know of them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// What is published, in this order.
const PACKAGES: [&str; 3] = ["gitlab-duo-core", "gitlab-duo-graphql", "gitlab-duo-mcp"];

/// Packs every package. Their sources were compiled by the steps before, so that they are not again.
///
/// # Errors
/// What cannot be packed, and what a registry would miss.
pub(crate) fn check() -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--locked"]);
    command.args(PACKAGES.iter().flat_map(|name| ["--package", name]));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = command.current_dir(root).output().context("`cargo` does not run")?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the packages cannot be packed:\n{told}");
    ensure!(!told.contains("warning"), "a registry would miss something:\n{told}");
    Ok(())
}
