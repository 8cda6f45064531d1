//! Faults of the body: empty, not JSON, redirected, far too large, or changed.

use super::effect::{Edit, Effect};
use super::matching::Fault;
use crate::wire::{Answer, bomb};
use serde_json::Value;
use std::sync::Arc;

impl Fault {
    /// Any answer: status, headers, body.
    pub fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::new(&format!("answer {status}"), Effect::Answer(Answer { status, headers, body: body.into() }))
    }

    /// A JSON answer.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(&format!("json {status}"), Effect::Answer(Answer::json(status, body)))
    }

    /// GitLab does what was asked and answers 201 with nothing.
    pub fn empty_201() -> Self {
        Self::new("empty 201", Effect::Answer(Answer::new(201, "application/json", ""))).executed()
    }

    /// GitLab does what was asked; the answer of that status is a page.
    pub fn html_success(status: u16) -> Self {
        let page = "<!DOCTYPE html>\n<html><head><title>GitLab</title></head><body>Hello</body></html>\n";
        Self::new("html success", Effect::Answer(Answer::html(status, page))).executed()
    }

    /// GitLab does what was asked; the answer of that status is JSON without its end.
    pub fn broken_json(status: u16) -> Self {
        Self::new(
            "broken json",
            Effect::Answer(Answer::new(status, "application/json", "{\"id\":75,\"status\":\"cre")),
        )
        .executed()
    }

    /// A redirect of that status to any address, on this host or another. Not executed.
    pub fn redirect(status: u16, location: &str) -> Self {
        let body = format!("This resource has been moved to {location}");
        let answer = Answer::new(status, "text/plain", body).with("location", location);
        Self::new(&format!("redirect {status}"), Effect::Answer(answer))
    }

    /// A redirect to the sign-in page of this instance, relative to its root.
    pub fn redirect_to_sign_in() -> Self {
        let page = "<html><body>You are being redirected.</body></html>";
        let answer = Answer::html(302, page).with("location", "/users/sign_in");
        Self::new("redirect to sign-in", Effect::Answer(answer))
    }

    /// A proxy wants its own sign-in.
    pub fn proxy_407() -> Self {
        let page = "<html><body><h1>407 Proxy Authentication Required</h1></body></html>";
        let answer = Answer::html(407, page).with("proxy-authenticate", "Basic realm=\"proxy\"");
        Self::new("proxy 407", Effect::Answer(answer))
    }

    /// That many MiB, announced by `Content-Length`. Not executed.
    pub fn huge(mib: usize) -> Self {
        Self::new("huge", Effect::Huge { status: 200, mib, announced: true })
    }

    /// That many MiB in chunks, announced by nothing. Not executed.
    pub fn huge_chunked(mib: usize) -> Self {
        Self::new("huge chunked", Effect::Huge { status: 200, mib, announced: false })
    }

    /// An answer that announces so many bytes and sends so many MiB more. Not executed.
    ///
    /// What was announced is JSON without its end; what follows is blanks.
    pub fn more_than_announced(announced: usize, mib: usize) -> Self {
        Self::new("more than announced", Effect::Surplus { announced, mib })
    }

    /// A small gzip body that unpacks to that many MiB. Not executed.
    pub fn gzip_bomb(mib: usize) -> Self {
        let answer = Answer::new(200, "application/json", bomb(mib)).with("content-encoding", "gzip");
        Self::new("gzip bomb", Effect::Answer(answer))
    }

    /// The real answer, with more headers or other values of them.
    pub fn add_headers(headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::new("add headers", Effect::AddHeaders(headers))
    }

    /// The real answer, with its JSON body changed.
    pub fn edit(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Self {
        Self::new("edit", Effect::Edit(Edit(Arc::new(change))))
    }
}
