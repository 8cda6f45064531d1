//! Scopes: they may only narrow.

use std::collections::BTreeSet;

use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectPath};
use gitlab_duo_core::model::scope::{Scope, Subgroups, WorkingScope};
use gitlab_duo_core::rules::policy::Access;
use proptest::prelude::*;
use proptest::sample::select;

/// Paths that often begin alike.
fn path() -> impl Strategy<Value = ProjectPath> {
    let segment = select(vec!["acme", "Acme", "acme2", "a", "api", "api-docs", "ä"]);
    proptest::collection::vec(segment, 1..4)
        .prop_map(|segments| ProjectPath::parse(&segments.join("/")).unwrap())
}

fn project() -> impl Strategy<Value = Project> {
    (1_u64..6, path()).prop_map(|(id, path)| Project { id: ProjectId::new(id).unwrap(), path, web_url: None })
}

fn ids() -> impl Strategy<Value = BTreeSet<ProjectId>> {
    proptest::collection::btree_set((1_u64..6).prop_map(|id| ProjectId::new(id).unwrap()), 0..5)
}

fn subgroups() -> impl Strategy<Value = Subgroups> {
    select(vec![Subgroups::Included, Subgroups::LeftOut])
}

pub(crate) fn scope() -> impl Strategy<Value = Scope> {
    let working = (path(), subgroups()).prop_map(|(path, subgroups)| WorkingScope { path, subgroups });
    let access = select(vec![Access::Full, Access::ReadOnly, Access::Off]);
    (access, proptest::option::of(ids()), proptest::collection::vec(working, 0..3))
        .prop_map(|(access, allowed_projects, working)| Scope { access, allowed_projects, working })
}

/// The same scope, narrower: fewer projects, a path further down, no subgroups, less access.
fn narrower(scope: Scope) -> impl Strategy<Value = (Scope, Scope)> {
    let below = proptest::option::of(select(vec!["api", "acme", "a"]));
    (Just(scope), ids(), below, any::<bool>(), any::<bool>()).prop_map(
        |(wide, ids, below, no_subgroups, read_only)| {
            let mut narrow = wide.clone();
            narrow.allowed_projects = Some(match &wide.allowed_projects {
                None => ids,
                Some(allowed) => allowed.intersection(&ids).copied().collect(),
            });
            for working in &mut narrow.working {
                // Below a group without its subgroups nothing but its own projects is left.
                if let (Some(below), Subgroups::Included) = (below, working.subgroups) {
                    working.path = ProjectPath::parse(&format!("{}/{below}", working.path)).unwrap();
                }
                if no_subgroups {
                    working.subgroups = Subgroups::LeftOut;
                }
            }
            if read_only && narrow.access == Access::Full {
                narrow.access = Access::ReadOnly;
            }
            (wide, narrow)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_narrower_scope_admits_nothing_more((wide, narrow) in scope().prop_flat_map(narrower), project in project()) {
        prop_assert!(wide.admit(&project).is_ok() || narrow.admit(&project).is_err());
        prop_assert!(wide.admit_writing().is_ok() || narrow.admit_writing().is_err());
        prop_assert!(wide.admit_browsing().is_ok() || narrow.admit_browsing().is_err());
        prop_assert!(narrow.admit_browsing().is_ok() || narrow.admit_writing().is_err());
        prop_assert!(narrow.restricts_projects());
    }

    #[test]
    fn two_layers_admit_what_both_admit(one in scope(), other in scope(), project in project()) {
        let both = one.clone().narrowed_by(other.clone());
        let of_both = one.admit(&project).is_ok() && other.admit(&project).is_ok();
        prop_assert_eq!(both.admit(&project).is_ok(), of_both);
        let of_both = one.admit_writing().is_ok() && other.admit_writing().is_ok();
        prop_assert_eq!(both.admit_writing().is_ok(), of_both);
        let of_both = one.admit_browsing().is_ok() && other.admit_browsing().is_ok();
        prop_assert_eq!(both.admit_browsing().is_ok(), of_both);
    }

    #[test]
    fn a_session_is_admitted_as_its_project_is(scope in scope(), project in project()) {
        let link = ProjectLink::from(project.clone());
        prop_assert_eq!(scope.admit_link(&link), scope.admit(&project));
        // What is not known is never admitted in place of what is.
        for link in [
            ProjectLink { id: None, ..link.clone() },
            ProjectLink { path: None, ..link.clone() },
            ProjectLink::default(),
        ] {
            prop_assert!(scope.admit_link(&link).is_err() || scope.admit(&project).is_ok());
        }
        prop_assert_eq!(scope.admit_link(&ProjectLink::default()).is_err(), scope.restricts_projects());
    }

    #[test]
    fn the_other_case_is_the_same_path(path in path(), project in path(), subgroups in subgroups()) {
        let holds = |path: &str, project: &str| {
            let path = ProjectPath::parse(path).unwrap();
            WorkingScope { path, subgroups }.holds(&ProjectPath::parse(project).unwrap())
        };
        let (path, project) = (path.to_string(), project.to_string());
        let expected = holds(&path, &project);
        prop_assert_eq!(holds(&path.to_ascii_uppercase(), &project), expected);
        prop_assert_eq!(holds(&path, &project.to_ascii_uppercase()), expected);
        let parts = |text: &str| text.to_ascii_lowercase().split('/').map(str::to_owned).collect::<Vec<_>>();
        let (path, project) = (parts(&path), parts(&project));
        let depth = project.len() as i64 - path.len() as i64;
        let is_near = subgroups == Subgroups::Included || depth < 2;
        prop_assert_eq!(expected, project.starts_with(&path) && is_near);
    }
}
