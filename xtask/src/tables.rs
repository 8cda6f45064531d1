//! Tables of the README that are made from code.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use gitlab_duo_core::rules::gates::GATES;

const BEGIN: &str = "<!-- gates: made by `cargo xtask tables` -->\n";
const END: &str = "<!-- end of gates -->";

/// Writes the tables into the README.
///
/// # Errors
/// A README without the marks, or one that cannot be written.
pub(crate) fn write() -> Result<()> {
    fs::write(readme(), renewed()?).context("the README cannot be written")
}

/// Compares the tables in the README with what would be written.
///
/// # Errors
/// A difference, with the command that repairs it.
pub(crate) fn check() -> Result<()> {
    let text = fs::read_to_string(readme()).context("the README cannot be read")?;
    ensure!(text == renewed()?, "the tables of the README are stale: run `cargo xtask tables`");
    Ok(())
}

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")
}

fn renewed() -> Result<String> {
    let text = fs::read_to_string(readme()).context("the README cannot be read")?;
    let (before, rest) = text.split_once(BEGIN).context("the README lacks the mark before its gates")?;
    let (_, after) = rest.split_once(END).context("the README lacks the mark after its gates")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", gates()))
}

fn gates() -> String {
    let row = |gate: &gitlab_duo_core::rules::gates::Gate| format!("| {} | {} |\n", gate.since, gate.grants);
    let rows: String = GATES.iter().map(row).collect();
    format!("| GitLab | What it adds |\n| --- | --- |\n{rows}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tables_of_the_readme_are_those_of_the_code() {
        if let Err(complaint) = super::check() {
            panic!("{complaint}");
        }
    }
}
