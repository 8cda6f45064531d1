//! Versions and the gates that go by them.

use gitlab_duo_core::rules::gates::{GATES, Support};
use gitlab_duo_core::rules::version::{GitLabVersion, Release};
use proptest::prelude::*;
use proptest::sample::select;

use crate::texts::odd_text;

const SUFFIXES: [&str; 10] =
    ["", "-ee", "-ce.0", "-jh.0", "-rc42-ee", "+build.7", "-prefix", "-ee-1a2b3c4", ".ee", "-EE"];
const PRE_SUFFIXES: [&str; 4] = ["-pre", "-pre-ee", "-ee.pre", "-pre+1a2b"];

fn release() -> impl Strategy<Value = Release> {
    // Around the supported ones, and anywhere.
    let near = (15_u16..22, 0_u16..13).prop_map(|(major, minor)| Release::new(major, minor));
    prop_oneof![near, (any::<u16>(), any::<u16>()).prop_map(|(major, minor)| Release::new(major, minor))]
}

fn patch() -> impl Strategy<Value = String> {
    proptest::option::of(any::<u16>())
        .prop_map(|patch| patch.map_or_else(String::new, |patch| format!(".{patch}")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_version_reads_back(
        release in release(), patch in patch(), suffix in select(&SUFFIXES[..]), around in select(vec!["", " ", "\n"]),
    ) {
        let printed = format!("{release}{patch}{suffix}");
        let read = GitLabVersion::read(&format!("{around}{printed}{around}"));
        prop_assert_eq!(read.release(), Some(release));
        prop_assert_eq!((read.text(), read.to_string()), (printed.as_str(), printed.clone()));
    }

    #[test]
    fn a_pre_release_counts_as_the_release_before(
        release in release(), patch in patch(), suffix in select(&PRE_SUFFIXES[..]),
    ) {
        let read = GitLabVersion::read(&format!("{release}{patch}{suffix}")).release().unwrap();
        prop_assert_eq!(read, release.previous());
        prop_assert!(read < release || release == Release::new(0, 0));
        prop_assert_eq!(read.is_before(release), read < release);
    }

    #[test]
    fn any_text_is_a_version_or_none(text in odd_text()) {
        let version = GitLabVersion::read(&text);
        prop_assert_eq!(version.text(), text.trim());
        if let Some(release) = version.release() {
            prop_assert!(text.trim().trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()), "{}", release);
        }
    }

    #[test]
    fn no_gate_closes_again(one in release(), other in release()) {
        let support = |release: Release| Support::of(GitLabVersion::read(&release.to_string()));
        let (older, newer) = (support(one.min(other)), support(one.max(other)));
        for gate in &GATES {
            prop_assert!(newer.has(gate.feature) || !older.has(gate.feature), "{:?}", gate.feature);
            prop_assert_eq!(newer.require(gate.feature).is_ok(), newer.has(gate.feature));
            prop_assert_eq!(newer.has(gate.feature), gate.since <= one.max(other));
        }
    }
}
