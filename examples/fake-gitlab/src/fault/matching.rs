//! A fault, the requests it is meant for, and how often it happens.

use super::effect::Effect;
use crate::wire::LoggedRequest;

/// Something that goes wrong with a request.
///
/// Without a matcher it meets the very next request; matchers add up.
#[derive(Clone, Debug)]
pub struct Fault {
    pub(crate) name: String,
    pub(crate) effect: Effect,
    pub(crate) executes: bool,
    method: Option<String>,
    path_part: Option<String>,
    root_field: Option<String>,
    body_part: Option<String>,
    skips: usize,
    left: Option<usize>,
}

impl Fault {
    pub(crate) fn new(name: &str, effect: Effect) -> Self {
        let executes = effect.needs_real();
        Self {
            name: name.to_owned(),
            effect,
            executes,
            method: None,
            path_part: None,
            root_field: None,
            body_part: None,
            skips: 0,
            left: Some(1),
        }
    }

    /// Only for requests of that method.
    #[must_use]
    pub fn on_method(mut self, method: &str) -> Self {
        self.method = Some(method.to_owned());
        self
    }

    /// Only for requests with this in their path.
    #[must_use]
    pub fn on_path(mut self, part: &str) -> Self {
        self.path_part = Some(part.to_owned());
        self
    }

    /// Only for GraphQL operations with this field at their root.
    #[must_use]
    pub fn on_graphql(mut self, root_field: &str) -> Self {
        self.root_field = Some(root_field.to_owned());
        self
    }

    /// Only for requests with this in their body.
    #[must_use]
    pub fn on_body(mut self, part: &str) -> Self {
        self.body_part = Some(part.to_owned());
        self
    }

    /// Lets that many matching requests pass first.
    #[must_use]
    pub fn after(mut self, requests: usize) -> Self {
        self.skips = requests;
        self
    }

    /// Happens to that many matching requests.
    #[must_use]
    pub fn times(mut self, requests: usize) -> Self {
        self.left = Some(requests);
        self
    }

    /// Happens to every matching request from now on.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.left = None;
        self
    }

    /// GitLab does what was asked before the fault happens.
    #[must_use]
    pub fn executed(mut self) -> Self {
        self.executes = true;
        self
    }

    pub(crate) fn is_before_reading(&self) -> bool {
        matches!(self.effect, Effect::BeforeReading)
    }

    pub(crate) fn matches(&self, request: &LoggedRequest) -> bool {
        let field = |wanted: &String| request.graphql_root_fields.contains(wanted);
        self.matches_line(&request.method, &request.path)
            && self.root_field.as_ref().is_none_or(field)
            && self.body_part.as_ref().is_none_or(|part| request.body.contains(part))
    }

    /// The part of matching that needs the first line only.
    pub(crate) fn matches_line(&self, method: &str, path: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
            && self.path_part.as_ref().is_none_or(|part| path.contains(part))
    }

    /// Counts a matching request; true when the fault happens to it.
    pub(crate) fn strike(&mut self) -> bool {
        if self.skips > 0 {
            self.skips -= 1;
            return false;
        }
        match &mut self.left {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }

    pub(crate) fn spent(&self) -> bool {
        self.left == Some(0)
    }
}
