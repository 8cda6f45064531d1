//! Global ids.

use serde_json::{Value, json};

/// `gid://gitlab/<class>/<id>`.
pub(in crate::graphql) fn gid(class: &str, id: impl std::fmt::Display) -> Value {
    json!(format!("gid://gitlab/{class}/{id}"))
}

/// The number in a global id, a text or a number.
pub(in crate::graphql) fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.rsplit('/').next()?.parse().ok())
}
