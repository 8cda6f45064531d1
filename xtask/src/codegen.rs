//! From `schema/` to `gitlab-duo-graphql/src/generated/`: one file per operation, committed, never edited by hand.

use anyhow::{Context, Result};

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

/// Every generated file: its name and its text.
fn files() -> Result<Vec<output::GeneratedFile>> {
    let schemas = sources::schemas()?;
    let newest = schemas.last().context("`schema/` has no file `gitlab-<major>.<minor>.graphql`")?;
    let typed = typed::Generator::new(newest)?;

    let mut files = Vec::new();
    for source in sources::operations()? {
        let operation = operation::Operation::parse(&source, newest)?;
        limits::check(&operation, newest)?;
        let reductions = reduce::reduce_for_all(&operation, &schemas)?;
        let plan = details::Plan::new(&operation, &schemas, &reductions);
        let types = typed.generate(&operation)?;
        files.push(render::operation_file(&operation, &plan, &types)?);
    }
    files.push(render::list_file(&files)?);
    Ok(files)
}
