//! Entries for searches: the bytes of an answer in, what the caller of the port is told out. No part of the interface.

use bytes::Bytes;
use gitlab_duo_core::gateway::error::{GatewayError, ReadError, WriteError};
use gitlab_duo_core::gateway::request::{Accepted, CatalogPage, Lookup, SessionPage, SessionQuery};
use gitlab_duo_core::model::ids::WorkflowId;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::de::DeserializeOwned;
use url::Url;

use crate::generated::{catalog_page as catalog, get_session as session, list_sessions as list};
use crate::operations::parts::accepted;
use crate::operations::{catalog_page, get_session, list_sessions};
use crate::wire::answer::RawAnswer;
use crate::wire::document::Operation;
use crate::wire::graphql::{self, Reply};
use crate::wire::refusal;

/// The answer to a look-up of the session `id`.
///
/// # Errors
/// As the port's `session`.
pub fn session_answer(body: &[u8], id: WorkflowId) -> Result<Lookup, ReadError> {
    get_session::lookup(&reply(body, &session::OPERATION)?, id)
}

/// The answer to a request for a page of sessions.
///
/// # Errors
/// As the port's `sessions`.
pub fn list_answer(body: &[u8]) -> Result<SessionPage, ReadError> {
    list_sessions::read(&reply(body, &list::OPERATION)?, &SessionQuery::default())
}

/// The answer to a request for a page of a catalog.
///
/// # Errors
/// As the port's `catalog_page`.
pub fn catalog_answer(body: &[u8]) -> Result<CatalogPage, ReadError> {
    catalog_page::read(&reply(body, &catalog::OPERATION)?)
}

/// The answer to a write; `asked`: the session that was written to.
///
/// # Errors
/// As the port's writes.
pub fn write_answer(body: &[u8], asked: Option<WorkflowId>) -> Result<Accepted, WriteError> {
    accepted::read(&answer(200, &[], body), asked)
}

/// The refusal in an answer with this status; a status that is none counts as 500.
#[must_use]
pub fn refused(status: u16, headers: &[(&str, &[u8])], body: &[u8]) -> GatewayError {
    refusal::of(&answer(status, headers, body))
}

/// A 2xx answer that cannot be read.
#[must_use]
pub fn unreadable(headers: &[(&str, &[u8])], body: &[u8]) -> GatewayError {
    refusal::unreadable(&answer(200, headers, body))
}

fn reply<T: DeserializeOwned>(body: &[u8], operation: &Operation) -> Result<Reply<T>, ReadError> {
    let newest = operation.documents.last();
    let newest = newest.ok_or_else(|| refusal::unreadable(&answer(200, &[], body)))?;
    graphql::reply(&answer(200, &[], body), newest, true)
}

/// Headers that HTTP does not allow are left out.
fn answer(status: u16, headers: &[(&str, &[u8])], body: &[u8]) -> RawAnswer {
    let header = |(name, value): &(&str, &[u8])| {
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_bytes(value).ok()?))
    };
    RawAnswer {
        status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        headers: headers.iter().filter_map(header).collect::<HeaderMap>(),
        body: Bytes::copy_from_slice(body),
        url: address(),
    }
}

#[expect(clippy::expect_used, reason = "a constant")]
fn address() -> Url {
    Url::parse("https://git.example.test/api/graphql").expect("an address")
}
