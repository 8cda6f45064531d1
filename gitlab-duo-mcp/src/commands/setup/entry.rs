//! What a client is told about this server: the command, and the settings that were given when it was
//! set up.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::commands::setup::client::{ClientSpec, TokenReference};
use crate::settings::layers::{Layers, Origin};
use crate::settings::read::Settings;
use crate::settings::table::{
    ALLOWED_HOSTS, ALLOWED_ORIGINS, CA_FILE, CLIENT_CERT_FILE, CLIENT_KEY_FILE, CONFIG, HTTP,
    HTTP_SHARE_TOKEN, LOG, LOG_FORMAT, Setting, TABLE, TOKEN, TOKEN_FILE, URL,
};
use crate::settings::token::TokenSetting;

/// What the client runs.
#[derive(Clone, Debug)]
pub struct Entry {
    command: String,
    /// Variables with their values, in the order of the table; never the token.
    environment: Vec<(&'static str, String)>,
    /// Whether the settings say where the token comes from, other than from a variable.
    has_token_place: bool,
}

impl Entry {
    /// The entry for this program with these settings. What flags and environment say is written
    /// down for the client, since it starts the server with neither; the settings file is found again.
    /// `directory` is where relative paths begin.
    #[must_use]
    pub fn new(program: &Path, directory: &Path, layers: &Layers, settings: &Settings) -> Self {
        let environment = TABLE.iter().filter(|setting| is_carried(setting));
        let environment = environment.filter_map(|setting| {
            let text = given(layers, setting)?;
            Some((setting.variable, if is_path(setting) { absolute(directory, &text) } else { text }))
        });
        let has_place =
            |token: &TokenSetting| !matches!(token, TokenSetting::Value(_)) || is_in_file(layers, &TOKEN);
        Self {
            command: program.display().to_string(),
            environment: environment.collect(),
            has_token_place: settings.token.as_ref().is_some_and(has_place),
        }
    }

    /// Whether a variable with the token is still needed.
    pub(super) fn needs_token(&self) -> bool {
        !self.has_token_place
    }

    /// The entry as JSON.
    pub(super) fn json(&self, spec: &ClientSpec) -> Value {
        let mut environment: Map<String, Value> =
            self.environment.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
        if let Some(reference) = self.reference(spec) {
            environment.insert(TOKEN.variable.to_owned(), json!(reference));
        }
        let mut entry = json!({ "command": self.command, "args": [], "env": environment });
        if let (Some(transport), Some(entry)) = (spec.transport, entry.as_object_mut()) {
            entry.insert("type".to_owned(), json!(transport));
        }
        entry
    }

    /// The entry as a table of TOML.
    pub(super) fn toml(&self, spec: &ClientSpec) -> toml_edit::Table {
        let mut entry = toml_edit::Table::new();
        entry.insert("command", toml_edit::value(&self.command));
        if self.needs_token() && spec.token == TokenReference::PassedOn {
            entry.insert("env_vars", toml_edit::value(toml_edit::Array::from_iter([TOKEN.variable])));
        }
        let mut environment = toml_edit::InlineTable::new();
        for (name, text) in &self.environment {
            environment.insert(*name, text.into());
        }
        entry.insert("env", toml_edit::value(environment));
        entry
    }

    /// The text in place of the token.
    fn reference(&self, spec: &ClientSpec) -> Option<String> {
        let text = match spec.token {
            TokenReference::Text(text) => text.to_owned(),
            TokenReference::Input(id) => format!("${{input:{id}}}"),
            TokenReference::PassedOn | TokenReference::None => return None,
        };
        self.needs_token().then_some(text)
    }
}

/// The token is never carried, and a client that starts the server itself talks over standard input
/// and output.
fn is_carried(setting: &Setting) -> bool {
    let left_out = [TOKEN, HTTP, ALLOWED_ORIGINS, ALLOWED_HOSTS, HTTP_SHARE_TOKEN, LOG, LOG_FORMAT];
    !left_out.iter().any(|other| other.variable == setting.variable)
}

/// What flags and environment say; the address is always said, unless the settings file says it.
fn given(layers: &Layers, setting: &Setting) -> Option<String> {
    let is_caller = |origin| matches!(origin, Origin::Flags | Origin::Environment);
    let caller = layers.0.iter().filter(|layer| is_caller(layer.origin));
    let text = caller.filter_map(|layer| layer.get(setting)).next().map(str::to_owned);
    let is_address = setting.variable == URL.variable && !is_in_file(layers, &URL);
    text.or_else(|| is_address.then(|| URL.default.to_owned()))
}

fn is_in_file(layers: &Layers, setting: &Setting) -> bool {
    let mut file = layers.0.iter().filter(|layer| matches!(layer.origin, Origin::Profile | Origin::File));
    file.any(|layer| layer.get(setting).is_some())
}

/// The client starts the server somewhere else than here.
fn is_path(setting: &Setting) -> bool {
    let paths = [TOKEN_FILE, CA_FILE, CLIENT_CERT_FILE, CLIENT_KEY_FILE, CONFIG];
    paths.iter().any(|path| path.variable == setting.variable)
}

fn absolute(directory: &Path, text: &str) -> String {
    let path = PathBuf::from(text);
    if path.is_absolute() { text.to_owned() } else { directory.join(path).display().to_string() }
}
