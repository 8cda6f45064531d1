//! Chooses the values that begin as what was typed.

use gitlab_duo_core::rules::limits::TITLE_CHARS;
use serde_json::Value;

use crate::limits::{COMPLETION_VALUES, ENVELOPE_BYTES, RESULT_BYTES};

/// Values from which a person may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidates {
    pub(crate) values: Vec<String>,
    /// Whether there are no others.
    pub(crate) is_complete: bool,
}

/// What is offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) values: Vec<String>,
    /// How many begin so; none when not all values are known here.
    pub(crate) total: Option<u32>,
    pub(crate) has_more: bool,
}

/// The values that begin with `typed` in any case, each once, at most a hundred.
pub(crate) fn choose(candidates: Candidates, typed: &str) -> Chosen {
    let typed = typed.trim().to_lowercase();
    let mut fitting: Vec<String> = Vec::new();
    for value in candidates.values {
        // Core cuts names at this length, and a part of one is worth nothing.
        let is_whole = value.chars().count() < TITLE_CHARS;
        if is_whole && value.to_lowercase().starts_with(&typed) && !fitting.contains(&value) {
            fitting.push(value);
        }
    }
    let all = fitting.len();
    let mut room = RESULT_BYTES - ENVELOPE_BYTES;
    let mut values = Vec::new();
    for value in fitting.into_iter().take(COMPLETION_VALUES) {
        let bytes = Value::from(value.as_str()).to_string().len() + 1;
        let Some(left) = room.checked_sub(bytes) else { break };
        room = left;
        values.push(value);
    }
    Chosen {
        has_more: values.len() < all || !candidates.is_complete,
        total: u32::try_from(all).ok().filter(|_| candidates.is_complete),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(values: &[&str]) -> Candidates {
        Candidates { values: values.iter().map(|value| (*value).to_owned()).collect(), is_complete: true }
    }

    #[test]
    fn a_value_fits_by_its_beginning_in_any_case() {
        let all = ["acme/api", "Acme/Web", "acme/api", "other/acme"];
        let rows: [(&str, &[&str]); 6] = [
            ("", &["acme/api", "Acme/Web", "other/acme"]),
            ("ACME", &["acme/api", "Acme/Web"]),
            (" acme/w ", &["Acme/Web"]),
            ("other", &["other/acme"]),
            ("api", &[]),
            ("acme/api/more", &[]),
        ];
        for (typed, expected) in rows {
            let chosen = choose(candidates(&all), typed);
            assert_eq!(chosen.values, expected, "{typed:?}");
            assert_eq!(
                (chosen.total, chosen.has_more),
                (u32::try_from(expected.len()).ok(), false),
                "{typed:?}"
            );
        }
    }

    #[test]
    fn a_hundred_values_are_offered_and_more_is_said() {
        let many: Vec<_> = (0..250).map(|number| number.to_string()).collect();
        let chosen = choose(Candidates { values: many.clone(), is_complete: true }, "");
        assert_eq!((chosen.values.len(), chosen.total, chosen.has_more), (100, Some(250), true));
        let chosen = choose(Candidates { values: many, is_complete: false }, "24");
        assert_eq!((chosen.values.len(), chosen.total, chosen.has_more), (11, None, true));
    }

    #[test]
    fn long_values_are_left_out_and_all_fit_into_a_result() {
        let cut = "x".repeat(TITLE_CHARS);
        assert_eq!(choose(candidates(&[&cut]), "").values, [""; 0]);
        let wide: Vec<_> = (0..100).map(|number| format!("{number}{}", "\u{1f600}".repeat(190))).collect();
        let chosen = choose(Candidates { values: wide, is_complete: true }, "");
        assert!(serde_json::to_string(&chosen.values).unwrap().len() <= RESULT_BYTES - ENVELOPE_BYTES + 2);
        assert!(chosen.has_more && chosen.values.len() > 50, "{}", chosen.values.len());
    }
}
