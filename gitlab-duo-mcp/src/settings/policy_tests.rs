//! Restrictions of several places: none of them is ever widened.

use super::*;
use crate::settings::layers::Layer;

/// The narrowing settings of flags, environment, profile and file.
fn scope(layers: [&[(&Setting, &str)]; 4]) -> Scope {
    let origins = [Origin::Flags, Origin::Environment, Origin::Profile, Origin::File];
    let layer = |(origin, rows): (Origin, &[(&Setting, &str)])| {
        rows.iter().fold(Layer::new(origin), |layer, (setting, text)| layer.with(setting, text))
    };
    read(&Layers(origins.into_iter().zip(layers).map(layer).collect())).unwrap()
}

#[test]
fn a_flag_counts_before_its_variable() {
    let access = |flags, environment| scope([flags, environment, &[], &[]]).access;
    assert_eq!(access(&[(&USE_DUO, "true")], &[(&USE_DUO, "false")]), Access::Full);
    assert_eq!(access(&[], &[(&USE_DUO, "false")]), Access::Off);
    assert_eq!(access(&[(&READ_ONLY_MODE, "true")], &[(&USE_DUO, "true")]), Access::ReadOnly);
}

#[test]
fn what_the_file_refuses_stays_refused() {
    let open: &[_] = &[(&USE_DUO, "true"), (&READ_ONLY_MODE, "false"), (&PRESET, "admin")];
    let rows: [(&[(&Setting, &str)], Access); 4] = [
        (&[], Access::Full),
        (&[(&READ_ONLY_MODE, "true")], Access::ReadOnly),
        (&[(&USE_DUO, "false")], Access::Off),
        (&[(&PRESET, "readonly")], Access::ReadOnly),
    ];
    for (restriction, expected) in rows {
        assert_eq!(scope([open, &[], &[], restriction]).access, expected);
        assert_eq!(scope([&[], open, restriction, &[]]).access, expected);
        assert_eq!(scope([&[], &[], open, restriction]).access, expected);
    }
}

#[test]
fn allowed_projects_of_several_places_meet() {
    let ids =
        |layers| scope(layers).allowed_projects.map(|ids| ids.into_iter().map(|id| id.to_string()).collect());
    let allowed = |text| vec![(&ALLOWED_PROJECT_IDS, text)];
    let (own, file) = (allowed("1,2,3"), allowed("2,3,4"));
    let (profile, flag) = (allowed("3,9"), allowed("7"));
    assert_eq!(ids([&own, &[], &[], &file]), Some(vec!["2".to_owned(), "3".to_owned()]));
    assert_eq!(ids([&[], &own, &profile, &file]), Some(vec!["3".to_owned()]));
    assert_eq!(ids([&flag, &[], &[], &file]), Some(Vec::new()));
    assert_eq!(ids([&flag, &own, &[], &[]]), Some(vec!["7".to_owned()]));
}

#[test]
fn scopes_of_several_places_all_hold() {
    let working = |layers| {
        let scopes = scope(layers).working.into_iter();
        scopes
            .map(|scope| (scope.path.to_string(), scope.subgroups == Subgroups::Included))
            .collect::<Vec<_>>()
    };
    let within = |path: &str, included: bool| (path.to_owned(), included);
    assert_eq!(
        working([&[(&SCOPE, "acme/api")], &[], &[], &[(&SCOPE, "acme")]]),
        [within("acme/api", true), within("acme", true)]
    );
    // A place without a path of its own leaves the subgroups of the later ones out.
    assert_eq!(
        working([&[], &[(&SCOPE_SUBGROUPS, "false")], &[], &[(&SCOPE, "acme"), (&SCOPE_SUBGROUPS, "true")]]),
        [within("acme", false)]
    );
    // One with a path speaks of that path.
    assert_eq!(
        working([&[(&SCOPE, "acme/a"), (&SCOPE_SUBGROUPS, "false")], &[], &[], &[(&SCOPE, "acme")]]),
        [within("acme/a", false), within("acme", true)]
    );
    // What is not said comes from the next place.
    assert_eq!(
        working([&[(&SCOPE, "acme")], &[], &[(&SCOPE_SUBGROUPS, "false")], &[]]),
        [within("acme", false)]
    );
}
