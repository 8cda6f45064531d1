//! Discover what a project offers.

use futures_util::future::try_join3;

use crate::actions::flows::{agent_startable, consumer_startable};
use crate::actions::projects::admitted_project;
use crate::gateway::error::ReadError;
use crate::gateway::reader::DuoReader;
use crate::gateway::request::CatalogQuery;
use crate::model::catalog::{Consumer, Eligibility, FoundationalAgent, ItemFilter, ItemType};
use crate::model::error::{DuoError, ErrorKind};
use crate::model::page::{Answer, Cursor, PageSize};
use crate::model::project::{Project, ProjectRef};
use crate::model::scope::Scope;
use crate::model::selector::FlowReference;
use crate::rules::gates::{Feature, Support};
use crate::rules::limits::{DESCRIPTION_CHARS, TITLE_CHARS};
use crate::view::catalog::{CatalogItemView, CatalogView, EligibilityView};
use crate::view::page::unavailable;
use crate::view::session::version_hint;
use crate::view::text::Pen;

/// Which part of a project's offer to list.
#[derive(Clone, Debug)]
pub struct AgentsAndFlows {
    /// The project.
    pub project: ProjectRef,
    /// Only this type.
    pub item_type: Option<ItemFilter>,
    /// How many rows; foundational agents come on top of them.
    pub first: PageSize,
    /// Where to begin, as an earlier page said.
    pub after: Option<Cursor>,
}

/// Lists the agents and flows of a project, and whether sessions can run there.
///
/// Disabled rows are dropped after paging, so that an empty page may have a next one. Foundational
/// agents come on the first page only, and only when agents are asked for.
///
/// # Errors
/// `version` below 18.5, `policy`, `not_found`, and whatever a read fails with.
pub async fn agents_and_flows(
    reader: &dyn DuoReader,
    scope: &Scope,
    request: AgentsAndFlows,
) -> Result<CatalogView, DuoError> {
    scope.admit_browsing()?;
    let instance = reader.instance().await?;
    let support = &instance.support;
    support.require(Feature::Discover)?;
    let project = admitted_project(reader, scope, &request.project).await?;
    let query = CatalogQuery {
        project: project.id,
        item_type: request.item_type,
        flow: None,
        first: request.first,
        after: request.after,
    };
    let (page, agents, eligibility) = try_join3(
        reader.catalog_page(&query),
        foundational_agents(reader, &query),
        eligibility(reader, &project),
    )
    .await?;
    let mut pen = Pen::default();
    let mut items: Vec<_> = agents.value.iter().map(|agent| agent_row(agent, support, &mut pen)).collect();
    let rows = page.value.rows.iter().filter(|consumer| is_listed(consumer));
    items.extend(rows.map(|consumer| consumer_row(consumer, &project, support, &mut pen)));
    let goes_on = items.is_empty() && page.value.page_info.has_next_page == Some(true);
    let empty =
        goes_on.then(|| "nothing on this page is enabled, but more pages follow: use `endCursor`".to_owned());
    let missing = [page.unavailable, agents.unavailable, eligibility.unavailable].concat();
    Ok(CatalogView {
        project: project.path.to_string(),
        items,
        page_info: page.value.page_info.into(),
        eligibility: EligibilityView::of(&eligibility.value.0, &mut pen),
        hints: empty.into_iter().chain(eligibility.value.1).chain(version_hint(&instance)).collect(),
        unavailable: unavailable(missing),
        removed_characters: pen.removed(),
    })
}

async fn foundational_agents(
    reader: &dyn DuoReader,
    query: &CatalogQuery,
) -> Result<Answer<Vec<FoundationalAgent>>, ReadError> {
    let is_asked_for = query.after.is_none() && matches!(query.item_type, None | Some(ItemFilter::Agent));
    if !is_asked_for {
        return Ok(Answer::complete(Vec::new()));
    }
    Ok(reader.foundational_agents(query.project).await?.map(Option::unwrap_or_default))
}

/// Facts are an addition: a refusal to tell them does not hide the catalog, it is said.
async fn eligibility(
    reader: &dyn DuoReader,
    project: &Project,
) -> Result<Answer<(Eligibility, Option<String>)>, ReadError> {
    match reader.eligibility(project).await {
        Ok(answer) => Ok(answer.map(|facts| (facts, None))),
        Err(error)
            if matches!(error.kind, ErrorKind::Forbidden | ErrorKind::NotFound | ErrorKind::Unreadable) =>
        {
            let hint = format!("whether sessions can run here is not known: {error}");
            Ok(Answer::complete((Eligibility::default(), Some(hint))))
        }
        Err(error) => Err(error),
    }
}

/// Disabled rows are dropped, and so is a foundational agent's row: it is listed as an agent already.
fn is_listed(consumer: &Consumer) -> bool {
    let item = consumer.item.as_ref();
    let is_agent = |item_type: &ItemType| matches!(item_type, ItemType::Agent | ItemType::FoundationalAgent);
    let is_foundational_agent = item.is_some_and(|item| {
        let of_agent = item.item_type.as_ref().is_some_and(is_agent);
        item.item_type == Some(ItemType::FoundationalAgent) || (of_agent && item.foundational == Some(true))
    });
    consumer.enabled != Some(false) && !is_foundational_agent
}

fn agent_row(agent: &FoundationalAgent, support: &Support, pen: &mut Pen) -> CatalogItemView {
    let startable = agent_startable(&agent.reference, support);
    CatalogItemView {
        name: pen.text("name", agent.name.as_deref(), TITLE_CHARS),
        description: pen.text("description", agent.description.as_deref(), DESCRIPTION_CHARS),
        item_type: pen.text("type", Some(ItemType::FoundationalAgent.name()), TITLE_CHARS),
        foundational: Some(true),
        flow: None,
        agent: Some(pen.clipped(agent.reference.as_str(), TITLE_CHARS).text),
        consumer_id: None,
        can_start_session: startable.can_start(),
        why_not: startable.why_not(),
        requires_url: None,
    }
}

fn consumer_row(consumer: &Consumer, project: &Project, support: &Support, pen: &mut Pen) -> CatalogItemView {
    let startable = consumer_startable(consumer, project, support);
    let item = consumer.item.as_ref();
    let flow = item.and_then(|item| item.flow.as_ref());
    // Only flows are selected by consumer, and a type that is not known here is not known to be one.
    let is_other = matches!(item.and_then(|item| item.item_type.as_ref()), Some(ItemType::Other(_)));
    let is_selectable = startable.can_start() != Some(false) && !is_other;
    CatalogItemView {
        name: pen.text("name", item.and_then(|item| item.name.as_deref()), TITLE_CHARS),
        description: pen.text(
            "description",
            item.and_then(|item| item.description.as_deref()),
            DESCRIPTION_CHARS,
        ),
        item_type: pen.text(
            "type",
            item.and_then(|item| item.item_type.as_ref()).map(ItemType::name),
            TITLE_CHARS,
        ),
        // A reference is only given to flows that GitLab provides.
        foundational: item.and_then(|item| item.foundational.or(item.flow.is_some().then_some(true))),
        flow: flow.map(|flow| pen.clipped(flow.as_str(), TITLE_CHARS).text),
        agent: None,
        consumer_id: consumer.id.filter(|_| is_selectable).map(|id| id.to_string()),
        can_start_session: startable.can_start(),
        why_not: startable.why_not(),
        requires_url: flow.and_then(FlowReference::target).map(|target| target.name()),
    }
}
