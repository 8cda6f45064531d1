//! Where values come from: layers of text, the one that counts first.

use std::collections::BTreeMap;
use std::fmt;

use crate::settings::table::Setting;
use crate::settings::wrong::WrongSetting;

/// A place that settings come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flags,
    /// The environment.
    Environment,
    /// The chosen profile of the settings file.
    Profile,
    /// The settings file, outside its profiles.
    File,
}

impl Origin {
    /// What a refusal calls a setting that is wrong here.
    #[must_use]
    pub fn name(self, setting: &Setting) -> String {
        let key = setting.key().unwrap_or_default();
        match self {
            Self::Flags | Self::Environment => setting.name(),
            Self::Profile => format!("`{key}` of the profile in the settings file"),
            Self::File => format!("`{key}` in the settings file"),
        }
    }
}

/// The values of one place, still as text.
#[derive(Clone)]
pub struct Layer {
    /// The place.
    pub origin: Origin,
    values: BTreeMap<&'static str, String>,
}

impl Layer {
    /// A place without values.
    #[must_use]
    pub fn new(origin: Origin) -> Self {
        Self { origin, values: BTreeMap::new() }
    }

    /// Sets a value. Blank text counts as not set.
    pub fn set(&mut self, setting: &Setting, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.values.insert(setting.variable, text.to_owned());
        }
    }

    /// The same place with one more value.
    #[must_use]
    pub fn with(mut self, setting: &Setting, text: &str) -> Self {
        self.set(setting, text);
        self
    }

    /// The value of a setting; none when it is not set here.
    #[must_use]
    pub fn get(&self, setting: &Setting) -> Option<&str> {
        self.values.get(setting.variable).map(String::as_str)
    }

    /// Reads the value of a setting; none when it is not set here.
    ///
    /// # Errors
    /// [`WrongSetting`] with the setting's name here, and what `read` says is accepted.
    pub fn read<T>(
        &self,
        setting: &Setting,
        read: &dyn Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, WrongSetting> {
        let read =
            |text| read(text).map_err(|accepted| WrongSetting::new(self.origin.name(setting), accepted));
        self.get(setting).map(read).transpose()
    }
}

/// Values may hold secrets: only the names of what is set are shown.
impl fmt::Debug for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Layer")
            .field("origin", &self.origin)
            .field("set", &self.values.keys())
            .finish()
    }
}

/// Every place, the one that counts first.
#[derive(Clone, Debug)]
pub struct Layers(pub Vec<Layer>);

impl Layers {
    /// The value that counts. Values that do not count are read as well: a wrong one is wrong.
    ///
    /// # Errors
    /// The first [`WrongSetting`].
    pub fn first<T>(
        &self,
        setting: &Setting,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, WrongSetting> {
        let values: Vec<_> =
            self.0.iter().map(|layer| layer.read(setting, &read)).collect::<Result<_, _>>()?;
        Ok(values.into_iter().flatten().next())
    }

    /// The switch that counts.
    ///
    /// # Errors
    /// [`WrongSetting`] for anything but `true` and `false` and their common spellings.
    pub fn switch(&self, setting: &Setting) -> Result<Option<bool>, WrongSetting> {
        self.first(setting, |text| read_switch(text, setting))
    }

    /// Whole seconds that count.
    ///
    /// # Errors
    /// [`WrongSetting`] for anything that is no whole number within `bounds`.
    pub fn seconds(
        &self,
        setting: &Setting,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Result<Option<u64>, WrongSetting> {
        self.first(setting, |text| {
            let seconds = text.parse().ok().filter(|seconds| bounds.contains(seconds));
            seconds.ok_or_else(|| accepted(setting))
        })
    }
}

/// The sentence about the values of a setting.
pub(crate) fn accepted(setting: &Setting) -> String {
    format!("accepted: {}", setting.accepted)
}

/// An unreadable switch is not taken for off: it may be the one that forbids something.
pub(crate) fn read_switch(text: &str, setting: &Setting) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(accepted(setting)),
    }
}
