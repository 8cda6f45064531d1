//! Rules of this repository that a machine can hold.

use anyhow::{Result, bail};

mod circles;
mod imports;
mod layers;
mod release;
mod rules;
mod sources;
#[cfg(test)]
mod tests;

/// Checks every rule.
///
/// # Errors
/// All places that break one.
pub(crate) fn check() -> Result<()> {
    let files = sources::files()?;
    let manifests = sources::manifests()?;
    let mut found = rules::sizes(&files);
    found.extend(rules::forbidden_words(&files));
    found.extend(rules::manifests(&manifests));
    found.extend(layers::upward(&files));
    found.extend(circles::circles(&files));
    found.extend(release::disagreements(&release::Release::read()?));
    if found.is_empty() {
        return Ok(());
    }
    bail!("{}", found.join("\n"));
}
