//! A page of what is enabled in a project.
//!
//! GitLab resolves the pinned version of 20 rows per request; with more, the field fails. A longer page is therefore
//! read in pieces of 20, which follow GitLab's own cursors. When a later piece fails, or the limit of requests is
//! reached, the page ends before it: its cursor leads on.

use gitlab_duo_core::gateway::error::ReadError;
use gitlab_duo_core::gateway::request::{CatalogPage, CatalogQuery};
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, ItemFilter, ItemType};
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId};
use gitlab_duo_core::model::page::{Answer, Cursor};
use gitlab_duo_core::model::selector::FlowReference;

use super::parts::rows::{consumer, page_info};
use crate::generated::catalog_page::catalog_page::{ResponseData, Variables};
use crate::generated::catalog_page::{CatalogPage as CatalogPageQuery, OPERATION};
use crate::scalars::{IdText, Text};
use crate::wire::connection::Wire;
use crate::wire::document::Document;
use crate::wire::graphql::Reply;

/// Rows whose pinned version GitLab resolves in one request (18.9 and 19.3).
const PIECE_ROWS: u32 = 20;

/// Reads a page, piece by piece.
pub(crate) async fn catalog_page(
    wire: &Wire,
    query: &CatalogQuery,
) -> Result<Answer<CatalogPage>, ReadError> {
    let Piece { mut answer, mut may_go_on } =
        piece(wire, query, PIECE_ROWS.min(query.first.rows()), query.after.as_ref()).await?;
    let mut left = query.first.rows().saturating_sub(PIECE_ROWS);
    while left > 0 && may_go_on {
        let page_info = &answer.value.page_info;
        let Some(after) = page_info.end_cursor.clone().filter(|_| page_info.has_next_page == Some(true))
        else {
            break;
        };
        match piece(wire, query, PIECE_ROWS.min(left), Some(&after)).await {
            Ok(next) => {
                answer.value.rows.extend(next.answer.value.rows);
                answer.value.page_info = next.answer.value.page_info;
                may_go_on = next.may_go_on;
            }
            Err(error) => {
                tracing::debug!(kind = error.kind.name(), "a catalog page ends early");
                break;
            }
        }
        left = left.saturating_sub(PIECE_ROWS);
    }
    Ok(answer)
}

struct Piece {
    answer: Answer<CatalogPage>,
    may_go_on: bool,
}

async fn piece(
    wire: &Wire,
    query: &CatalogQuery,
    rows: u32,
    after: Option<&Cursor>,
) -> Result<Piece, ReadError> {
    let variables = |document: &Document| variables(query, rows, after, document);
    let reply = wire.query::<CatalogPageQuery>(&OPERATION, variables).await?;
    let answer = Answer { value: read(&reply)?, unavailable: reply.unavailable() };
    Ok(Piece { answer, may_go_on: !reply.is_last_of_window })
}

/// Reads the answer to one piece.
pub(crate) fn read(reply: &Reply<ResponseData>) -> Result<CatalogPage, ReadError> {
    reply.data.as_ref().and_then(page).ok_or_else(|| reply.error())
}

fn variables(query: &CatalogQuery, rows: u32, after: Option<&Cursor>, document: &Document) -> Variables {
    // The port's promise: where GitLab cannot filter by the reference, all rows come.
    let flow = query.flow.as_ref().filter(|_| document.takes("foundationalFlowReference"));
    let item_type = query.item_type.map(|filter| match filter {
        ItemFilter::Agent => "AGENT",
        ItemFilter::Flow => "FLOW",
        ItemFilter::ThirdPartyFlow => "THIRD_PARTY_FLOW",
    });
    Variables {
        project_id: IdText::global("Project", query.project.number()),
        item_type: item_type.map(|name| Text::from(name.to_owned())),
        foundational_flow_reference: flow.map(ToString::to_string),
        first: Some(i64::from(rows)),
        after: after.map(|cursor| cursor.as_str().to_owned()),
    }
}

/// None when the answer has no rows at all, which is not the same as no row.
fn page(data: &ResponseData) -> Option<CatalogPage> {
    let list = data.ai_catalog_configured_items.as_ref()?;
    let rows = list.nodes.as_ref()?.iter().flatten().map(|node| consumer!(node)).collect();
    let info = list.page_info.as_ref();
    let page_info =
        page_info(info.and_then(|info| info.has_next_page), info.and_then(|info| info.end_cursor.clone()));
    Some(CatalogPage { rows, page_info })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_rows_stay_rows_and_say_what_is_unknown() {
        let json = r#"{"aiCatalogConfiguredItems":{"nodes":[null,
            {"id":"gid://gitlab/Ai::Catalog::ItemConsumer/55","enabled":true,"item":null,"pinnedItemVersion":null},
            {"id":"gid://gitlab/Ai::Catalog::ItemConsumer/-3","item":{"name":"Planner","itemType":"FOUNDATIONAL_AGENT"}},
            {"id":"gid://gitlab/AiCatalogItemConsumer/91","item":{"itemType":"ROBOT","foundationalFlowReference":"developer/v1"},
             "project":{"fullPath":"acme/api"},"userPermissions":{"executeAiCatalogItem":false}}],
            "pageInfo":{"hasNextPage":true,"endCursor":"eyJpZCI6IjcyNSJ9=="}}}"#;
        let page = page(&serde_json::from_str(json).unwrap()).unwrap();
        let [gone, made_up, flow] = page.rows.as_slice() else { panic!("{page:?}") };
        assert_eq!(
            (gone.id.unwrap().number(), gone.enabled, &gone.item, gone.released),
            (55, Some(true), &None, None)
        );
        assert_eq!((made_up.id, made_up.enabled, made_up.may_execute), (None, None, None));
        assert_eq!(made_up.item.as_ref().unwrap().item_type, Some(ItemType::FoundationalAgent));
        let item = flow.item.as_ref().unwrap();
        assert_eq!(item.item_type, Some(ItemType::Other("robot".to_owned())));
        assert_eq!((item.foundational, flow.may_execute), (Some(true), Some(false)));
        assert_eq!(flow.project_path.as_ref().unwrap().as_str(), "acme/api");
        assert_eq!(page.page_info.end_cursor.unwrap().as_str(), "eyJpZCI6IjcyNSJ9==");
    }

    #[test]
    fn a_missing_list_is_no_empty_list() {
        let read = |json: &str| page(&serde_json::from_str(json).unwrap());
        assert_eq!(read(r#"{"aiCatalogConfiguredItems":{"nodes":null}}"#), None);
        assert_eq!(read(r#"{"aiCatalogConfiguredItems":{"nodes":[]}}"#).unwrap().rows, []);
    }
}
