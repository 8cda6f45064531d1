//! What does a project offer? `cargo run --example discover -- [PROJECT]`
//!
//! Plays on the embedded GitLab; with `GITLAB_URL` and `GITLAB_TOKEN` set it reads yours.

use std::env;

use anyhow::Result;
use gitlab_duo_core::actions::agents_and_flows::{AgentsAndFlows, agents_and_flows};
use gitlab_duo_core::model::page::{Cursor, PageSize};
use gitlab_duo_core::model::project::ProjectRef;
use gitlab_duo_core::model::scope::Scope;

mod support;
use support::{DEMO_PROJECT, Stage};

#[tokio::main]
async fn main() -> Result<()> {
    let stage = Stage::open().await?;
    let project = env::args().nth(1).unwrap_or_else(|| DEMO_PROJECT.to_owned());
    let project = ProjectRef::parse(&project, &stage.url)?;
    let mut after = None;
    loop {
        let request =
            AgentsAndFlows { project: project.clone(), item_type: None, first: PageSize::default(), after };
        let page = agents_and_flows(&stage.gitlab, &Scope::default(), request).await?;
        for item in &page.items {
            let selector = match (&item.flow, &item.agent, &item.consumer_id) {
                (Some(flow), ..) => format!("flow {flow}"),
                (_, Some(agent), _) => format!("agent {agent}"),
                (.., Some(consumer)) => format!("consumer {consumer}"),
                _ => "-".to_owned(),
            };
            let can_start = match item.can_start_session {
                Some(true) => "yes",
                Some(false) => "no",
                None => "perhaps",
            };
            println!("{can_start:8}{selector:44}{}", item.name.value().unwrap_or("(hidden)"));
        }
        match (page.page_info.has_next_page, page.page_info.end_cursor) {
            (Some(true), Some(cursor)) => after = Some(Cursor::received(cursor)),
            _ => return Ok(()),
        }
    }
}
