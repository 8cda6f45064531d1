//! Requests beside tool calls: bounded, guarded, and refused in the form of JSON-RPC.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::rules::clip::clip;
use gitlab_duo_core::view::error::ErrorView;
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, PaginatedRequestParams};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use crate::fit::fit;
use crate::limits::{ERROR_BYTES, LINE_CHARS};
use crate::server::early::Early;
use crate::server::guard;
use crate::text::lines::sentence;

/// Does reading work for a request: for a limited time, and only as long as the client wants it.
pub(super) async fn guarded<T>(
    work: impl Future<Output = Result<T, DuoError>>,
    bound: Duration,
    context: &RequestContext<RoleServer>,
) -> Result<T, DuoError> {
    guard::guarded(context, guard::bounded(bound, work)).await.map_err(|halt| halt.refusal(false))
}

/// Does reading work for a limited time. A panic in it is a refusal that tells nothing of it.
pub(super) async fn bounded<T>(
    work: impl Future<Output = Result<T, DuoError>>,
    bound: Duration,
) -> Result<T, DuoError> {
    match AssertUnwindSafe(guard::bounded(bound, work)).catch_unwind().await {
        Ok(outcome) => outcome.map_err(|halt| halt.refusal(false)),
        Err(_) => Err(Early::Panicked.refusal(false)),
    }
}

/// A refusal: one plain sentence, and all that a tool's refusal says as its data.
pub(super) fn refused(error: &DuoError) -> ErrorData {
    let view = ErrorView::of(error);
    let message = clip(&sentence(&view.message), LINE_CHARS).text;
    let data = fit(&json!(view), ERROR_BYTES, |view| view.to_string().len());
    let data =
        data.unwrap_or_else(|| json!({"kind": error.kind.name(), "next_step": error.kind.next_step()}));
    ErrorData::new(code(error.kind), message, Some(data))
}

/// As [`refused`], about a task, whose id is a parameter.
pub(super) fn refused_task(error: &DuoError) -> ErrorData {
    let mut refusal = refused(error);
    if matches!(error.kind, ErrorKind::NotFound | ErrorKind::NotWaiting) {
        refusal.code = ErrorCode::INVALID_PARAMS;
    }
    refusal
}

/// As [`refused`], about a resource: its address stands beside, as the protocol asks for.
pub(super) fn refused_resource(error: &DuoError, uri: &str) -> ErrorData {
    let mut refusal = refused(error);
    if let Some(Value::Object(data)) = &mut refusal.data {
        data.insert("uri".to_owned(), Value::from(clip(uri, LINE_CHARS).text));
    }
    refusal
}

/// Whose fault it is, as far as JSON-RPC knows. `NotFound` becomes another code in newer revisions.
fn code(kind: ErrorKind) -> ErrorCode {
    match kind {
        ErrorKind::InvalidArguments => ErrorCode::INVALID_PARAMS,
        ErrorKind::NotFound => ErrorCode::RESOURCE_NOT_FOUND,
        ErrorKind::Policy | ErrorKind::Version | ErrorKind::Unauthorized | ErrorKind::Forbidden => {
            ErrorCode::INVALID_REQUEST
        }
        _ => ErrorCode::INTERNAL_ERROR,
    }
}

/// Refuses a cursor: every list of this server has one page.
pub(super) fn one_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    if request.and_then(|page| page.cursor).is_some_and(|cursor| !cursor.is_empty()) {
        let message = "this cursor is not one of ours: the list has one page";
        return Err(ErrorData::invalid_params(message, None));
    }
    Ok(())
}
