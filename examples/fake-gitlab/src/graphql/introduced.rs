//! `@gl_introduced`: nodes newer than the server are dropped before checking and answered null.

use super::document::fragment;
use crate::version::Version;
use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection, Value as Literal};
use serde_json::Value;

/// The document without what is newer than the server.
pub(super) fn drop_newer(document: &Document, version: &Version) -> Document {
    let mut document = document.clone();
    for definition in &mut document.definitions {
        match definition {
            Definition::OperationDefinition(operation) => {
                prune(&mut operation.make_mut().selection_set, version);
            }
            Definition::FragmentDefinition(fragment) => {
                prune(&mut fragment.make_mut().selection_set, version);
            }
            _ => {}
        }
    }
    document
}

fn prune(selections: &mut Vec<Selection>, version: &Version) {
    selections.retain(|selection| !is_newer(selection, version));
    for selection in selections {
        match selection {
            Selection::Field(field) => prune(&mut field.make_mut().selection_set, version),
            Selection::InlineFragment(inline) => prune(&mut inline.make_mut().selection_set, version),
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn is_newer(selection: &Selection, version: &Version) -> bool {
    let directives = match selection {
        Selection::Field(field) => &field.directives,
        Selection::InlineFragment(inline) => &inline.directives,
        Selection::FragmentSpread(_) => return false,
    };
    tag(directives).is_some_and(|tag| version.is_older_than_tag(&tag))
}

fn tag(directives: &DirectiveList) -> Option<String> {
    let directive = directives.get("gl_introduced")?;
    match directive.specified_argument_by_name("version")?.as_ref() {
        Literal::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Puts null where a dropped field would have been.
pub(super) fn fill(data: &mut Value, document: &Document, selections: &[Selection], version: &Version) {
    match data {
        Value::Array(rows) => rows.iter_mut().for_each(|row| fill(row, document, selections, version)),
        Value::Object(_) => {
            for selection in selections {
                fill_one(data, document, selection, version);
            }
        }
        _ => {}
    }
}

fn fill_one(data: &mut Value, document: &Document, selection: &Selection, version: &Version) {
    match selection {
        Selection::Field(field) => {
            let Value::Object(map) = data else { return };
            let key = field.response_name().as_str();
            if is_newer(selection, version) {
                map.entry(key).or_insert(Value::Null);
            } else if let Some(inner) = map.get_mut(key) {
                fill(inner, document, &field.selection_set, version);
            }
        }
        Selection::InlineFragment(inline) if !is_newer(selection, version) => {
            fill(data, document, &inline.selection_set, version);
        }
        Selection::FragmentSpread(spread) => {
            let selections = fragment(document, &spread.fragment_name).unwrap_or_default();
            fill(data, document, selections, version);
        }
        Selection::InlineFragment(_) => {}
    }
}
