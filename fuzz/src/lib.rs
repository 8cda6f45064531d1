//! What the fuzz targets have in common: an instance, and what holds of every refusal.

use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::instance::{Instance, InstanceUrl, PlainHttp};
use gitlab_duo_core::rules::gates::Support;
use gitlab_duo_core::rules::version::GitLabVersion;
use serde_json::Value;

/// The newest GitLab that is known here.
#[must_use]
pub fn instance() -> Instance {
    let url =
        InstanceUrl::parse("https://git.example.test/sub", PlainHttp::LoopbackOnly).expect("an address");
    Instance { url, support: Support::of(GitLabVersion::read("19.5.0-ee")) }
}

/// A short sentence of ours; GitLab's words apart from it, and bounded.
///
/// # Panics
/// When it is anything else.
pub fn check_refusal(error: &GatewayError) {
    let chars = error.message.chars().count();
    assert!((1..250).contains(&chars), "{chars} characters: {}", error.message);
    for words in [&error.gitlab_message, &error.required].into_iter().flatten() {
        assert!((1..=4_000).contains(&words.chars().count()), "{} characters", words.chars().count());
    }
}

/// Every text of a view within the largest limit of any, without what nobody sees.
///
/// # Panics
/// When one is not.
pub fn check_view(view: &Value) {
    match view {
        Value::String(text) => {
            assert!(text.chars().count() <= 4_000, "{} characters", text.chars().count());
            let is_hidden = |c: char| {
                (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
                    || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0001}'..='\u{e007f}')
            };
            assert!(!text.contains(is_hidden), "{text:?}");
        }
        Value::Array(items) => items.iter().for_each(check_view),
        Value::Object(fields) => {
            // Cursors go byte for byte.
            fields.iter().filter(|(name, _)| *name != "pageInfo").for_each(|(_, value)| check_view(value));
        }
        _ => {}
    }
}
