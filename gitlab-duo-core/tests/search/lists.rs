//! Lists under settings: every row is shown, counted or asked away, and nothing is shown that is not admitted.

use futures_util::FutureExt;
use gitlab_duo_core::actions::list_sessions::{ListSessions, list_sessions};
use gitlab_duo_core::gateway::request::SessionFilter;
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::{ProjectId, WorkflowId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::page::{Cursor, PageInfo, PageSize};
use gitlab_duo_core::model::project::{Project, ProjectLink, ProjectPath, ProjectRef};
use gitlab_duo_core::model::session::{Session, SessionRow};
use gitlab_duo_core::model::status::Status;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::scopes::scope;

/// The projects that the caller may see; the fifth id is hidden.
const PATHS: [&str; 4] = ["acme/api", "acme/a/api", "acme2/api", "a/api-docs"];

fn projects() -> Vec<Project> {
    let project = |(id, path): (u64, &&str)| Project {
        id: ProjectId::new(id).unwrap(),
        path: ProjectPath::parse(path).unwrap(),
        web_url: None,
    };
    (1..).zip(&PATHS).map(project).collect()
}

/// What a row tells of its project: all of it, its id, its path, or nothing.
fn link() -> impl Strategy<Value = ProjectLink> {
    let known = (select(projects()), any::<bool>(), any::<bool>()).prop_map(|(project, id, path)| {
        let link = ProjectLink::from(project);
        ProjectLink { id: link.id.filter(|_| id), path: link.path.filter(|_| path), web_url: None }
    });
    let hidden = Just(ProjectLink { id: ProjectId::new(5), ..ProjectLink::default() });
    prop_oneof![5 => known, 1 => hidden]
}

/// The link as far as anybody can know it.
fn completed(link: &ProjectLink) -> ProjectLink {
    let found = projects().into_iter().find(|project| link.path.is_none() && link.id == Some(project.id));
    found.map_or_else(|| link.clone(), ProjectLink::from)
}

fn gitlab(links: &[ProjectLink], unknown: &[SessionFilter]) -> MemoryGitLab {
    let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    let gitlab = MemoryGitLab::new(url, "19.5.0-ee");
    let session = |(id, link): (u64, &ProjectLink)| {
        let id = WorkflowId::new(id).unwrap();
        let status = if id.number().is_multiple_of(2) { Status::Running } else { Status::Finished };
        Session::bare(SessionRow { project: link.clone(), status: Some(status), ..SessionRow::unknown(id) })
    };
    {
        let mut world = gitlab.world();
        world.projects = projects();
        world.sessions = (1..).zip(links).map(session).collect();
        let end_cursor = Some(Cursor::received("c1"));
        world.page_info = PageInfo { has_next_page: Some(true), end_cursor };
        world.unknown_filters = unknown.to_vec();
    }
    gitlab
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_row_is_shown_or_counted_and_only_what_is_admitted_is_shown(
        links in proptest::collection::vec(link(), 0..12), scope in scope(),
        asked in proptest::option::of(select(projects())), knows_project in any::<bool>(), by_status in any::<bool>(),
    ) {
        let unknown = [SessionFilter::Statuses, SessionFilter::Project];
        let gitlab = gitlab(&links, &unknown[..if knows_project { 1 } else { 2 }]);
        let request = ListSessions {
            project: asked.as_ref().map(|project| ProjectRef::Id(project.id)),
            statuses: if by_status { vec![Status::Running] } else { Vec::new() },
            first: PageSize::new(100).unwrap(),
            ..ListSessions::default()
        };
        let result = list_sessions(&gitlab, &scope, request).now_or_never().unwrap();
        let is_closed = scope.admit_browsing().is_err()
            || asked.as_ref().is_some_and(|project| scope.admit(project).is_err());
        prop_assert_eq!(result.is_err(), is_closed);
        let Ok(view) = result else {
            prop_assert!(!gitlab.world().calls.contains(&"sessions"));
            return Ok(());
        };

        let given: Vec<&ProjectLink> = links.iter().collect();
        let link_of = |id: u64| given[usize::try_from(id).unwrap() - 1];
        let shown: Vec<u64> = view.sessions.iter().map(|row| row.workflow_id.parse().unwrap()).collect();
        prop_assert!(shown.is_sorted(), "in GitLab's order");
        for (row, id) in view.sessions.iter().zip(&shown) {
            let link = completed(link_of(*id));
            prop_assert_eq!(scope.admit_link(&link), Ok(()));
            prop_assert_eq!(&row.project, &link.path.map(|path| path.to_string()));
            prop_assert!(!by_status || id.is_multiple_of(2));
        }
        // What GitLab or this program filtered out is no matter of settings, and not counted.
        let is_filtered = |id: &u64| {
            let link = link_of(*id);
            let by_gitlab = |project: &Project| knows_project && link.path.as_ref() != Some(&project.path);
            let by_us = |_: &Project| !knows_project && link.id.is_none() && link.path.is_none();
            by_status && !id.is_multiple_of(2) || asked.as_ref().is_some_and(|asked| by_gitlab(asked) || by_us(asked))
        };
        let left = (1..=given.len() as u64).filter(|id| !is_filtered(id)).count();
        let counted = view.skipped_unverifiable_sessions + view.excluded_by_policy;
        prop_assert_eq!(shown.len() + counted, left);
        prop_assert!(scope.restricts_projects() || asked.is_some() || counted == 0);
        prop_assert!(!scope.working.is_empty() || view.skipped_unverifiable_sessions == 0);

        let written = serde_json::to_value(&view).unwrap();
        prop_assert_eq!(&written["pageInfo"], &serde_json::json!({"hasNextPage": true, "endCursor": "c1"}));
        prop_assert_eq!(written.get("hints").is_some(), shown.is_empty(), "an empty page leads on");
        prop_assert_eq!(written["filtered_here"].as_array().map_or(0, Vec::len),
            usize::from(by_status) + usize::from(asked.is_some() && !knows_project));
        prop_assert_ne!(&written["sessions"], &Value::Null);
        let looked_up = gitlab.world().calls.iter().filter(|call| **call == "project").count();
        prop_assert!(looked_up <= 5 + usize::from(asked.is_some()), "each project once");
    }
}
