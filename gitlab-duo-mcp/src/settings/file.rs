//! The settings file: where it is, and its values as layers.
//!
//! It is never looked for in the working directory: an editor starts the server inside whatever
//! repository is open, and a file of that repository could send the token to a host of its choice.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

use toml::{Table, Value};

use crate::settings::environment::Environment;
use crate::settings::layers::{Layer, Origin, accepted};
use crate::settings::table::{CONFIG, Form, PROFILE, Setting, TABLE, TOKEN};
use crate::settings::wrong::WrongSetting;

/// The file below the directory of the user's configuration.
const BELOW_CONFIGURATION: &str = "gitlab-duo/gitlab-duo.toml";
/// The key under which the profiles stand.
const PROFILES: &str = "profile";
/// Bytes of a settings file; a larger one is something else.
const FILE_BYTES: u64 = 256 * 1_024;
/// Characters of an unknown key that are repeated.
const SHOWN_CHARS: usize = 40;

/// Reads the layers of the file: the chosen profile, then what stands outside the profiles.
/// `path` and `profile` are what flags and environment say.
///
/// # Errors
/// [`WrongSetting`] for a file that was named and cannot be read, for anything in it that is not
/// known or not accepted, and for a profile that is not there.
pub fn layers(
    path: Option<&str>,
    profile: Option<&str>,
    environment: &Environment,
) -> Result<Vec<Layer>, WrongSetting> {
    let Some(read) = read(path, environment)? else {
        return match profile {
            None => Ok(Vec::new()),
            Some(_) => {
                Err(WrongSetting::new(PROFILE.name(), "there is no settings file: name it with --config"))
            }
        };
    };
    let table = parsed(&read.text)?;
    let (profiles, root): (Table, Table) = table.into_iter().partition(|(key, _)| key == PROFILES);
    let root = layer(&root, Origin::File, read.is_private)?;
    let mut profiles = profile_layers(profiles, read.is_private)?;
    let Some(wanted) = profile else { return Ok(vec![root]) };
    let Some(chosen) = profiles.iter().position(|(name, _)| name == wanted) else {
        return Err(no_profile(&profiles));
    };
    Ok(vec![profiles.swap_remove(chosen).1, root])
}

/// A file that was read.
struct FileText {
    text: String,
    /// Whether only its owner can read it.
    is_private: bool,
}

fn read(named: Option<&str>, environment: &Environment) -> Result<Option<FileText>, WrongSetting> {
    let path = named.map(PathBuf::from).or_else(|| default_path(environment));
    let Some(path) = path else { return Ok(None) };
    match text_of(&path) {
        Ok(text) => Ok(Some(text)),
        Err(Unreadable::Missing) if named.is_none() => Ok(None),
        Err(unreadable) => Err(WrongSetting::new(CONFIG.name(), unreadable.why())),
    }
}

fn default_path(environment: &Environment) -> Option<PathBuf> {
    let absolute = |value: &OsStr| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    let configured = environment.get("XDG_CONFIG_HOME").and_then(absolute);
    let roaming = || environment.get("APPDATA").and_then(absolute).filter(|_| cfg!(windows));
    let below_home = || environment.get("HOME").and_then(absolute).map(|home| home.join(".config"));
    Some(configured.or_else(roaming).or_else(below_home)?.join(BELOW_CONFIGURATION))
}

enum Unreadable {
    Missing,
    Failed(ErrorKind),
    TooLarge,
}

impl Unreadable {
    fn why(&self) -> String {
        match self {
            Self::Missing => "there is no such file".to_owned(),
            Self::Failed(kind) => format!("the file cannot be read: {kind}"),
            Self::TooLarge => format!("the file is larger than {} KiB", FILE_BYTES / 1_024),
        }
    }
}

fn text_of(path: &std::path::Path) -> Result<FileText, Unreadable> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Unreadable::Missing,
        kind => Unreadable::Failed(kind),
    };
    let file = File::open(path).map_err(failed)?;
    let is_private = is_private(&file.metadata().map_err(failed)?);
    let mut text = String::new();
    file.take(FILE_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > FILE_BYTES { Err(Unreadable::TooLarge) } else { Ok(FileText { text, is_private }) }
}

#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 == 0
}

/// Elsewhere the user's own directories are private by themselves, and there are no bits to look at.
#[cfg(not(unix))]
fn is_private(_metadata: &std::fs::Metadata) -> bool {
    true
}

/// The library's own words would repeat the line, which may hold a secret.
fn parsed(text: &str) -> Result<Table, WrongSetting> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let place = before.map(|before| format!("line {} ", before.matches('\n').count() + 1));
        let why =
            format!("{}of the settings file is not TOML", place.unwrap_or_else(|| "a line ".to_owned()));
        WrongSetting::new(CONFIG.name(), why)
    })
}

fn layer(table: &Table, origin: Origin, is_private: bool) -> Result<Layer, WrongSetting> {
    let mut layer = Layer::new(origin);
    for (key, value) in table {
        let known = TABLE.iter().find(|setting| setting.key().as_deref() == Some(key));
        let setting = known.ok_or_else(|| unknown_key(key, origin))?;
        if setting.variable == TOKEN.variable && !is_private {
            let why = "accepted only in a file that nobody else can read: `chmod 600` it, or set `token_file` instead";
            return Err(WrongSetting::new(origin.name(setting), why));
        }
        let text = text_of_value(value, setting.form);
        let text = text.ok_or_else(|| WrongSetting::new(origin.name(setting), accepted(setting)))?;
        layer.set(setting, &text);
    }
    Ok(layer)
}

/// Profiles that are not chosen are read as well: a mistake in one does not wait for its day.
fn profile_layers(profiles: Table, is_private: bool) -> Result<Vec<(String, Layer)>, WrongSetting> {
    let mut layers = Vec::new();
    for (_, profiles) in profiles {
        let Value::Table(profiles) = profiles else { return Err(not_profiles()) };
        for (name, profile) in profiles {
            let Value::Table(profile) = profile else { return Err(not_profiles()) };
            let layer = layer(&profile, Origin::Profile, is_private)?;
            layers.push((name, layer));
        }
    }
    Ok(layers)
}

fn not_profiles() -> WrongSetting {
    WrongSetting::new("`profile` in the settings file", "accepted: tables like `[profile.work]`")
}

fn no_profile(profiles: &[(String, Layer)]) -> WrongSetting {
    let names: Vec<_> = profiles.iter().map(|(name, _)| shown(name)).collect();
    let accepted = if names.is_empty() {
        "there is no profile in the settings file".to_owned()
    } else {
        format!("accepted: {}", names.join(", "))
    };
    WrongSetting::new(PROFILE.name(), accepted)
}

fn unknown_key(key: &str, origin: Origin) -> WrongSetting {
    let place =
        if origin == Origin::Profile { "a profile of the settings file" } else { "the settings file" };
    let keys: Vec<_> = TABLE.iter().filter_map(Setting::key).collect();
    let accepted = format!("no such setting; accepted: {}", keys.join(", "));
    WrongSetting::new(format!("`{}` in {place}", shown(key)), accepted)
}

/// A name of the user's, unless it looks like something else than a name.
fn shown(name: &str) -> &str {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_short = name.chars().count() <= SHOWN_CHARS;
    let is_token = name.starts_with("gl") && name.contains('-');
    if is_name && is_short && !is_token { name } else { "(a name)" }
}

/// The text that a flag or variable would hold; none for a value of another kind. An empty list is
/// none: it may be meant as "nothing", and would count as "not set".
fn text_of_value(value: &Value, form: Form) -> Option<String> {
    match (value, form) {
        (Value::String(text), _) => Some(text.clone()),
        (Value::Boolean(switch), Form::Switch) => Some(switch.to_string()),
        (Value::Integer(number), Form::Number(_) | Form::List(_)) => Some(number.to_string()),
        (Value::Array(entries), Form::List(_)) if !entries.is_empty() => {
            let entries: Option<Vec<_>> = entries.iter().map(entry).collect();
            entries.map(|entries| entries.join(","))
        }
        (Value::Array(words), Form::Words(_)) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            words.map(shell_words::join)
        }
        _ => None,
    }
}

fn entry(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
