//! A GraphQL query: the document that the instance understands, and its answer.

use bytes::Bytes;
use gitlab_duo_core::gateway::error::{GatewayError, ReadError};
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::page::Unavailable;
use gitlab_duo_core::rules::version::GitLabVersion;
use graphql_client::{GraphQLQuery, QueryBody};
use http::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::wire::answer::RawAnswer;
use crate::wire::connection::{Request, Wire};
use crate::wire::document::{Document, Operation};
use crate::wire::graphql_error::{self, FieldError};
use crate::wire::{refusal, rest, retry_after};

/// An answer: data, errors, or both.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    pub(crate) data: Option<T>,
    pub(crate) errors: Vec<FieldError>,
    /// The document that was understood.
    pub(crate) document: &'static Document,
    /// Whether no further page may be asked for in this call: the limit of requests is reached.
    pub(crate) is_last_of_window: bool,
    has_cursor: bool,
    request_id: Option<String>,
    retry_after_seconds: Option<u64>,
}

#[derive(Deserialize)]
struct Envelope<T> {
    data: Option<T>,
    errors: Option<Vec<FieldError>>,
}

impl<T> Reply<T> {
    /// The error of an answer that lacks what was asked for.
    pub(crate) fn error(&self) -> GatewayError {
        let error = graphql_error::of(&self.errors, self.has_cursor, self.request_id.clone());
        GatewayError { retry_after_seconds: self.retry_after_seconds, ..error }
    }

    /// Whether GitLab reported any error.
    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether GitLab gave this code.
    pub(crate) fn has_code(&self, code: &str) -> bool {
        self.errors.iter().any(|error| error.code() == Some(code))
    }

    /// Whether an error is about a field of this name.
    pub(crate) fn has_failed_at(&self, field: &str) -> bool {
        self.errors.iter().any(|error| error.is_at(field))
    }

    /// Whether every error is about one of these fields at the root.
    pub(crate) fn has_failed_only_at(&self, roots: &[&str]) -> bool {
        let is_there = |error: &FieldError| error.root().is_some_and(|root| roots.contains(&root));
        !self.errors.is_empty() && self.errors.iter().all(is_there)
    }

    /// Details that this instance cannot give.
    pub(crate) fn unavailable(&self) -> Vec<Unavailable> {
        self.document.unavailable()
    }
}

impl Wire {
    /// Asks. `variables` is called with the document that will be sent, which says what it takes: a value for an
    /// argument that the instance does not know is refused here, never dropped.
    ///
    /// A document that the instance does not understand after all is followed by the next older one, and not sent
    /// to this instance again.
    pub(crate) async fn query<Q: GraphQLQuery>(
        &self,
        operation: &'static Operation,
        variables: impl Fn(&Document) -> Q::Variables,
    ) -> Result<Reply<Q::ResponseData>, ReadError> {
        let support = self.instance().await?.support;
        let index = operation.index_for(support.release());
        let mut index = index.ok_or_else(|| too_old(operation, support.version()))?;
        index = index.min(self.shared.ceiling(operation.name).unwrap_or(index));
        loop {
            let document = operation.documents.get(index);
            let document = document.ok_or_else(|| too_old(operation, support.version()))?;
            let reply = self.ask::<Q>(operation, document, variables(document)).await?;
            let is_refused = reply.data.is_none() && reply.errors.iter().any(FieldError::is_not_understood);
            if !is_refused {
                log_partial(operation, &reply);
                return Ok(reply);
            }
            tracing::debug!(operation = operation.name, since = %document.since, "document not understood");
            let Some(older) = index.checked_sub(1) else {
                return Err(GatewayError {
                    kind: ErrorKind::Version,
                    message: unknown(operation),
                    ..reply.error()
                });
            };
            self.shared.lower_ceiling(operation.name, older);
            index = older;
        }
    }

    async fn ask<Q: GraphQLQuery>(
        &self,
        operation: &'static Operation,
        document: &'static Document,
        variables: Q::Variables,
    ) -> Result<Reply<Q::ResponseData>, ReadError> {
        let body = QueryBody { variables, query: document.text, operation_name: operation.name };
        let body = serde_json::to_value(&body).map_err(|_| {
            GatewayError::new(ErrorKind::InvalidArguments, "the arguments cannot be written as JSON")
        })?;
        refuse_unknown_arguments(document, &body)?;
        let has_cursor = body.pointer("/variables/after").is_some_and(|cursor| !cursor.is_null());
        let url = self.shared.address(&["api", "graphql"]);
        let request = Request {
            operation: operation.name,
            method: Method::POST,
            url,
            body: Some(Bytes::from(body.to_string())),
        };
        reply(&self.read(&request).await?, document, has_cursor)
    }
}

/// Reads an answer to `document`. `has_cursor`: the request carried one.
pub(crate) fn reply<T: DeserializeOwned>(
    answer: &RawAnswer,
    document: &'static Document,
    has_cursor: bool,
) -> Result<Reply<T>, ReadError> {
    if !answer.status.is_success() {
        return Err(refusal::of(answer));
    }
    let envelope: Envelope<T> = rest::json(answer)?;
    Ok(Reply {
        data: envelope.data,
        errors: envelope.errors.unwrap_or_default(),
        document,
        is_last_of_window: retry_after::is_exhausted(&answer.headers),
        has_cursor,
        request_id: answer.request_id(),
        retry_after_seconds: retry_after::seconds(answer.status, &answer.headers),
    })
}

/// A value that the instance would not look at answers another question than the one asked.
fn refuse_unknown_arguments(document: &Document, body: &Value) -> Result<(), ReadError> {
    let given = |variable: &str| {
        body.pointer(&format!("/variables/{variable}")).is_some_and(|value| !value.is_null())
    };
    match document.unknown_arguments.iter().find(|argument| given(argument.variable)) {
        Some(argument) => {
            let message = format!(
                "this GitLab does not know the argument `{}`: {} does",
                argument.variable, argument.since
            );
            Err(GatewayError::new(ErrorKind::Version, message))
        }
        None => Ok(()),
    }
}

fn too_old(operation: &Operation, found: &GitLabVersion) -> ReadError {
    let since = operation.since().map(|since| since.to_string()).unwrap_or_default();
    let name = operation.name;
    let message = format!("`{name}` needs GitLab {since} or newer; this instance is {found}");
    GatewayError::new(ErrorKind::Version, message)
}

fn unknown(operation: &Operation) -> String {
    let name = operation.name;
    format!(
        "this GitLab does not understand `{name}`: it is older than it says, or an edition without Duo sessions"
    )
}

fn log_partial<T>(operation: &Operation, reply: &Reply<T>) {
    if !reply.errors.is_empty() {
        let codes: Vec<_> = reply.errors.iter().filter_map(FieldError::code).collect();
        let has_data = reply.data.is_some();
        tracing::debug!(
            operation = operation.name,
            errors = reply.errors.len(),
            ?codes,
            has_data,
            "partial answer"
        );
    }
}

#[cfg(test)]
mod tests {
    use gitlab_duo_core::rules::version::Release;
    use serde_json::json;

    use super::*;
    use crate::generated::list_sessions::OPERATION;

    #[test]
    fn a_value_for_an_argument_that_is_not_known_is_refused_and_never_dropped() {
        let rows = [
            (Release::new(17, 3), json!({"first": 20}), None),
            (Release::new(17, 3), json!({"projectPath": null}), None),
            (Release::new(17, 3), json!({"projectPath": "acme/api"}), Some("`projectPath`: 18.5 does")),
            (Release::new(18, 5), json!({"projectPath": "acme/api"}), None),
            (Release::new(19, 4), json!({"statuses": []}), Some("`statuses`: 19.5 does")),
            (Release::new(19, 5), json!({"statuses": ["RUNNING"]}), None),
        ];
        for (release, variables, refusal) in rows {
            let document = &OPERATION.documents[OPERATION.index_for(release).unwrap()];
            let refused = refuse_unknown_arguments(document, &json!({"variables": variables})).err();
            assert_eq!(refused.is_some(), refusal.is_some(), "{release} {variables}");
            let Some((error, end)) = refused.zip(refusal) else { continue };
            assert_eq!(error.kind, ErrorKind::Version);
            assert!(error.message.ends_with(end), "{error}");
        }
    }
}
