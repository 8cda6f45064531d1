//! Reads `schema/`: the vendored schemas, oldest first, and the operations.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use apollo_compiler::Schema;
use apollo_compiler::validation::Valid;
use gitlab_duo_core::rules::version::Release;

/// One vendored schema.
pub(crate) struct VersionedSchema {
    pub(crate) version: Release,
    pub(crate) sdl: String,
    pub(crate) schema: Valid<Schema>,
}

/// One file of `schema/operations/`.
pub(crate) struct OperationSource {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The root of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// All vendored schemas, oldest first.
pub(crate) fn schemas() -> Result<Vec<VersionedSchema>> {
    let mut schemas = Vec::new();
    for path in graphql_files(&workspace().join("schema"))? {
        let version = version_in_name(&path).with_context(|| {
            format!("{}: the name is not `gitlab-<major>.<minor>.graphql`", path.display())
        })?;
        let sdl = read(&path)?;
        let schema =
            Schema::parse_and_validate(&sdl, &path).map_err(|invalid| anyhow!("{}", invalid.errors))?;
        schemas.push(VersionedSchema { version, sdl, schema });
    }
    schemas.sort_by_key(|schema| schema.version);
    Ok(schemas)
}

/// All operations, by name.
pub(crate) fn operations() -> Result<Vec<OperationSource>> {
    let mut operations = Vec::new();
    for path in graphql_files(&workspace().join("schema/operations"))? {
        operations.push(OperationSource { name: stem(&path), text: read(&path)? });
    }
    Ok(operations)
}

fn graphql_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(directory).with_context(|| format!("{} cannot be listed", directory.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "graphql"));
    paths.sort();
    Ok(paths)
}

fn version_in_name(path: &Path) -> Option<Release> {
    let stem = stem(path);
    let (major, minor) = stem.strip_prefix("gitlab-")?.split_once('.')?;
    Some(Release::new(major.parse().ok()?, minor.parse().ok()?))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}
