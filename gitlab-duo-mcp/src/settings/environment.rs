//! The environment as a layer of settings.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::settings::layers::{Layer, Origin};
use crate::settings::table::{TABLE, TOKEN};
use crate::settings::wrong::WrongSetting;

/// What every variable of ours begins with: another one with it is a mistyped setting.
const PREFIX: &str = "GITLAB_DUO_";
/// Characters of an unknown variable's name that are repeated.
const SHOWN_CHARS: usize = 60;

/// The variables of a process.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// Takes the variables.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// A variable that is set to something.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        let value = self.0.get(OsStr::new(name)).map(OsString::as_os_str);
        value.filter(|value| !value.is_empty())
    }

    /// The settings among the variables.
    ///
    /// # Errors
    /// [`WrongSetting`] for a value that is not UTF-8, and for a variable that looks like a setting
    /// and is none: a mistyped restriction must not go unnoticed.
    pub fn layer(&self) -> Result<Layer, WrongSetting> {
        if let Some(name) = self.0.keys().filter_map(|name| name.to_str()).find(|name| is_mistyped(name)) {
            let name: String = name.chars().take(SHOWN_CHARS).collect();
            return Err(WrongSetting::new(name, "no such setting: `--help` lists them"));
        }
        let mut layer = Layer::new(Origin::Environment);
        for setting in TABLE {
            let Some(value) = self.get(setting.variable) else { continue };
            let text = value.to_str().ok_or_else(|| not_text(setting.variable))?;
            layer.set(setting, text);
        }
        Ok(layer)
    }
}

fn is_mistyped(name: &str) -> bool {
    name.starts_with(PREFIX) && !TABLE.iter().any(|setting| setting.variable == name)
}

fn not_text(variable: &str) -> WrongSetting {
    let why = if variable == TOKEN.variable {
        "it holds characters that no token has: copy it again"
    } else {
        "the value is not UTF-8 text"
    };
    WrongSetting::new(variable, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::table::URL;

    fn environment(rows: &[(&str, &str)]) -> Environment {
        Environment::new(rows.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))))
    }

    #[test]
    fn settings_are_taken_and_others_are_left_alone() {
        let layer =
            environment(&[("GITLAB_URL", " https://git.example.test "), ("GITLAB_HOST", "x")]).layer();
        assert_eq!(layer.unwrap().get(&URL), Some("https://git.example.test"));
        assert_eq!(environment(&[("GITLAB_URL", " ")]).layer().unwrap().get(&URL), None);
    }

    #[test]
    fn a_mistyped_setting_is_named_and_its_value_is_not() {
        let wrong = environment(&[("GITLAB_DUO_SCOPES", "secret")]).layer().unwrap_err().to_string();
        assert_eq!(wrong, "GITLAB_DUO_SCOPES: no such setting: `--help` lists them");
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStringExt;
        let odd = (OsString::from("GITLAB_TOKEN"), OsString::from_vec(vec![0xff, 0xfe]));
        let wrong = Environment::new([odd]).layer().unwrap_err().to_string();
        assert!(wrong.starts_with("GITLAB_TOKEN: "), "{wrong}");
    }
}
