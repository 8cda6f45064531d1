//! From a request on the wire to an answer on the wire, by way of faults.

use super::answer::{Answer, Request};
use super::body::Flow;
use super::connection::Control;
use super::log::{LoggedRequest, Outcome};
use super::outside;
use crate::auth;
use crate::fault::{Effect, Fault};
use crate::graphql;
use crate::rest;
use crate::shared::{Shared, lock};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::{Request as HttpRequest, Response};
use std::io;

/// Answers one request; an error closes the connection without an answer.
pub(crate) async fn answer(
    shared: &Shared,
    control: &Control,
    request: HttpRequest<Incoming>,
) -> io::Result<Response<Flow>> {
    let Some(request) = read(shared, request).await? else {
        return Ok(response(Answer::html(404, outside::NOT_FOUND), None));
    };
    let logged = logged(shared, &request);
    let fault = lock(&shared.faults).take(&logged);
    let id = lock(&shared.log).push(logged);
    let number = format!("01K8FAKE{id:018}");
    match fault {
        None => {
            let answer = execute(shared, &request).with("x-request-id", &number);
            lock(&shared.log)
                .settle(id, Outcome { status: Some(answer.status), executed: true, fault: None });
            Ok(response(answer, None))
        }
        Some(fault) => {
            let real = fault.executes.then(|| execute(shared, &request).with("x-request-id", &number));
            let status = fault.effect.status().or(real.as_ref().map(|real| real.status));
            let outcome = Outcome { status, executed: fault.executes, fault: Some(fault.name.clone()) };
            lock(&shared.log).settle(id, outcome);
            happen(fault, control, real, &number).await
        }
    }
}

/// Reads the request; `None` when it is not below the subpath of the installation.
async fn read(shared: &Shared, request: HttpRequest<Incoming>) -> io::Result<Option<Request>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes().to_vec();
    let Some(path) = head.uri.path().strip_prefix(shared.subpath.as_str()) else { return Ok(None) };
    let text = |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    Ok(Some(Request {
        method: head.method.to_string(),
        path: path.to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
        body,
    }))
}

fn logged(shared: &Shared, request: &Request) -> LoggedRequest {
    let world = lock(&shared.world);
    let caller = auth::caller(&world, &request.headers);
    let user = caller.viewer().and_then(|viewer| world.users.get(&viewer.user));
    LoggedRequest::new(request, &shared.subpath, user.map(|user| user.username.clone()))
}

fn execute(shared: &Shared, request: &Request) -> Answer {
    let mut world = lock(&shared.world);
    if request.path == "/api/graphql" {
        graphql::answer(&mut world, &shared.schemas, request)
    } else if request.path.starts_with("/api/v4") {
        rest::answer(&mut world, request)
    } else {
        outside::answer(&world, request)
    }
}

async fn happen(
    fault: Fault,
    control: &Control,
    real: Option<Answer>,
    number: &str,
) -> io::Result<Response<Flow>> {
    let real = real.unwrap_or_else(|| Answer::json(200, &serde_json::json!({})));
    Ok(match fault.effect {
        Effect::Answer(answer) => response(numbered(answer, number), None),
        Effect::AddHeaders(headers) => {
            response(headers.iter().fold(real, |real, (name, value)| real.with(name, value)), None)
        }
        Effect::Edit(edit) => response(edit.apply(real), None),
        Effect::Delay(time) => {
            tokio::time::sleep(time).await;
            response(real, None)
        }
        Effect::Hang => std::future::pending().await,
        Effect::BeforeReading | Effect::Close => return Err(io::ErrorKind::ConnectionAborted.into()),
        Effect::Reset => {
            control.reset();
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Effect::Cut(keep) => shortened(real, keep, Flow::cut),
        Effect::Stall(keep) => shortened(real, keep, Flow::stuck),
        Effect::Huge { status, mib, announced } => huge(status, mib, announced),
        Effect::Surplus { announced, mib } => {
            control.surplus(mib);
            let mut text = b"{\"data\":{\"text\":\"".to_vec();
            text.resize(announced, b'x');
            response(Answer::new(200, "application/json", text), None)
        }
        Effect::Trickle { piece, pause } => {
            let flow = Flow::trickle(&real.body, piece, pause);
            response(real, Some(flow))
        }
    })
}

fn numbered(answer: Answer, number: &str) -> Answer {
    let has_one = answer.headers.iter().any(|(name, _)| name == "x-request-id");
    if has_one { answer } else { answer.with("x-request-id", number) }
}

/// Announces the whole body, and more than `keep`, whatever is sent of it.
fn shortened(mut answer: Answer, keep: usize, flow: impl FnOnce(Vec<u8>) -> Flow) -> Response<Flow> {
    let announced = answer.body.len().max(keep + 1).to_string();
    answer.body.resize(keep.min(answer.body.len()), 0);
    let flow = flow(std::mem::take(&mut answer.body));
    response(answer.with("content-length", &announced), Some(flow))
}

fn huge(status: u16, mib: usize, announced: bool) -> Response<Flow> {
    let mut answer = Answer::new(status, "application/json", "");
    if announced {
        answer = answer.with("content-length", &(mib << 20).to_string());
    }
    response(answer, Some(Flow::blanks(mib)))
}

fn response(answer: Answer, flow: Option<Flow>) -> Response<Flow> {
    let mut builder = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        builder = builder.header(name.as_str(), value.as_str());
    }
    // Only a header that a test made up can be unusable: say so in its place.
    builder.body(flow.unwrap_or_else(|| Flow::whole(answer.body))).unwrap_or_else(|error| {
        let mut response = Response::new(Flow::whole(error.to_string().into_bytes()));
        *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}
