//! Settings as values that cannot be wrong.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::ProjectPath;
use gitlab_duo_core::model::scope::{Scope, Subgroups, WorkingScope};
use gitlab_duo_core::rules::policy::{Access, PRESETS, Preset};
use secrecy::SecretString;

use crate::settings::flags::Flags;
use crate::settings::wrong::WrongSetting;
use crate::spec::surface::Surface;

/// Where GitLab is when nothing is said.
const DEFAULT_URL: &str = "https://gitlab.com";
/// Seconds that one request may take when nothing is said.
const DEFAULT_TIMEOUT_SECONDS: u64 = 30;
/// Most seconds that one request may take.
const MAX_TIMEOUT_SECONDS: u64 = 300;
/// What is logged when nothing is said.
pub const DEFAULT_LOG: &str = "warn";

/// Everything that is decided at the start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The GitLab.
    pub instance: InstanceUrl,
    /// Where the token comes from; none when nothing is set.
    pub token: Option<TokenSetting>,
    /// The tools.
    pub surface: Surface,
    /// The log filter; none when nothing was said.
    pub log: Option<String>,
    /// How long one request to GitLab may take.
    pub timeout: Duration,
    /// What the operator allows.
    pub scope: Scope,
}

impl Settings {
    /// Reads the settings. Blank text counts as not set.
    ///
    /// # Errors
    /// The first [`WrongSetting`].
    pub fn read(flags: &Flags, token: Option<&str>) -> Result<Self, WrongSetting> {
        let allow_http = switch("GITLAB_ALLOW_HTTP / --allow-http", flags.allow_http.as_deref())?;
        let plain_http = if allow_http == Some(true) { PlainHttp::Allowed } else { PlainHttp::LoopbackOnly };
        Ok(Self {
            instance: instance(flags.url.as_deref(), plain_http)?,
            token: token_setting(token, flags)?,
            surface: surface(flags.tools.as_deref())?,
            log: set(flags.log.as_deref()).map(str::to_owned),
            timeout: timeout(flags.timeout_seconds.as_deref())?,
            scope: scope(flags)?,
        })
    }
}

fn set(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn instance(text: Option<&str>, plain_http: PlainHttp) -> Result<InstanceUrl, WrongSetting> {
    InstanceUrl::parse(set(text).unwrap_or(DEFAULT_URL), plain_http)
        .map_err(|wrong| WrongSetting::new("GITLAB_URL / --url", wrong.to_string()))
}

/// Where the token comes from.
#[derive(Clone, Debug)]
pub enum TokenSetting {
    /// The token itself.
    Value(SecretString),
    /// A file that holds it.
    File(PathBuf),
    /// The words of a command that prints it.
    Command(Vec<String>),
}

/// Two places could hold two tokens, and which one is sent would be a guess.
fn token_setting(token: Option<&str>, flags: &Flags) -> Result<Option<TokenSetting>, WrongSetting> {
    let file = set(flags.token_file.as_deref()).map(PathBuf::from).map(TokenSetting::File);
    let command = token_command(flags.token_command.as_deref())?.map(TokenSetting::Command);
    let value = read_token(token)?.map(TokenSetting::Value);
    let mut given = [value, file, command].into_iter().flatten();
    match (given.next(), given.next()) {
        (given, None) => Ok(given),
        (_, Some(_)) => Err(WrongSetting::new(
            "GITLAB_TOKEN, GITLAB_TOKEN_FILE, GITLAB_TOKEN_COMMAND",
            "more than one is set: set one of them",
        )),
    }
}

fn token_command(text: Option<&str>) -> Result<Option<Vec<String>>, WrongSetting> {
    let Some(text) = set(text) else { return Ok(None) };
    let words = shell_words::split(text).ok().filter(|words| !words.is_empty());
    words.map(Some).ok_or_else(|| {
        WrongSetting::new(
            "GITLAB_TOKEN_COMMAND / --token-command",
            "accepted: a program and its arguments, with quotes closed",
        )
    })
}

/// A token travels in a header: what no header can hold would fail in every call.
fn read_token(text: Option<&str>) -> Result<Option<SecretString>, WrongSetting> {
    let Some(token) = set(text) else { return Ok(None) };
    if token.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(Some(SecretString::from(token)));
    }
    Err(WrongSetting::new("GITLAB_TOKEN", "it holds blanks or characters that no token has: copy it again"))
}

fn surface(text: Option<&str>) -> Result<Surface, WrongSetting> {
    let Some(name) = set(text) else { return Ok(Surface::Compact) };
    Surface::read(name).ok_or_else(|| {
        WrongSetting::new("GITLAB_DUO_TOOLS / --tools", format!("accepted: {}", Surface::NAMES.join(", ")))
    })
}

fn timeout(text: Option<&str>) -> Result<Duration, WrongSetting> {
    let Some(text) = set(text) else { return Ok(Duration::from_secs(DEFAULT_TIMEOUT_SECONDS)) };
    let seconds = text.parse().ok().filter(|seconds| (1..=MAX_TIMEOUT_SECONDS).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| {
        let accepted = format!("accepted: whole seconds from 1 to {MAX_TIMEOUT_SECONDS}");
        WrongSetting::new("GITLAB_TIMEOUT_SECONDS / --timeout-seconds", accepted)
    })
}

fn scope(flags: &Flags) -> Result<Scope, WrongSetting> {
    let use_duo = switch("USE_DUO / --use-duo", flags.use_duo.as_deref())?;
    let read_only = switch("GITLAB_READ_ONLY_MODE / --read-only-mode", flags.read_only_mode.as_deref())?;
    let layers = [
        if use_duo == Some(false) { Access::Off } else { Access::Full },
        if read_only == Some(true) { Access::ReadOnly } else { Access::Full },
        preset(flags.preset.as_deref())?,
    ];
    Ok(Scope {
        // Each layer may only narrow: the narrowest one counts.
        access: layers.into_iter().min().unwrap_or_default(),
        allowed_projects: allowed_projects(flags.allowed_project_ids.as_deref())?,
        working: working_scope(flags)?.into_iter().collect(),
    })
}

fn preset(text: Option<&str>) -> Result<Access, WrongSetting> {
    let Some(name) = set(text) else { return Ok(Access::Full) };
    Preset::named(name).map(|preset| preset.access).ok_or_else(|| {
        let names: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
        WrongSetting::new("GITLAB_DUO_PRESET / --preset", format!("accepted: {}", names.join(", ")))
    })
}

/// Half a list would allow less or more than was meant: one unreadable entry refuses all of it.
fn allowed_projects(text: Option<&str>) -> Result<Option<BTreeSet<ProjectId>>, WrongSetting> {
    let Some(text) = set(text) else { return Ok(None) };
    let ids: Option<BTreeSet<_>> = text.split(',').map(|entry| project_id(entry.trim())).collect();
    ids.map(Some).ok_or_else(|| {
        WrongSetting::new(
            "GITLAB_ALLOWED_PROJECT_IDS / --allowed-project-ids",
            "accepted: numeric project ids with commas between them, as in `4021,4022`",
        )
    })
}

fn project_id(entry: &str) -> Option<ProjectId> {
    let is_number = !entry.is_empty() && entry.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| ProjectId::parse(entry).ok()).flatten()
}

fn working_scope(flags: &Flags) -> Result<Option<WorkingScope>, WrongSetting> {
    let subgroups =
        switch("GITLAB_DUO_SCOPE_SUBGROUPS / --scope-subgroups", flags.scope_subgroups.as_deref())?;
    let Some(path) = set(flags.scope.as_deref()) else { return Ok(None) };
    let path = ProjectPath::parse(path).map_err(|_| {
        WrongSetting::new(
            "GITLAB_DUO_SCOPE / --scope",
            "accepted: the full path of a project or group, as in `acme/platform`",
        )
    })?;
    let subgroups = if subgroups == Some(false) { Subgroups::LeftOut } else { Subgroups::Included };
    Ok(Some(WorkingScope { path, subgroups }))
}

/// An unreadable switch is not taken for off: it may be the one that forbids something.
fn switch(setting: &str, text: Option<&str>) -> Result<Option<bool>, WrongSetting> {
    let Some(text) = set(text) else { return Ok(None) };
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(Some(true)),
        "false" | "0" | "no" | "off" => Ok(Some(false)),
        _ => Err(WrongSetting::new(setting, "accepted: true, false")),
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
