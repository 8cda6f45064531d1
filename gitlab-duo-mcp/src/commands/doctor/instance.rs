//! The GitLab: whether it answers, what its version can do, how it is reached, and its clock.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::instance::{Instance, InstanceUrl};
use gitlab_duo_core::rules::gates::{Feature, GATES, Gate, Support};

use crate::commands::doctor::check::Check;

/// Seconds between two clocks that make no difference.
const SKEW_SECONDS: u64 = 60;

/// Whether the GitLab answers, its version, and a fact for each gate.
pub(super) fn version(found: Option<&Result<Instance, ReadError>>) -> Vec<Check> {
    match found {
        None => vec![Check::unknown("gitlab_answers", "it was not asked: there is no token")],
        Some(Err(error)) if error.kind == ErrorKind::Unauthorized => {
            vec![Check::yes("gitlab_answers", "it answers, and refuses the token")]
        }
        Some(Err(error)) => {
            vec![Check::no("gitlab_answers", error.to_string()).but(error.kind.next_step())]
        }
        Some(Ok(instance)) => of_support(&instance.support),
    }
}

fn of_support(support: &Support) -> Vec<Check> {
    let version = match support.version().release() {
        Some(_) => Check::yes("version", support.version().to_string()),
        None => Check::unknown(
            "version",
            format!("{}: it cannot be read, so the oldest supported release is assumed", support.version()),
        ),
    };
    let first = [Check::yes("gitlab_answers", "it answers"), version];
    first.into_iter().chain(GATES.iter().map(|gate| of_gate(gate, support))).collect()
}

/// A closed gate is no problem by itself: an older GitLab is one as well. Without the first nothing
/// works at all.
fn of_gate(gate: &Gate, support: &Support) -> Check {
    let detail = format!("{} (since {})", gate.grants, gate.since);
    let check = Check::new(&format!("gate_{}", snake(gate.feature)), Some(support.has(gate.feature)), detail);
    let is_needed = gate.feature == Feature::ReadSessions && check.state == Some(false);
    if is_needed { check.but(format!("use GitLab {} or newer", gate.since)) } else { check }
}

/// `StartFlow` as `start_flow`.
fn snake(feature: Feature) -> String {
    let letters = format!("{feature:?}");
    let mut name = String::new();
    for letter in letters.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Whether what travels is encrypted. That the certificate is trusted shows in an answer.
pub(super) fn tls(url: &InstanceUrl, has_answered: bool) -> Check {
    if !url.as_str().starts_with("https://") {
        let check = Check::no("tls", "plain http");
        let host = url.host().unwrap_or_default();
        let is_here = matches!(host.as_str(), "localhost" | "[::1]" | "::1") || host.starts_with("127.");
        return if is_here {
            check
        } else {
            check.but("use https, or everyone on the way can read the token")
        };
    }
    if has_answered {
        Check::yes("tls", "https, with a certificate that is trusted")
    } else {
        Check::unknown("tls", "https; no answer came, so the certificate is not known to be trusted")
    }
}

pub(super) fn proxy(proxy: Option<&str>) -> Check {
    match proxy {
        Some(proxy) => Check::yes("proxy", format!("requests go through {proxy}")),
        None => Check::no("proxy", "requests go directly"),
    }
}

/// Our clock beside GitLab's. Sessions younger than ten minutes are guarded against duplicates by it.
pub(super) fn clock(theirs: Option<u64>, ours: i64) -> Check {
    let Some(theirs) = theirs.and_then(|seconds| i64::try_from(seconds).ok()) else {
        return Check::unknown("clock", "GitLab did not say what time it is");
    };
    let skew = ours.abs_diff(theirs);
    if skew <= SKEW_SECONDS {
        return Check::yes("clock", format!("within {SKEW_SECONDS} seconds of GitLab's"));
    }
    let way = if ours > theirs { "ahead of" } else { "behind" };
    Check::no("clock", format!("{skew} seconds {way} GitLab's")).but("set the clock of this machine")
}

#[cfg(test)]
mod tests {
    use gitlab_duo_core::model::instance::PlainHttp;

    use super::*;

    #[test]
    fn a_clock_is_wrong_beyond_a_minute() {
        let rows = [
            (Some(1_000), 1_060, Some(true)),
            (Some(1_000), 1_061, Some(false)),
            (Some(1_100), 1_000, Some(false)),
            (None, 0, None),
        ];
        for (theirs, ours, expected) in rows {
            let check = clock(theirs, ours);
            assert_eq!((check.state, check.next_step.is_some()), (expected, expected == Some(false)));
        }
    }

    #[test]
    fn plain_http_is_a_problem_beyond_this_machine() {
        for (url, has_answered, state, is_problem) in [
            ("https://git.example.test", true, Some(true), false),
            ("https://git.example.test", false, None, false),
            ("http://127.0.0.1:80", true, Some(false), false),
            ("http://git.example.test", true, Some(false), true),
        ] {
            let check = tls(&InstanceUrl::parse(url, PlainHttp::Allowed).unwrap(), has_answered);
            assert_eq!((check.state, check.next_step.is_some()), (state, is_problem), "{url}");
        }
    }

    #[test]
    fn every_gate_is_a_fact_and_only_the_first_can_be_a_problem() {
        use gitlab_duo_core::rules::version::GitLabVersion;
        let checks = of_support(&Support::of(GitLabVersion::read("18.9.0-ee")));
        assert_eq!(checks.len(), 2 + GATES.len());
        let state = |name: &str| checks.iter().find(|check| check.name == name).unwrap().state;
        assert_eq!((state("gate_start_flow"), state("gate_answer_approval")), (Some(true), Some(false)));
        assert!(checks.iter().all(|check| check.next_step.is_none()));
        let old = of_support(&Support::of(GitLabVersion::read("16.11.0")));
        assert_eq!(old.iter().filter(|check| check.next_step.is_some()).count(), 1);
    }
}
