//! A fact that was looked at, and how the facts are told.

use serde::Serialize;
use serde_json::json;

/// One fact. It is a problem when it comes with a next step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name, the same in every run.
    pub name: String,
    /// Whether it is so; none when nobody could tell.
    pub state: Option<bool>,
    /// What was found, in one line.
    pub detail: String,
    /// What to do about it; none when nothing is wrong.
    pub next_step: Option<String>,
}

impl Check {
    pub(super) fn new(name: &str, state: Option<bool>, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), state, detail: detail.into(), next_step: None }
    }

    pub(super) fn yes(name: &str, detail: impl Into<String>) -> Self {
        Self::new(name, Some(true), detail)
    }

    pub(super) fn no(name: &str, detail: impl Into<String>) -> Self {
        Self::new(name, Some(false), detail)
    }

    pub(super) fn unknown(name: &str, detail: impl Into<String>) -> Self {
        Self::new(name, None, detail)
    }

    /// The same fact as a problem.
    pub(super) fn but(self, next_step: impl Into<String>) -> Self {
        Self { next_step: Some(next_step.into()), ..self }
    }
}

/// The facts as text for people or as JSON, and how many problems there are.
#[must_use]
pub fn told(checks: &[Check], as_json: bool) -> (String, usize) {
    let problems = checks.iter().filter(|check| check.next_step.is_some()).count();
    if as_json {
        return (format!("{:#}\n", json!({ "problems": problems, "checks": checks })), problems);
    }
    let mut text: String = checks.iter().map(line).collect();
    text.push_str(&match problems {
        0 => "No problem was found.\n".to_owned(),
        1 => "1 problem was found.\n".to_owned(),
        more => format!("{more} problems were found.\n"),
    });
    (text, problems)
}

fn line(check: &Check) -> String {
    let state = match check.state {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    let next_step =
        check.next_step.as_ref().map(|step| format!("         next: {step}\n")).unwrap_or_default();
    format!("{state:<8} {}: {}\n{next_step}", check.name, check.detail)
}
