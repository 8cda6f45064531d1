//! From `schema/` to `gitlab-duo-graphql/src/generated/`: one file per operation, committed, never edited by hand.

use anyhow::{Context, Result};
use sources::VersionedSchema;

mod details;
mod limits;
mod operation;
mod output;
mod reduce;
mod render;
mod sources;
#[cfg(test)]
mod tests;
mod typed;

/// Writes the generated files, and removes those of operations that are gone.
///
/// # Errors
/// A schema or an operation that does not validate, or a file that cannot be written.
pub(crate) fn write() -> Result<()> {
    output::write(&files()?)
}

/// Compares the committed files with what would be written.
///
/// # Errors
/// The first difference, with the command that repairs it.
pub(crate) fn check() -> Result<()> {
    output::check(&files()?)
}

/// What the results of each operation tell, and since which release, by the name of the operation.
///
/// # Errors
/// A schema or an operation that does not validate.
pub(crate) fn details() -> Result<Vec<(String, Vec<details::Since>)>> {
    let schemas = sources::schemas()?;
    Ok(plans(&schemas)?.into_iter().map(|(operation, plan)| (operation.name, plan.details)).collect())
}

/// Every generated file: its name and its text.
fn files() -> Result<Vec<output::GeneratedFile>> {
    let schemas = sources::schemas()?;
    let typed = typed::Generator::new(newest(&schemas)?)?;
    let mut files = Vec::new();
    for (operation, plan) in plans(&schemas)? {
        let types = typed.generate(&operation)?;
        files.push(render::operation_file(&operation, &plan, &types)?);
    }
    files.push(render::list_file(&files)?);
    Ok(files)
}

fn plans(schemas: &[VersionedSchema]) -> Result<Vec<(operation::Operation, details::Plan)>> {
    let newest = newest(schemas)?;
    let plan = |source: &_| {
        let operation = operation::Operation::parse(source, newest)?;
        limits::check(&operation, newest)?;
        let reductions = reduce::reduce_for_all(&operation, schemas)?;
        let plan = details::Plan::new(&operation, schemas, &reductions);
        Ok((operation, plan))
    };
    sources::operations()?.iter().map(plan).collect()
}

fn newest(schemas: &[VersionedSchema]) -> Result<&VersionedSchema> {
    schemas.last().context("`schema/` has no file `gitlab-<major>.<minor>.graphql`")
}
