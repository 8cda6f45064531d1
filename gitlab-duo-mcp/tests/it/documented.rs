//! The documentation names what there is.

use gitlab_duo_core::model::error::ErrorKind;

const TROUBLESHOOTING: &str = include_str!("../../../docs/troubleshooting.md");

#[test]
fn every_kind_of_error_is_in_the_troubleshooting_and_no_other() {
    let rows = TROUBLESHOOTING.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let told: Vec<_> = rows.map(|(kind, _)| kind).filter(|kind| *kind != "kind").collect();
    let known: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(told, known);
}
