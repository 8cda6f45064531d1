//! One operation: its syntax tree, the rules it keeps, and what its fields are called in a result.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, bail, ensure};
use apollo_compiler::ast::{Definition, Document, Field, OperationDefinition, Selection};
use apollo_compiler::{ExecutableDocument, Node};

use super::sources::{OperationSource, VersionedSchema};

/// The way to a field from the root: response names, outermost first.
pub(crate) type Path = Vec<String>;

/// What a reader of the result calls a field.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Detail {
    /// No comment: the field's own name in snake case.
    Own(String),
    /// Named by a comment.
    Named(Vec<String>),
    /// `# detail: -`.
    Nothing,
}

/// A parsed operation that keeps the rules of `schema/SOURCE.md`.
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) definition: Node<OperationDefinition>,
    /// One entry per field, in the order of the file.
    pub(crate) details: Vec<(Path, Detail)>,
}

impl Operation {
    /// Parses and validates against the newest schema.
    pub(crate) fn parse(source: &OperationSource, newest: &VersionedSchema) -> Result<Self> {
        let file = format!("schema/operations/{}.graphql", source.name);
        ExecutableDocument::parse_and_validate(&newest.schema, &source.text, &file)
            .map_err(|invalid| anyhow!("{}", invalid.errors))?;
        let document =
            Document::parse(&source.text, &file).map_err(|invalid| anyhow!("{}", invalid.errors))?;
        let [Definition::OperationDefinition(definition)] = document.definitions.as_slice() else {
            bail!("{file}: one operation per file, and no fragments");
        };
        let named = definition.name.as_ref().is_some_and(|name| name.as_str() == source.name);
        ensure!(named, "{file}: the operation is not named `{}` like its file", source.name);
        ensure!(definition.operation_type.is_query(), "{file}: only queries, GitLab's writes are REST");

        let comments = detail_comments(&source.text);
        let mut details = Vec::new();
        for_each_field(&definition.selection_set, &mut Vec::new(), &mut |path, field| {
            let name = field.name.as_str();
            ensure!(field.alias.is_none(), "{file}: `{name}` has an alias");
            ensure!(field.directives.is_empty(), "{file}: `{name}` has a directive");
            ensure!(!name.starts_with("__"), "{file}: `{name}` is introspection");
            let line = field.line_column_range(&document.sources).map(|range| range.start.line);
            let comment = line.and_then(|line| comments.get(&line)).cloned();
            details.push((path.to_owned(), comment.unwrap_or_else(|| Detail::Own(snake_case(name)))));
            Ok(())
        })
        .map_err(|error| anyhow!("{file}: {error}"))?;
        Ok(Self { name: source.name.clone(), definition: definition.clone(), details })
    }
}

/// Calls `visit` for every field, parents first.
pub(crate) fn for_each_field(
    selections: &[Selection],
    path: &mut Path,
    visit: &mut dyn FnMut(&Path, &Node<Field>) -> Result<()>,
) -> Result<()> {
    for selection in selections {
        let Selection::Field(field) = selection else { bail!("a fragment stands where a field is expected") };
        path.push(field.name.to_string());
        visit(path, field)?;
        for_each_field(&field.selection_set, path, visit)?;
        path.pop();
    }
    Ok(())
}

/// The comments `# detail: …` by line, counted from one.
fn detail_comments(text: &str) -> BTreeMap<usize, Detail> {
    let comment = |line: &str| {
        let names = line.split_once("# detail:")?.1.trim();
        Some(match names {
            "-" => Detail::Nothing,
            names => Detail::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
        })
    };
    text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, comment(line)?))).collect()
}

/// `workflowDefinition` as `workflow_definition`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
