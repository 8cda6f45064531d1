//! The answer to a request for a page of a catalog, all the way to what a caller of discovery sees.

#![no_main]

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::gateway::testing::MemoryGitLab;
use gitlab_duo_core::model::ids::ProjectId;
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::project::{Project, ProjectPath, ProjectRef};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_fuzz::{check_refusal, check_view, instance};
use gitlab_duo_graphql::fuzzing::catalog_answer;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let page = match catalog_answer(body) {
        Ok(page) => page,
        Err(error) => return check_refusal(&error),
    };
    let id = ProjectId::new(4021).expect("an id");
    let path = ProjectPath::parse("acme/api").expect("a path");
    let gitlab = MemoryGitLab::new(instance().url, "19.5.0-ee");
    gitlab.world().projects = vec![Project { id, path, web_url: None }];
    gitlab.world().consumers = page.rows;
    gitlab.world().page_info = page.page_info.clone();
    let request = AgentsAndFlows {
        project: ProjectRef::Id(id),
        item_type: None,
        first: PageSize::default(),
        after: None,
    };
    let view = now_or_never(agents_and_flows(&gitlab, &Scope::default(), request)).expect("a view");
    let cursor = page.page_info.end_cursor.as_ref().map(|cursor| cursor.as_str());
    assert_eq!(view.page_info.end_cursor.as_deref(), cursor);
    for item in &view.items {
        assert!(item.consumer_id.is_none() || item.can_start_session != Some(false));
    }
    check_view(&serde_json::to_value(&view).expect("a view can be written"));
});

fn now_or_never<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the double never waits"),
    }
}
