//! Errors inside a GraphQL answer, and what a caller can do about them.

use gitlab_duo_core::gateway::error::GatewayError;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::rules::clip::clip;
use serde::Deserialize;
use serde_json::Value;

/// Characters of GitLab's words that are kept.
const WORDS_CHARS: usize = 4_000;

/// Codes of a document that the instance does not understand (graphql-ruby, static validation).
const NOT_UNDERSTOOD: [&str; 5] = [
    "undefinedField",
    "argumentNotAccepted",
    "variableRequiresValidType",
    "undefinedType",
    "selectionMismatch",
];

/// GitLab's sentence for a session, record or mutation target that is hidden or gone; it carries no code.
const NO_RESOURCE: &str = "The resource that you are attempting to access does not exist";
/// GitLab's sentences for a limit, the first for a second look at a foreign session; they carry no code.
const TOO_MANY: [&str; 2] = ["Too many requests", "This endpoint has been requested too many times"];

/// One entry of `errors`.
#[derive(Debug, Deserialize)]
pub(crate) struct FieldError {
    message: Option<Value>,
    #[serde(default)]
    path: Value,
    #[serde(default)]
    extensions: Value,
}

impl FieldError {
    /// `extensions.code`.
    pub(crate) fn code(&self) -> Option<&str> {
        self.extensions.get("code")?.as_str()
    }

    /// Whether it says that the document is not understood.
    pub(crate) fn is_not_understood(&self) -> bool {
        self.code().is_some_and(|code| NOT_UNDERSTOOD.contains(&code))
    }

    /// The field at the root that it is about.
    pub(crate) fn root(&self) -> Option<&str> {
        self.path.get(0)?.as_str()
    }

    /// Whether a field of this name is on its path.
    pub(crate) fn is_at(&self, field: &str) -> bool {
        self.path.as_array().is_some_and(|path| path.iter().any(|step| step.as_str() == Some(field)))
    }

    fn message(&self) -> &str {
        self.message.as_ref().and_then(Value::as_str).unwrap_or_default()
    }
}

/// The error of an answer that lacks what was asked for. `has_cursor`: the request carried one.
pub(crate) fn of(errors: &[FieldError], has_cursor: bool, request_id: Option<String>) -> GatewayError {
    let says = |sentence: &str| errors.iter().any(|error| error.message().starts_with(sentence));
    let has_code =
        |codes: &[&str]| errors.iter().any(|error| error.code().is_some_and(|code| codes.contains(&code)));
    let has_bad_variable = errors.iter().any(|error| error.extensions.get("problems").is_some());
    let speaks_of_cursor =
        || errors.iter().any(|error| error.message().to_ascii_lowercase().contains("cursor"));

    let (kind, message) = if has_code(&["WORKFLOW_NOT_FOUND"]) || says(NO_RESOURCE) {
        (ErrorKind::NotFound, "GitLab finds nothing there: it is not there, or you may not see it")
    } else if has_code(&["INSUFFICIENT_NAMESPACE_PERMISSIONS", "NO_DEFAULT_NAMESPACE"]) {
        (ErrorKind::Forbidden, "GitLab does not show this session")
    } else if TOO_MANY.into_iter().any(says) {
        (ErrorKind::RateLimited, "too many requests")
    } else if has_cursor && speaks_of_cursor() {
        (ErrorKind::InvalidArguments, "GitLab does not know this cursor: begin again without one")
    } else if has_bad_variable {
        (ErrorKind::InvalidArguments, "GitLab does not accept a value of this request")
    } else if errors.is_empty() {
        (ErrorKind::Unreadable, "GitLab's answer lacks what was asked for, without a reason")
    } else {
        (ErrorKind::Server, "GitLab could not answer this query")
    };
    let mut error = GatewayError::new(kind, message);
    error.gitlab_message = words(errors);
    error.request_id = request_id;
    error
}

fn words(errors: &[FieldError]) -> Option<String> {
    let mut messages: Vec<&str> =
        errors.iter().map(FieldError::message).filter(|text| !text.is_empty()).collect();
    messages.dedup();
    (!messages.is_empty()).then(|| clip(&messages.join("; "), WORDS_CHARS).text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(errors: &str, has_cursor: bool, expected: ErrorKind) {
        let parsed: Vec<FieldError> = serde_json::from_str(errors).unwrap();
        assert_eq!(of(&parsed, has_cursor, None).kind, expected, "{errors}");
    }

    #[test]
    fn each_error_of_gitlab_has_its_kind() {
        let not_found = r#"[{"message":"Workflow not found","extensions":{"code":"WORKFLOW_NOT_FOUND"}}]"#;
        check(not_found, false, ErrorKind::NotFound);
        let resource =
            "The resource that you are attempting to access does not exist or you don't have permission";
        check(&format!(r#"[{{"message":"{resource}"}}]"#), false, ErrorKind::NotFound);
        let namespace = r#"[{"message":"x","extensions":{"code":"NO_DEFAULT_NAMESPACE"}}]"#;
        check(namespace, false, ErrorKind::Forbidden);
        check(r#"[{"message":"Too many requests."}]"#, false, ErrorKind::RateLimited);
        let limiter = "This endpoint has been requested too many times. Try again later.";
        check(&format!(r#"[{{"message":"{limiter}"}}]"#), false, ErrorKind::RateLimited);
        let cursor = r#"[{"message":"Please provide a valid cursor"}]"#;
        check(cursor, true, ErrorKind::InvalidArguments);
        check(cursor, false, ErrorKind::Server);
        let value = r#"[{"message":"Variable $x","extensions":{"value":"y","problems":[]}}]"#;
        check(value, false, ErrorKind::InvalidArguments);
        check(r#"[{"message":"Query has complexity of 312"}]"#, false, ErrorKind::Server);
        check(r#"[{"message":null,"extensions":null},{}]"#, false, ErrorKind::Server);
        check("[]", false, ErrorKind::Unreadable);
    }
}
