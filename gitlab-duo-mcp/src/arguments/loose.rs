//! Arguments as models and frameworks send them: null and an empty text mean "not given", numbers
//! come as text and text as numbers. What cannot be understood is refused by name, never guessed.

use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::rules::clean::clean;
use gitlab_duo_core::rules::clip::clip;
use serde_json::{Map, Value};

use crate::limits::ECHO_CHARS;

/// Whole numbers up to here are exact when JSON writes them with a fraction.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The arguments of one call.
pub(crate) struct Loose<'a> {
    values: &'a Map<String, Value>,
}

impl<'a> Loose<'a> {
    pub(crate) fn new(values: &'a Map<String, Value>) -> Self {
        Self { values }
    }

    /// The names that were sent, with or without a value.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.values.keys().map(String::as_str)
    }

    /// The value, when there is one: null and blank text are none.
    pub(crate) fn given(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name).filter(|value| match value {
            Value::Null => false,
            Value::String(text) => !text.trim().is_empty(),
            _ => true,
        })
    }

    /// Free text, exactly as it was sent.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, DuoError> {
        match self.given(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(name, "text", other)),
        }
    }

    /// Text that names something: the word `null` is a mistake there, and said so.
    pub(crate) fn word(&self, name: &str) -> Result<Option<&'a str>, DuoError> {
        let text = self.text(name)?;
        text.map_or(Ok(()), |text| refuse_null_word(name, text))?;
        Ok(text)
    }

    /// An id or path, as text or as a whole number.
    pub(crate) fn id_text(&self, name: &str) -> Result<Option<String>, DuoError> {
        let Some(value) = self.given(name) else { return Ok(None) };
        let text = match value {
            Value::String(text) => text.clone(),
            number => {
                whole_number(number).ok_or_else(|| wrong_type(name, "text or a whole number", value))?
            }
        };
        refuse_null_word(name, &text)?;
        Ok(Some(text))
    }

    /// An id, read by `parse`.
    pub(crate) fn id<T, E: std::fmt::Display>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, DuoError> {
        let Some(text) = self.id_text(name)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|error| DuoError::invalid(format!("`{name}`: {error}")))
    }

    /// True or false, also as text. Never read from anything else.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, DuoError> {
        match self.given(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) if text.trim().eq_ignore_ascii_case("true") => Ok(Some(true)),
            Some(Value::String(text)) if text.trim().eq_ignore_ascii_case("false") => Ok(Some(false)),
            Some(other) => Err(wrong_type(name, "true or false", other)),
        }
    }

    /// One of a few names, in any case, read by `parse`.
    pub(crate) fn choice<T>(
        &self,
        name: &str,
        accepted: &[&str],
        parse: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, DuoError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        chosen(name, text, accepted).map(|choice| Some(parse(&choice)))
    }

    /// Several names: a list, the JSON text of a list, or text with commas.
    pub(crate) fn choices<T>(
        &self,
        name: &str,
        accepted: &[&str],
        parse: impl Fn(&str) -> T,
    ) -> Result<Vec<T>, DuoError> {
        let Some(value) = self.given(name) else { return Ok(Vec::new()) };
        texts(name, value)?.iter().map(|text| chosen(name, text, accepted).map(|name| parse(&name))).collect()
    }

    /// Whole seconds from 0 to `most`, as a number or as text.
    pub(crate) fn seconds(&self, name: &str, most: u64) -> Result<Option<u64>, DuoError> {
        let Some(value) = self.given(name) else { return Ok(None) };
        let seconds = digits(value).and_then(|digits| digits.parse().ok()).filter(|seconds| *seconds <= most);
        seconds.map(Some).ok_or_else(|| {
            DuoError::invalid(format!("`{name}` must be a whole number of seconds from 0 to {most}"))
        })
    }

    /// `first`: the rows of a page.
    pub(crate) fn page_size(&self) -> Result<PageSize, DuoError> {
        let Some(value) = self.given("first") else { return Ok(PageSize::default()) };
        let size = digits(value).and_then(|digits| digits.parse().ok()).and_then(PageSize::new);
        size.ok_or_else(|| DuoError::invalid("`first` must be a whole number from 1 to 100"))
    }

    /// `after`: a cursor, exactly as it was sent.
    pub(crate) fn cursor(&self) -> Result<Option<Cursor>, DuoError> {
        Ok(self.word("after")?.map(Cursor::received))
    }
}

/// A name or value of the caller inside a sentence of ours.
pub(crate) fn echo(text: &str) -> String {
    let text = clean(text).text.replace(['\n', '\t'], " ").replace('`', "'");
    format!("`{}`", clip(&text, ECHO_CHARS).text)
}

/// Several names, each echoed.
pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| echo(name)).collect::<Vec<_>>().join(", ")
}

/// A whole number, sent as a number or as text.
fn digits(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        number => whole_number(number),
    }
}

/// A whole number as digits. A number written with a fraction counts when it is exact.
fn whole_number(value: &Value) -> Option<String> {
    let Value::Number(number) = value else { return None };
    if number.is_u64() || number.is_i64() {
        return Some(number.to_string());
    }
    let number = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)?;
    Some(format!("{number:.0}"))
}

fn texts(name: &str, value: &Value) -> Result<Vec<String>, DuoError> {
    let accepted = "a list of texts, or one text with commas";
    let list = match value {
        Value::Array(list) => list.clone(),
        Value::String(text) if text.trim_start().starts_with('[') => match serde_json::from_str(text) {
            Ok(Value::Array(list)) => list,
            _ => return Err(DuoError::invalid(format!("`{name}` is no readable list: give {accepted}"))),
        },
        Value::String(text) => text.split(',').map(Value::from).collect(),
        other => return Err(wrong_type(name, accepted, other)),
    };
    let read = |item: &Value| match item {
        Value::String(text) => Ok(text.trim().to_owned()),
        other => Err(wrong_type(name, accepted, other)),
    };
    let texts: Result<Vec<_>, _> = list.iter().map(read).collect();
    Ok(texts?.into_iter().filter(|text| !text.is_empty()).collect())
}

fn chosen(name: &str, text: &str, accepted: &[&str]) -> Result<String, DuoError> {
    let choice = text.trim().to_ascii_lowercase();
    if accepted.contains(&choice.as_str()) {
        return Ok(choice);
    }
    let message = format!("`{name}` is {}: it must be one of {}", echo(text), listed(accepted));
    Err(DuoError::invalid(message))
}

/// Models write the word where they mean nothing; looked up, it would name a stranger's thing.
fn refuse_null_word(name: &str, text: &str) -> Result<(), DuoError> {
    let is_null = ["null", "none", "undefined"].iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    if !is_null {
        return Ok(());
    }
    let message = format!("`{name}` is the word {}, which names nothing", echo(text.trim()));
    let next_step = format!("leave `{name}` out when it is not wanted, or give its real value");
    Err(DuoError::invalid(message).with_next_step(next_step))
}

fn wrong_type(name: &str, accepted: &str, found: &Value) -> DuoError {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "another text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    DuoError::invalid(format!("`{name}` must be {accepted}, not {found}"))
}

#[cfg(test)]
#[path = "loose_tests.rs"]
mod tests;
