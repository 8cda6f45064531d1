//! Which flows and agents of a project can be started, and why not.

use crate::gateway::reader::DuoReader;
use crate::gateway::request::CatalogQuery;
use crate::model::catalog::{CatalogItem, Consumer, ItemFilter, ItemType};
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::CatalogItemId;
use crate::model::page::PageSize;
use crate::model::project::Project;
use crate::model::selector::{AgentReference, FlowReference};
use crate::rules::gates::{Feature, Support};
use crate::rules::limits::{OFFER_PAGES, OFFERED_NAMES};

/// Whether something can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Startable {
    /// GitLab says so.
    Yes,
    /// It cannot, and why.
    No(String),
    /// GitLab cannot tell, and why.
    Unknown(String),
}

impl Startable {
    pub(super) fn can_start(&self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::No(_) => Some(false),
            Self::Unknown(_) => None,
        }
    }

    pub(super) fn why_not(self) -> Option<String> {
        match self {
            Self::Yes => None,
            Self::No(why) | Self::Unknown(why) => Some(why),
        }
    }

    fn no(why: &str) -> Self {
        Self::No(why.to_owned())
    }
}

/// Whether a consumer can be started in `project`: what is certain first, then GitLab's own word.
pub(super) fn consumer_startable(consumer: &Consumer, project: &Project, support: &Support) -> Startable {
    if consumer.enabled == Some(false) {
        return Startable::no("it is disabled in this project");
    }
    match consumer.item.as_ref().map(|item| item.item_type.as_ref()) {
        None => return Startable::no("its catalog item is gone or hidden"),
        Some(Some(ItemType::Flow) | None) => {}
        Some(Some(ItemType::ThirdPartyFlow)) => {
            return Startable::no("external agents are not started as sessions");
        }
        Some(Some(ItemType::Agent | ItemType::FoundationalAgent)) => {
            return Startable::no("GitLab starts flows only by consumer; an agent is used in chat");
        }
        Some(Some(ItemType::Other(_))) => {
            return Startable::Unknown("this type of item is not known here".to_owned());
        }
    }
    match &consumer.project_path {
        Some(path) if path.is(&project.path) => {}
        Some(_) => return Startable::no("it is enabled in another project"),
        None => return Startable::no("it is enabled in a group above, not in this very project"),
    }
    if consumer.id.is_none() {
        return Startable::no("GitLab gave it no id");
    }
    if consumer.released == Some(false) {
        return Startable::no("its pinned version is a draft");
    }
    if let Err(gate) = support.require(Feature::StartConsumer) {
        return Startable::No(gate.to_string());
    }
    match consumer.may_execute {
        Some(true) => Startable::Yes,
        Some(false) => {
            Startable::no("GitLab does not let you run it: role, licence, beta features or flow settings")
        }
        None => Startable::Unknown("this GitLab does not say whether you may run it".to_owned()),
    }
}

/// Whether a foundational agent can be started.
pub(super) fn agent_startable(agent: &AgentReference, support: &Support) -> Startable {
    if agent.is_chat() {
        return Startable::no("it only answers in interactive Duo Chat");
    }
    match support.require(Feature::StartAgent) {
        Ok(()) => Startable::Unknown("GitLab decides when it is started".to_owned()),
        Err(gate) => Startable::No(gate.to_string()),
    }
}

/// The consumer of a foundational flow in a project; none when there is none.
pub(super) async fn find_flow(
    reader: &dyn DuoReader,
    project: &Project,
    flow: &FlowReference,
) -> Result<Option<Consumer>, DuoError> {
    let query = flows_of(project, Some(flow.clone()));
    find(reader, project, query, &format!("flow `{flow}`"), |consumer| reference(consumer) == Some(flow))
        .await
}

/// The consumer of a catalog item in a project; none when there is none.
pub(super) async fn find_item(
    reader: &dyn DuoReader,
    project: &Project,
    id: CatalogItemId,
) -> Result<Option<Consumer>, DuoError> {
    let is_of_item = |consumer: &Consumer| consumer.item.as_ref().is_some_and(|item| item.id == Some(id));
    find(reader, project, flows_of(project, None), &format!("catalog item {id}"), is_of_item).await
}

/// Reads page by page. When the bound is hit first, that is an error: it is not known.
async fn find(
    reader: &dyn DuoReader,
    project: &Project,
    mut query: CatalogQuery,
    what: &str,
    is_wanted: impl Fn(&Consumer) -> bool,
) -> Result<Option<Consumer>, DuoError> {
    for _ in 0..OFFER_PAGES {
        let page = reader.catalog_page(&query).await?.value;
        let is_it = |consumer: &Consumer| is_wanted(consumer) && is_of(consumer, project);
        let mut found = page.rows.into_iter().filter(is_it);
        // A disabled row beside an enabled one of the same flow is not the one that was meant.
        if let Some(first) = found.next() {
            let is_off = first.enabled == Some(false);
            let better = if is_off { found.find(|other| other.enabled != Some(false)) } else { None };
            return Ok(Some(better.unwrap_or(first)));
        }
        match (page.page_info.has_next_page, page.page_info.end_cursor) {
            (Some(true), Some(cursor)) => query.after = Some(cursor),
            _ => return Ok(None),
        }
    }
    let message = format!(
        "{what} is not in the first {OFFER_PAGES} pages of what is enabled in project `{}`, and there are more",
        project.path
    );
    let next_step = "page through discovery and start the flow by its consumer id";
    Err(DuoError::new(ErrorKind::NotFound, message).with_next_step(next_step))
}

/// A sentence that names the flows of a project that can, or might, be started.
pub(super) async fn offered_flows(
    reader: &dyn DuoReader,
    project: &Project,
    support: &Support,
) -> Result<String, DuoError> {
    let page = reader.catalog_page(&flows_of(project, None)).await?.value;
    let startable =
        |consumer: &&Consumer| consumer_startable(consumer, project, support).can_start() != Some(false);
    let names: Vec<_> =
        page.rows.iter().filter(startable).filter_map(selector_text).take(OFFERED_NAMES).collect();
    let more = page.page_info.has_next_page == Some(true);
    Ok(match (names.is_empty(), more) {
        (true, false) => format!("discovery offers no flow in `{}`", project.path),
        (true, true) => "discovery offers more: page through it".to_owned(),
        (false, false) => format!("discovery offers: {}", names.join(", ")),
        (false, true) => format!("discovery offers, among others: {}", names.join(", ")),
    })
}

fn flows_of(project: &Project, flow: Option<FlowReference>) -> CatalogQuery {
    let first = PageSize::default();
    CatalogQuery { project: project.id, item_type: Some(ItemFilter::Flow), flow, first, after: None }
}

fn reference(consumer: &Consumer) -> Option<&FlowReference> {
    consumer.item.as_ref().and_then(|item: &CatalogItem| item.flow.as_ref())
}

fn is_of(consumer: &Consumer, project: &Project) -> bool {
    consumer.project_path.as_ref().is_some_and(|path| path.is(&project.path))
}

/// Selectors only: names are foreign text and do not belong into our own sentence.
fn selector_text(consumer: &Consumer) -> Option<String> {
    let by_reference = reference(consumer).map(|flow| format!("flow `{flow}`"));
    by_reference.or_else(|| consumer.id.map(|id| format!("consumer_id {id}")))
}
