//! How much at once: requests in flight, and bodies within their bounds.

use axum::body::Body;
use axum::response::Response;
use futures_util::StreamExt;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::sync::OwnedSemaphorePermit;

use crate::http::options::HttpOptions;
use crate::http::page::sentence;

/// The request with its whole body, or what is wrong with it.
pub(super) async fn whole(request: Request<Body>, options: &HttpOptions) -> Result<Request<Body>, Response> {
    let (parts, body) = request.into_parts();
    let reading = Limited::new(body, options.body_bytes).collect();
    match tokio::time::timeout(options.body_time, reading).await {
        Ok(Ok(body)) => Ok(Request::from_parts(parts, Body::from(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(sentence(StatusCode::PAYLOAD_TOO_LARGE, "the body of this request is too long"))
        }
        Ok(Err(_)) => Err(sentence(StatusCode::BAD_REQUEST, "the body of this request cannot be read")),
        Err(_) => {
            Err(sentence(StatusCode::REQUEST_TIMEOUT, "the body of this request did not arrive in time"))
        }
    }
}

/// The same answer, which holds its permit until its last byte is handed over or nobody wants it.
pub(super) fn holding(permit: OwnedSemaphorePermit, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let body = body.into_data_stream().map(move |part| {
        let _held = &permit;
        part
    });
    Response::from_parts(parts, Body::from_stream(body))
}
