//! Where the token comes from.

use std::path::PathBuf;

use gitlab_duo_core::model::instance::InstanceUrl;
use secrecy::SecretString;

use crate::settings::layers::{Layer, Layers, accepted, read_switch};
use crate::settings::table::{Setting, TOKEN, TOKEN_COMMAND, TOKEN_FILE, USE_GLAB};
use crate::settings::wrong::WrongSetting;

/// Where the token comes from.
#[derive(Clone, Debug)]
pub enum TokenSetting {
    /// The token itself.
    Value(SecretString),
    /// A file that holds it.
    File(PathBuf),
    /// The words of a command that prints it.
    Command(Vec<String>),
    /// `glab`'s stored login for this host.
    Glab(String),
}

impl TokenSetting {
    /// Reads the place that counts: the first layer that names one. Two in one layer could hold two
    /// tokens, and which one is sent would be a guess.
    ///
    /// # Errors
    /// [`WrongSetting`] for two places in one layer, and for a value that is not accepted.
    pub fn read(layers: &Layers, instance: &InstanceUrl) -> Result<Option<Self>, WrongSetting> {
        let read: Vec<_> =
            layers.0.iter().map(|layer| Named::of(layer, instance)).collect::<Result<_, _>>()?;
        let mut may_use_glab = true;
        for named in read {
            may_use_glab &= named.uses_glab != Some(false);
            let place = named.place.filter(|place| may_use_glab || !matches!(place, Self::Glab(_)));
            if place.is_some() {
                return Ok(place);
            }
        }
        Ok(None)
    }
}

/// What one layer says.
struct Named {
    place: Option<TokenSetting>,
    uses_glab: Option<bool>,
}

impl Named {
    fn of(layer: &Layer, instance: &InstanceUrl) -> Result<Self, WrongSetting> {
        let uses_glab = layer.read(&USE_GLAB, &|text| read_switch(text, &USE_GLAB))?;
        let glab = uses_glab.filter(|uses| *uses).map(|_| glab(layer, instance)).transpose()?;
        let places = [
            layer.read(&TOKEN, &value)?.map(TokenSetting::Value),
            layer.read(&TOKEN_FILE, &|text| Ok(PathBuf::from(text)))?.map(TokenSetting::File),
            layer.read(&TOKEN_COMMAND, &command)?.map(TokenSetting::Command),
            glab,
        ];
        let mut places = places.into_iter().flatten();
        match (places.next(), places.next()) {
            (place, None) => Ok(Self { place, uses_glab }),
            (_, Some(_)) => Err(several(layer)),
        }
    }
}

fn several(layer: &Layer) -> WrongSetting {
    let all = [TOKEN, TOKEN_FILE, TOKEN_COMMAND, USE_GLAB];
    let set = all.iter().filter(|setting| layer.get(setting).is_some());
    let names: Vec<_> = set.map(|setting: &Setting| layer.origin.name(setting)).collect();
    WrongSetting::new(names.join(", "), "more than one is set: set one of them")
}

/// A token travels in a header: what no header can hold would fail in every call.
fn value(text: &str) -> Result<SecretString, String> {
    if text.starts_with("${") {
        return Err("it holds the name of a variable that the client did not replace: set that variable where the client starts, or set GITLAB_TOKEN_FILE instead".to_owned());
    }
    if text.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(SecretString::from(text));
    }
    Err("it holds blanks or characters that no token has: copy it again".to_owned())
}

fn command(text: &str) -> Result<Vec<String>, String> {
    let words = shell_words::split(text).ok().filter(|words| !words.is_empty());
    words.ok_or_else(|| accepted(&TOKEN_COMMAND))
}

fn glab(layer: &Layer, instance: &InstanceUrl) -> Result<TokenSetting, WrongSetting> {
    let host = instance.host().filter(|host| !host.starts_with('-'));
    host.map(TokenSetting::Glab).ok_or_else(|| {
        WrongSetting::new(layer.origin.name(&USE_GLAB), "the address of the GitLab has no host to look up")
    })
}
