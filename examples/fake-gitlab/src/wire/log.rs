//! The log of requests, for tests to look at.

use super::answer::Request;
use crate::graphql;

/// What became of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Status that was sent, or that was about to be sent when a fault came between.
    pub status: Option<u16>,
    /// Whether the world was asked, and changed if the request was a write.
    pub executed: bool,
    /// Name of the fault that happened instead of, or after, the answer.
    pub fault: Option<String>,
}

/// A request that was read to its end.
#[derive(Clone, Debug)]
pub struct LoggedRequest {
    /// Method.
    pub method: String,
    /// Path as it was sent, with the subpath.
    pub path: String,
    /// Query as it was sent, without question mark.
    pub query: String,
    /// Headers, names in lower case. Secrets are replaced by `…`.
    pub headers: Vec<(String, String)>,
    /// Name of the user whose token was sent, if GitLab knows it.
    pub user: Option<String>,
    /// Body.
    pub body: String,
    /// Fields at the root of the GraphQL operation.
    pub graphql_root_fields: Vec<String>,
    /// Name of the GraphQL operation.
    pub operation_name: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    id: u64,
}

impl LoggedRequest {
    pub(crate) fn new(request: &Request, subpath: &str, user: Option<String>) -> Self {
        let is_graphql = request.path == "/api/graphql";
        let (operation_name, graphql_root_fields) =
            if is_graphql { graphql::root_fields(&request.body) } else { (None, Vec::new()) };
        Self {
            method: request.method.clone(),
            path: format!("{subpath}{}", request.path),
            query: request.query.clone(),
            headers: request.headers.iter().map(without_secret).collect(),
            user,
            body: String::from_utf8_lossy(&request.body).into_owned(),
            graphql_root_fields,
            operation_name,
            outcome: Outcome::default(),
            id: 0,
        }
    }

    /// Whether it is a REST request that may change something.
    pub fn is_write(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD") && !self.path.ends_with("/api/graphql")
    }

    /// Value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null when it is not.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

fn without_secret((name, value): &(String, String)) -> (String, String) {
    let shown = match name.as_str() {
        "private-token" | "job-token" => "…".to_owned(),
        "authorization" => value.split(' ').next().map(|scheme| format!("{scheme} …")).unwrap_or_default(),
        _ => value.clone(),
    };
    (name.clone(), shown)
}

/// All requests since the last clearing.
#[derive(Default)]
pub(crate) struct Log {
    entries: Vec<LoggedRequest>,
    last_id: u64,
}

impl Log {
    pub(crate) fn push(&mut self, mut request: LoggedRequest) -> u64 {
        self.last_id += 1;
        request.id = self.last_id;
        self.entries.push(request);
        self.last_id
    }

    pub(crate) fn settle(&mut self, id: u64, outcome: Outcome) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            entry.outcome = outcome;
        }
    }

    pub(crate) fn all(&self) -> Vec<LoggedRequest> {
        self.entries.clone()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
