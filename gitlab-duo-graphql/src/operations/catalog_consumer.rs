//! A consumer by its id.

use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::catalog::{CatalogItem, Consumer, ItemType};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId};
use gitlab_duo_core::model::page::Answer;
use gitlab_duo_core::model::selector::FlowReference;

use super::parts::rows::consumer;
use crate::generated::catalog_consumer::catalog_consumer::Variables;
use crate::generated::catalog_consumer::{CatalogConsumer, OPERATION};
use crate::scalars::IdText;
use crate::wire::connection::Wire;

/// Reads a consumer; none when it is not there or not visible.
pub(crate) async fn catalog_consumer(
    wire: &Wire,
    id: ConsumerId,
) -> Result<Answer<Option<Consumer>>, ReadError> {
    let global = IdText::global("Ai::Catalog::ItemConsumer", id.number());
    let reply = wire.query::<CatalogConsumer>(&OPERATION, |_| Variables { id: global.clone() }).await?;
    let found = reply.data.as_ref().and_then(|data| data.ai_catalog_item_consumer.as_ref());
    let value = match found.map(|node| consumer!(node)) {
        Some(consumer) if consumer.id == Some(id) => Some(consumer),
        Some(_) => {
            let message = "GitLab answered with another consumer than the one asked for";
            return Err(GatewayError::new(ErrorKind::Unreadable, message));
        }
        None if reply.data.is_some() && !reply.has_errors() => None,
        None => match reply.error() {
            error if error.kind == ErrorKind::NotFound => None,
            error => return Err(error),
        },
    };
    Ok(Answer { value, unavailable: reply.unavailable() })
}
