//! The length of a goal, at its edges.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use gitlab_duo_core::actions::start_session::{Duplicates, StartSession, plan_start};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, ItemType};
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::{ConsumerId, ProjectId};
use gitlab_duo_core::model::instance::{InstanceUrl, PlainHttp};
use gitlab_duo_core::model::project::{Project, ProjectPath, ProjectRef};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::selector::Selector;
use gitlab_duo_core::view::outcome::DryRunView;
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;

fn now_or_never<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the double never waits"),
    }
}

fn plan(version: &str, goal: &str) -> Result<DryRunView, DuoError> {
    let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
    let gitlab = MemoryGitLab::new(url, version);
    let path = ProjectPath::parse("acme/api").unwrap();
    let id = ProjectId::new(4021).unwrap();
    let item = CatalogItem {
        id: None,
        name: Some("Invoice keeper".to_owned()),
        description: None,
        item_type: Some(ItemType::Flow),
        foundational: Some(false),
        flow: None,
    };
    gitlab.world().projects = vec![Project { id, path: path.clone(), web_url: None }];
    gitlab.world().consumers = vec![Consumer {
        id: ConsumerId::new(91),
        enabled: Some(true),
        item: Some(item),
        project_path: Some(path),
        released: Some(true),
        may_execute: Some(true),
    }];
    let request = StartSession {
        project: ProjectRef::Id(id),
        selector: Selector::Consumer(ConsumerId::new(91).unwrap()),
        goal: Some(goal.to_owned()),
        url: None,
        duplicates: Duplicates::Refuse,
        now: Timestamp::UNIX_EPOCH,
    };
    let planned = now_or_never(plan_start(&gitlab, &Scope::default(), request));
    assert_eq!(gitlab.world().writes(), 0);
    planned
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_goal_has_the_length_that_its_gitlab_takes(
        version in select(vec!["19.4.1-ee", "19.5.0-pre", "19.5.0-ee", "20.1.0"]),
        width in select(vec!["a", "ä", "中", "🚒"]),
        edge in select(vec![1, 16_384, 65_536, 127 * 1_024, 127 * 1_024 / 2, 127 * 1_024 / 3, 127 * 1_024 / 4]),
        step in 0_usize..3,
    ) {
        let chars = edge + step - 1;
        let goal = width.repeat(chars);
        let is_long = matches!(version, "19.5.0-ee" | "20.1.0");
        let fits = match is_long {
            false => chars <= 16_384,
            true => chars <= 65_536 && goal.len() <= 127 * 1_024,
        };
        match plan(version, &goal) {
            Ok(planned) => {
                prop_assert!(fits && chars > 0, "{} {}", version, chars);
                prop_assert_eq!(planned.would_start.goal.is_cut(), chars > 160);
            }
            Err(error) => {
                prop_assert!(!fits || chars == 0, "{} {}: {}", version, chars, error);
                prop_assert_eq!(error.kind.name(), "invalid_arguments");
                prop_assert!(error.message.contains("`goal`") && error.message.chars().count() < 200);
            }
        }
    }

    #[test]
    fn a_goal_of_blanks_is_none(goal in "[ \t\r\n\u{a0}\u{3000}]{0,9}") {
        prop_assert_eq!(plan("19.5.0-ee", &goal).unwrap_err().kind.name(), "invalid_arguments");
    }
}
