//! Error bodies in GitLab's shapes.

use crate::wire::Answer;
use apollo_compiler::parser::{SourceMap, SourceSpan};
use serde_json::{Value, json};

/// The words for what is not there or not allowed.
pub(super) const NO_RESOURCE: &str = "The resource that you are attempting to access does not exist or you \
    don't have permission to perform this action";

/// An answer that is one error and nothing else.
pub(super) fn alone(status: u16, message: &str) -> Answer {
    many(status, &[json!({ "message": message })])
}

/// An answer that is errors and nothing else.
pub(super) fn many(status: u16, errors: &[Value]) -> Answer {
    Answer::json(status, &json!({ "errors": errors }))
}

/// An error of a document, at a place in it.
pub(super) fn at(
    message: &str,
    span: Option<SourceSpan>,
    sources: &SourceMap,
    path: &[String],
    extensions: Value,
) -> Value {
    let place = span.and_then(|span| span.line_column(sources));
    let locations: Vec<_> =
        place.into_iter().map(|place| json!({ "line": place.line, "column": place.column })).collect();
    let mut error = json!({ "message": message, "locations": locations, "path": path });
    if let (Value::Object(error), Value::Object(_)) = (&mut error, &extensions) {
        error.insert("extensions".to_owned(), extensions);
    }
    error
}

/// A field error, packed into the one text that resolvers can hand over.
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) code: Option<&'static str>,
    /// A step below the field where GitLab notices the error.
    pub(super) below: Option<&'static str>,
}

impl Failure {
    pub(super) fn new(message: &str) -> Self {
        Self { message: message.to_owned(), code: None, below: None }
    }

    pub(super) fn coded(message: &str, code: &'static str) -> Self {
        Self { code: Some(code), ..Self::new(message) }
    }

    pub(super) fn cursor() -> Self {
        Self { below: Some("nodes"), ..Self::new("Please provide a valid cursor") }
    }

    pub(super) fn pack(&self) -> String {
        json!({ "message": self.message, "code": self.code, "below": self.below }).to_string()
    }
}

/// Unpacks what [`Failure::pack`] packed, in the errors of a response.
pub(super) fn unpack(errors: &mut Value) {
    for error in errors.as_array_mut().into_iter().flatten() {
        let Some(text) = error.get("message").and_then(Value::as_str) else { continue };
        let text = text.strip_prefix("resolver error: ").unwrap_or(text).to_owned();
        let packed: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let message = packed.get("message").cloned().unwrap_or(Value::String(text));
        let Value::Object(error) = error else { continue };
        error.insert("message".to_owned(), message);
        if let Some(code) = packed.get("code").filter(|code| code.is_string()) {
            error.insert("extensions".to_owned(), json!({ "code": code }));
        }
        let below = packed.get("below").filter(|below| below.is_string()).cloned();
        if let (Some(below), Some(Value::Array(path))) = (below, error.get_mut("path")) {
            path.push(below);
        }
    }
}
