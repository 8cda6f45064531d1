//! Writes the generated files, or compares them with what is committed.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::sources::workspace;

const REPAIR: &str = "run `cargo xtask codegen` and commit the result";

/// A file below `gitlab-duo-graphql/src/`.
pub(crate) struct GeneratedFile {
    /// With its folder: `generated/get_session.rs`.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Writes what differs and removes what is no longer generated.
pub(crate) fn write(files: &[GeneratedFile]) -> Result<()> {
    fs::create_dir_all(sources().join("generated")).context("the folder `generated` cannot be made")?;
    for file in files {
        let path = sources().join(&file.name);
        if committed(file).as_deref() != Some(file.text.as_str()) {
            fs::write(&path, &file.text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    for name in left_over(files)? {
        fs::remove_file(sources().join(&name)).with_context(|| format!("{name} cannot be removed"))?;
    }
    Ok(())
}

/// Fails at the first file that is not what `schema/` says.
pub(crate) fn check(files: &[GeneratedFile]) -> Result<()> {
    for file in files {
        match committed(file) {
            Some(text) if text == file.text => {}
            Some(_) => bail!("gitlab-duo-graphql/src/{} is not what `schema/` says: {REPAIR}", file.name),
            None => bail!("gitlab-duo-graphql/src/{} is missing: {REPAIR}", file.name),
        }
    }
    match left_over(files)?.first() {
        Some(name) => bail!("gitlab-duo-graphql/src/{name} has no operation any more: {REPAIR}"),
        None => Ok(()),
    }
}

fn sources() -> PathBuf {
    workspace().join("gitlab-duo-graphql/src")
}

fn committed(file: &GeneratedFile) -> Option<String> {
    fs::read_to_string(sources().join(&file.name)).ok()
}

fn left_over(files: &[GeneratedFile]) -> Result<Vec<String>> {
    let generated: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let mut left_over = Vec::new();
    let Ok(entries) = fs::read_dir(sources().join("generated")) else { return Ok(left_over) };
    for entry in entries {
        let name = format!("generated/{}", entry?.file_name().to_string_lossy());
        if !generated.contains(name.as_str()) {
            left_over.push(name);
        }
    }
    Ok(left_over)
}
