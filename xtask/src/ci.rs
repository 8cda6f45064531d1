//! What is run before a change lands, step by step.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A step: its name and its command.
const STEPS: [(&str, &[&str]); 12] = [
    ("format", &["cargo", "fmt", "--all", "--check"]),
    ("lints", &["cargo", "clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
    ("generated code", &["cargo", "xtask", "codegen", "--check"]),
    ("tables", &["cargo", "xtask", "tables", "--check"]),
    ("tests", &["cargo", "test", "--workspace"]),
    ("fuzzing", &["cargo", "xtask", "fuzz", "--seconds", "5"]),
    ("quickstart", &["cargo", "run", "--quiet", "--example", "quickstart"]),
    ("foreign clients", &["cargo", "xtask", "clients"]),
    ("conformance", &["cargo", "xtask", "conformance"]),
    ("documentation", &["cargo", "doc", "--workspace", "--no-deps"]),
    ("public interface", &["cargo", "xtask", "public-api", "--check"]),
    ("packages", &["cargo", "xtask", "packages"]),
];

/// Runs every step and stops at the first that fails.
///
/// # Errors
/// The step that failed, with its command.
pub(crate) fn run() -> Result<()> {
    for (name, command) in STEPS {
        eprintln!("\n== {name}: {}", command.join(" "));
        let (program, arguments) = command.split_first().context("a step has a program")?;
        let status = Command::new(program)
            .args(arguments)
            .env("RUSTDOCFLAGS", "--deny warnings")
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .status()
            .with_context(|| format!("`{program}` does not run"))?;
        ensure!(status.success(), "{name} failed: run `{}`", command.join(" "));
    }
    Ok(())
}
