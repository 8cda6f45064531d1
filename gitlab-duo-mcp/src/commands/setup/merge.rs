//! Puts the entry into the text of a client's configuration and leaves everything else in it as it is,
//! order and comments too.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table};

use crate::commands::setup::client::{ClientSpec, Form, TokenReference};
use crate::commands::setup::entry::Entry;

/// The name of this server in a client.
pub(super) const SERVER: &str = "gitlab-duo";

/// Why a text is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotMerged {
    /// It is not in the form that the client reads.
    Unreadable,
    /// What should hold the servers holds something else.
    Unexpected,
}

/// A whole configuration with nothing but this server.
pub(super) fn alone(spec: &ClientSpec, entry: &Entry) -> String {
    match spec.form {
        Form::Json(key) | Form::JsonWithComments(key) => {
            let mut all = json!({ key: { SERVER: entry.json(spec) } });
            if let (Some(input), Some(all)) = (input(spec, entry), all.as_object_mut()) {
                all.insert("inputs".to_owned(), json!([input]));
            }
            format!("{all:#}\n")
        }
        Form::Toml(key) => {
            let mut document = DocumentMut::new();
            // A new document has no other table in the way.
            let _merged = merge_toml(&mut document, key, entry.toml(spec));
            document.to_string()
        }
    }
}

/// `text` with this server in it.
pub(super) fn merged(text: &str, spec: &ClientSpec, entry: &Entry) -> Result<String, NotMerged> {
    if text.trim().is_empty() {
        return Ok(alone(spec, entry));
    }
    match spec.form {
        Form::Json(key) => {
            // What the client could not read itself is not ours to repair.
            serde_json::from_str::<Value>(text).map_err(|_| NotMerged::Unreadable)?;
            merge_json(text, key, spec, entry)
        }
        Form::JsonWithComments(key) => merge_json(text, key, spec, entry),
        Form::Toml(key) => {
            let mut document: DocumentMut = text.parse().map_err(|_| NotMerged::Unreadable)?;
            merge_toml(&mut document, key, entry.toml(spec)).ok_or(NotMerged::Unexpected)?;
            Ok(document.to_string())
        }
    }
}

/// Comments and trailing commas are all that a client allows beyond JSON.
const WITH_COMMENTS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn merge_json(text: &str, key: &str, spec: &ClientSpec, entry: &Entry) -> Result<String, NotMerged> {
    let root = CstRootNode::parse(text, &WITH_COMMENTS).map_err(|_| NotMerged::Unreadable)?;
    let all = root.object_value_or_create().ok_or(NotMerged::Unexpected)?;
    let servers = all.object_value_or_create(key).ok_or(NotMerged::Unexpected)?;
    put(&servers, SERVER, &entry.json(spec));
    if let Some(input) = input(spec, entry) {
        add_input(&all, &input).ok_or(NotMerged::Unexpected)?;
    }
    Ok(root.to_string())
}

fn put(object: &CstObject, name: &str, value: &Value) {
    match object.get(name) {
        Some(property) => property.set_value(input_value(value)),
        None => drop(object.append(name, input_value(value))),
    }
}

/// An input of this id that is there already is the user's own.
fn add_input(all: &CstObject, input: &Value) -> Option<()> {
    let inputs = all.array_value_or_create("inputs")?;
    let id = input.get("id").and_then(Value::as_str);
    let id_of = |object: CstObject| object.get("id")?.value()?.as_string_lit()?.decoded_value().ok();
    let mut ids = inputs.elements().into_iter().filter_map(|element| id_of(element.as_object()?));
    if !ids.any(|other| Some(other.as_str()) == id) {
        inputs.append(input_value(input));
    }
    Some(())
}

/// The input that a client asks for the token with.
fn input(spec: &ClientSpec, entry: &Entry) -> Option<Value> {
    let TokenReference::Input(id) = spec.token else { return None };
    let input = json!({
        "type": "promptString",
        "id": id,
        "description": "GitLab token with the scope api (read_api to browse only)",
        "password": true,
    });
    entry.needs_token().then_some(input)
}

fn input_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(switch) => CstInputValue::Bool(*switch),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(entries) => CstInputValue::Array(entries.iter().map(input_value).collect()),
        Value::Object(entries) => CstInputValue::Object(
            entries.iter().map(|(name, value)| (name.clone(), input_value(value))).collect(),
        ),
    }
}

/// None when what should hold the servers holds something else.
fn merge_toml(document: &mut DocumentMut, key: &str, entry: Table) -> Option<()> {
    let servers = document.entry(key).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    match servers {
        Item::Table(servers) => servers.insert(SERVER, Item::Table(entry)),
        other => {
            let entry = entry.into_inline_table();
            other.as_table_like_mut()?.insert(SERVER, toml_edit::value(entry))
        }
    };
    Some(())
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
