//! Tables of the README and of docs/versions.md that are made from code and schemas.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use gitlab_duo_core::rules::gates::{Feature, GATES, Gate};
use gitlab_duo_core::rules::limits::{LIMITS, Limit};
use gitlab_duo_core::rules::policy::{Access, POLICIES, Policy, Preset};
use gitlab_duo_core::rules::version::Release;

use crate::codegen;

/// Bounds that a user meets; all of them are in `rules/limits.rs`.
const SHOWN_LIMITS: [&str; 4] = ["ANSWER_CHARS", "HUMAN_MESSAGE_CHARS", "LONG_GOAL_CHARS", "RESPONSE_BYTES"];

/// The actions that read, with what they need and the operations that they ask GitLab with.
const READS: [(&str, Feature, &[&str]); 3] = [
    ("list", Feature::ReadSessions, &["list_sessions"]),
    ("get", Feature::ReadSessions, &["get_session"]),
    ("agents_and_flows", Feature::Discover, &["catalog_page", "eligibility"]),
];

/// A table: its name in the marks, and its text.
type Table = (&'static str, fn() -> Result<String>);

/// Each page with its tables.
const PAGES: [(&str, &[Table]); 2] = [
    ("README.md", &[("gates", gates), ("policy", policy), ("limits", limits)]),
    ("docs/versions.md", &[("gates", gates), ("details", details)]),
];

/// Writes the tables into their pages, and those of the settings, which their own test makes.
///
/// # Errors
/// A page without the marks, or one that cannot be written.
pub(crate) fn write() -> Result<()> {
    for (page, tables) in PAGES {
        fs::write(path(page), renewed(page, tables)?).with_context(|| format!("{page} cannot be written"))?;
    }
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

/// Compares the tables in their pages with what would be written.
///
/// # Errors
/// A difference, with the command that repairs it.
pub(crate) fn check() -> Result<()> {
    for (page, tables) in PAGES {
        ensure!(
            read(page)? == renewed(page, tables)?,
            "the tables of {page} are stale: run `cargo xtask tables`"
        );
    }
    Ok(())
}

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page)
}

fn read(page: &str) -> Result<String> {
    fs::read_to_string(path(page)).with_context(|| format!("{page} cannot be read"))
}

fn renewed(page: &str, tables: &[Table]) -> Result<String> {
    let replace = |text: String, (name, table): &Table| replaced(&text, name, &table()?);
    tables.iter().try_fold(read(page)?, replace).with_context(|| format!("{page} cannot be renewed"))
}

fn replaced(text: &str, name: &str, table: &str) -> Result<String> {
    let begin = format!("<!-- {name}: made by `cargo xtask tables` -->\n");
    let end = format!("<!-- end of {name} -->");
    let (before, rest) = text.split_once(&begin).with_context(|| format!("no mark before its {name}"))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("no mark after its {name}"))?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

fn gates() -> Result<String> {
    let row = |gate: &Gate| format!("| {} | {} |\n", gate.since, gate.grants);
    let rows: String = GATES.iter().map(row).collect();
    Ok(format!("| GitLab | What it adds |\n| --- | --- |\n{rows}"))
}

/// What each read tells, by the release that it is known from.
fn details() -> Result<String> {
    let known = codegen::details()?;
    let mut table = "| `action` | GitLab | What it tells from there on, beside id, status and project |\n| --- | --- | --- |\n".to_owned();
    for (action, feature, operations) in READS {
        let mut by_release: BTreeMap<Release, Vec<String>> = BTreeMap::new();
        let of_action = known.iter().filter(|(operation, _)| operations.contains(&operation.as_str()));
        for detail in of_action.flat_map(|(_, details)| details) {
            let since = detail.since.max(feature.gate().since);
            by_release.entry(since).or_default().push(format!("`{}`", detail.name));
        }
        for (since, names) in by_release {
            table.push_str(&format!("| `{action}` | {since} | {} |\n", names.join(", ")));
        }
    }
    Ok(table)
}

fn policy() -> Result<String> {
    let row = |policy: &Policy| format!("| `{}` | {} |\n", policy.setting, policy.effect);
    let rows: String = POLICIES.iter().map(row).collect();
    let names = |access| Preset::names(access).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let (full, read_only, off) = (names(Access::Full), names(Access::ReadOnly), names(Access::Off));
    Ok(format!(
        "| Setting | Effect |\n| --- | --- |\n{rows}\nPresets: all of it for {full}; browsing only for {read_only}; off for {off}.\n"
    ))
}

fn limits() -> Result<String> {
    let is_shown = |limit: &&Limit| SHOWN_LIMITS.contains(&limit.name);
    let row = |limit: &Limit| {
        format!("| `{}` | {} | {} |\n", limit.name, grouped(limit.value), limit.bounds.trim())
    };
    let rows: String = LIMITS.iter().filter(is_shown).map(row).collect();
    Ok(format!("| Bound | Value | Of what |\n| --- | --- | --- |\n{rows}"))
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
    fn the_tables_are_those_of_the_code() {
        if let Err(complaint) = super::check() {
            panic!("{complaint}");
        }
    }
}
