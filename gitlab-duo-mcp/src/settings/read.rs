//! Settings as values that cannot be wrong.

use std::path::PathBuf;
use std::time::Duration;

use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::scope::Scope;

use crate::settings::confirm::Confirm;
use crate::settings::environment::Environment;
use crate::settings::file;
use crate::settings::http::HttpSettings;
use crate::settings::layers::{Layer, Layers, accepted};
use crate::settings::policy;
use crate::settings::table::{
    ALLOW_HTTP, CA_FILE, CLIENT_CERT_FILE, CLIENT_KEY_FILE, CONFIG, LOG, LOG_FORMAT, PROFILE, Setting,
    TIMEOUT_SECONDS, TOOLS, URL,
};
use crate::settings::token::TokenSetting;
use crate::settings::wrong::WrongSetting;
use crate::spec::surface::Surface;

/// Seconds that one request may take when nothing is said.
const DEFAULT_TIMEOUT_SECONDS: u64 = 30;
/// Most seconds that one request may take.
const MAX_TIMEOUT_SECONDS: u64 = 300;

/// Everything that is decided at the start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The GitLab.
    pub instance: InstanceUrl,
    /// Where the token comes from; none when nothing is set.
    pub token: Option<TokenSetting>,
    /// Certificates of the connection.
    pub certificates: Certificates,
    /// The tools.
    pub surface: Surface,
    /// When a person is asked before a write.
    pub confirm: Confirm,
    /// How HTTP is served; none for standard input and output.
    pub http: Option<HttpSettings>,
    /// What is logged.
    pub log: LogSettings,
    /// How long one request to GitLab may take.
    pub timeout: Duration,
    /// What the operator allows.
    pub scope: Scope,
}

/// Files with certificates, still unread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificates {
    /// CAs to trust beside those of the system.
    pub ca: Option<PathBuf>,
    /// The certificate to show, and its private key.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// What is logged, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// The filter; none when nothing was said.
    pub filter: Option<String>,
    /// The form.
    pub format: LogFormat,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Human,
    /// A JSON object per line.
    Json,
}

/// All places of settings: flags first, then the environment, then the settings file that these
/// name, or the user's own.
///
/// # Errors
/// [`WrongSetting`] for a place that cannot be read, or that holds something unknown.
pub fn layers(flags: Layer, environment: &Environment) -> Result<Layers, WrongSetting> {
    let mut layers = vec![flags, environment.layer()?];
    let named = |setting: &Setting| layers.iter().find_map(|layer| layer.get(setting));
    let file = file::layers(named(&CONFIG), named(&PROFILE), environment)?;
    layers.extend(file);
    Ok(Layers(layers))
}

impl Settings {
    /// Reads the settings of these places. Blank text counts as not set.
    ///
    /// # Errors
    /// The first [`WrongSetting`].
    pub fn of(layers: &Layers) -> Result<Self, WrongSetting> {
        let instance = instance(layers)?;
        let timeout = layers.seconds(&TIMEOUT_SECONDS, 1..=MAX_TIMEOUT_SECONDS)?;
        let surface = |text: &str| Surface::read(text).ok_or_else(|| accepted(&TOOLS));
        Ok(Self {
            token: TokenSetting::read(layers, &instance)?,
            certificates: certificates(layers)?,
            surface: layers.first(&TOOLS, surface)?.unwrap_or(Surface::Compact),
            confirm: Confirm::read(layers)?,
            http: HttpSettings::read(layers)?,
            log: LogSettings {
                filter: layers.first(&LOG, |text| Ok(text.to_owned()))?,
                format: layers.first(&LOG_FORMAT, log_format)?.unwrap_or_default(),
            },
            timeout: Duration::from_secs(timeout.unwrap_or(DEFAULT_TIMEOUT_SECONDS)),
            scope: policy::read(layers)?,
            instance,
        })
    }
}

/// Plain http is allowed by the layers as a whole: a place may name the address, another one the
/// switch.
fn instance(layers: &Layers) -> Result<InstanceUrl, WrongSetting> {
    let is_allowed = layers.switch(&ALLOW_HTTP)? == Some(true);
    let plain_http = if is_allowed { PlainHttp::Allowed } else { PlainHttp::LoopbackOnly };
    let read = |text: &str| InstanceUrl::parse(text, plain_http).map_err(|wrong| wrong.to_string());
    let set = layers.first(&URL, read)?;
    set.map_or_else(|| read(URL.default).map_err(|why| WrongSetting::new(URL.name(), why)), Ok)
}

fn certificates(layers: &Layers) -> Result<Certificates, WrongSetting> {
    let path = |setting: &Setting| layers.first(setting, |text| Ok(PathBuf::from(text)));
    let client = match (path(&CLIENT_CERT_FILE)?, path(&CLIENT_KEY_FILE)?) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        (Some(_), None) => return Err(WrongSetting::new(CLIENT_KEY_FILE.name(), lacking(&CLIENT_KEY_FILE))),
        (None, Some(_)) => {
            return Err(WrongSetting::new(CLIENT_CERT_FILE.name(), lacking(&CLIENT_CERT_FILE)));
        }
    };
    Ok(Certificates { ca: path(&CA_FILE)?, client })
}

fn lacking(setting: &Setting) -> String {
    format!("it is not set; {}", accepted(setting))
}

fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "human" => Ok(LogFormat::Human),
        "json" => Ok(LogFormat::Json),
        _ => Err(accepted(&LOG_FORMAT)),
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
