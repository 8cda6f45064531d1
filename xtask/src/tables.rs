//! Tables of the README that are made from code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use gitlab_duo_core::rules::gates::{GATES, Gate};
use gitlab_duo_core::rules::limits::{LIMITS, Limit};
use gitlab_duo_core::rules::policy::{Access, POLICIES, Policy, Preset};

/// Bounds that a user meets; all of them are in `rules/limits.rs`.
const SHOWN_LIMITS: [&str; 4] = ["ANSWER_CHARS", "HUMAN_MESSAGE_CHARS", "LONG_GOAL_CHARS", "RESPONSE_BYTES"];

/// A table: its name in the marks, and its text.
type Table = (&'static str, fn() -> String);

const TABLES: [Table; 3] = [("gates", gates), ("policy", policy), ("limits", limits)];

/// Writes the tables into the README, and those of the settings, which their own test makes.
///
/// # Errors
/// A README without the marks, or one that cannot be written.
pub(crate) fn write() -> Result<()> {
    fs::write(readme(), renewed()?).context("the README cannot be written")?;
    write_settings()
}

/// The settings are the server's, which this crate must not depend on: a stale one would stop its own
/// repair.
fn write_settings() -> Result<()> {
    let test = ["test", "--quiet", "--package", "gitlab-duo-mcp", "--test", "it", "settings_tables"];
    let status = Command::new("cargo").args(test).env("UPDATE_TABLES", "1").stdout(Stdio::null()).status();
    ensure!(
        status.context("`cargo` does not run")?.success(),
        "the tables of the settings cannot be written"
    );
    Ok(())
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
    TABLES.iter().try_fold(text, |text, (name, table)| replaced(&text, name, &table()))
}

fn replaced(text: &str, name: &str, table: &str) -> Result<String> {
    let begin = format!("<!-- {name}: made by `cargo xtask tables` -->\n");
    let end = format!("<!-- end of {name} -->");
    let (before, rest) =
        text.split_once(&begin).with_context(|| format!("the README lacks the mark before its {name}"))?;
    let (_, after) =
        rest.split_once(&end).with_context(|| format!("the README lacks the mark after its {name}"))?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

fn gates() -> String {
    let row = |gate: &Gate| format!("| {} | {} |\n", gate.since, gate.grants);
    let rows: String = GATES.iter().map(row).collect();
    format!("| GitLab | What it adds |\n| --- | --- |\n{rows}")
}

fn policy() -> String {
    let row = |policy: &Policy| format!("| `{}` | {} |\n", policy.setting, policy.effect);
    let rows: String = POLICIES.iter().map(row).collect();
    let names = |access| Preset::names(access).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (full, read_only, off) = (names(Access::Full), names(Access::ReadOnly), names(Access::Off));
    format!(
        "| Setting | Effect |\n| --- | --- |\n{rows}\nPresets: all of it for {full}; browsing only for {read_only}; off for {off}.\n"
    )
}

fn limits() -> String {
    let is_shown = |limit: &&Limit| SHOWN_LIMITS.contains(&limit.name);
    let row = |limit: &Limit| {
        format!("| `{}` | {} | {} |\n", limit.name, grouped(limit.value), limit.bounds.trim())
    };
    let rows: String = LIMITS.iter().filter(is_shown).map(row).collect();
    format!("| Bound | Value | Of what |\n| --- | --- | --- |\n{rows}")
}

/// `65536` as `65,536`.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let starts_group = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let with_comma = |(index, digit): (usize, char)| {
        if starts_group(index) { format!(",{digit}") } else { digit.to_string() }
    };
    digits.chars().enumerate().map(with_comma).collect()
}

#[cfg(test)]
mod tests {
    use super::{LIMITS, SHOWN_LIMITS, grouped};

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 160, 1_000, 4_194_304].map(grouped), ["0", "160", "1,000", "4,194,304"]);
    }

    #[test]
    fn every_bound_of_the_readme_exists() {
        for name in SHOWN_LIMITS {
            assert!(LIMITS.iter().any(|limit| limit.name == name), "{name}");
        }
    }

    #[test]
    fn the_tables_of_the_readme_are_those_of_the_code() {
        if let Err(complaint) = super::check() {
            panic!("{complaint}");
        }
    }
}
