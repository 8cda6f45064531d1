//! Offset pages of REST lists, with their headers.

use super::refuse;
use crate::encoding::query_pairs;
use crate::wire::{Answer, Request};
use serde_json::Value;

/// The parameters of a request's query.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(request: &Request) -> Self {
        Self(query_pairs(&request.query))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the parameter is absent, or has that value.
    pub(super) fn admits(&self, name: &str, value: &str) -> bool {
        self.get(name).is_none_or(|wanted| wanted == value)
    }
}

/// One page of rows: `page` from 1, `per_page` 20 by default and 100 at most.
pub(super) fn page(request: &Request, rows: &[Value]) -> Result<Answer, Answer> {
    let query = Query::of(request);
    let number = |name: &str, default: usize| match query.get(name) {
        None => Ok(default),
        Some(text) => text.parse::<usize>().map_err(|_| refuse::invalid(&format!("{name} is invalid"))),
    };
    let (page, size) = (number("page", 1)?.max(1), number("per_page", 20)?.clamp(1, 100));
    let start = (page - 1).saturating_mul(size);
    let shown: Vec<_> = rows.iter().skip(start).take(size).cloned().collect();
    let next = if start.saturating_add(size) < rows.len() { (page + 1).to_string() } else { String::new() };
    Ok(Answer::json(200, &Value::from(shown))
        .with("x-page", &page.to_string())
        .with("x-per-page", &size.to_string())
        .with("x-next-page", &next)
        .with("x-total", &rows.len().to_string()))
}
