//! Connections and their cursors: offsets for sessions, keysets for the catalog and for links.

use super::errors::Failure;
use crate::encoding::{base64, unbase64};
use serde_json::{Map, Value, json};

/// Rows of a page unless the schema says otherwise.
const LARGEST: usize = 100;

/// A page by offset: the cursor is the base64 of a row's place, counted from 1.
pub(super) fn by_offset(rows: Vec<Value>, arguments: &Value, default: usize) -> Result<Value, Failure> {
    let place = |name: &str| match arguments.get(name).and_then(Value::as_str) {
        None => Ok(None),
        Some(cursor) => match unbase64(cursor) {
            None => Err(Failure::new("Invalid cursor")),
            // What is no number counts as nothing: the first page again.
            Some(text) => Ok(Some(text.parse::<usize>().unwrap_or(0))),
        },
    };
    let window = Window::of(place("after")?, place("before")?, rows.len());
    Ok(page(rows, &window, arguments, default, |_, index| base64(&(index + 1).to_string())))
}

/// A page by key: the cursor is the base64 of what [`key`] says of a row.
pub(super) fn by_key(rows: Vec<Value>, arguments: &Value) -> Result<Value, Failure> {
    let keys: Vec<_> = rows.iter().map(key).collect();
    let place = |name: &str| match arguments.get(name).and_then(Value::as_str) {
        None => Ok(None),
        Some(cursor) => position(cursor, &keys).map(Some),
    };
    let after = place("after")?.map(|found| found.map_or(0, |index| index + 1));
    let before = place("before")?.map(|found| found.map_or(rows.len() + 1, |index| index + 1));
    let window = Window::of(after, before, rows.len());
    Ok(page(rows, &window, arguments, LARGEST, |row, _| base64(&key(row).to_string())))
}

/// A key that is gone means the place where it was.
fn position(cursor: &str, keys: &[Value]) -> Result<Option<usize>, Failure> {
    let wanted: Option<Value> = unbase64(cursor).and_then(|text| serde_json::from_str(&text).ok());
    let wanted = wanted.filter(|key| key.get("id").is_some()).ok_or_else(Failure::cursor)?;
    let exact = keys.iter().position(|key| *key == wanted);
    Ok(exact.or_else(|| keys.iter().rposition(|key| order(key) < order(&wanted))))
}

/// Rows come by priority, and then by descending number.
fn order(key: &Value) -> (i64, i64) {
    let number = |name: &str| key.get(name).and_then(Value::as_str).and_then(|text| text.parse::<i64>().ok());
    (number("consumer_priority").unwrap_or(0), -number("id").unwrap_or(0))
}

/// What a row is known by: its `__key`, or a number taken from its id.
fn key(row: &Value) -> Value {
    row.get("__key").cloned().unwrap_or_else(|| {
        let id = row.get("id").map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        json!({ "id": id.unwrap_or_default().rsplit('/').next().unwrap_or_default() })
    })
}

struct Window {
    start: usize,
    end: usize,
}

impl Window {
    fn of(after: Option<usize>, before: Option<usize>, length: usize) -> Self {
        let start = after.unwrap_or(0).min(length);
        let end = before.map_or(length, |before| before.saturating_sub(1)).clamp(start, length);
        Self { start, end }
    }
}

fn page(
    rows: Vec<Value>,
    window: &Window,
    arguments: &Value,
    default: usize,
    cursor: impl Fn(&Value, usize) -> String,
) -> Value {
    let size =
        |name: &str| arguments.get(name).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
    let total = rows.len();
    let (mut start, mut end) = (window.start, window.end);
    match (size("first"), size("last")) {
        (None, Some(last)) => start = start.max(end.saturating_sub(last.min(LARGEST))),
        (first, _) => end = end.min(start + first.map_or(default, |first| first.min(LARGEST.max(default)))),
    }
    let shown: Vec<_> = rows.into_iter().enumerate().skip(start).take(end.saturating_sub(start)).collect();
    let edges: Vec<_> =
        shown.iter().map(|(index, row)| json!({ "cursor": cursor(row, *index), "node": row })).collect();
    let mark =
        |edge: Option<&Value>| edge.and_then(|edge| edge.get("cursor")).cloned().unwrap_or(Value::Null);
    let info = json!({
        "startCursor": mark(edges.first()), "endCursor": mark(edges.last()),
        "hasNextPage": end < total, "hasPreviousPage": start > 0,
    });
    let nodes: Vec<_> = shown.into_iter().map(|(_, row)| row).collect();
    let mut connection = Map::new();
    connection.insert("nodes".to_owned(), Value::from(nodes));
    connection.insert("edges".to_owned(), Value::from(edges));
    connection.insert("pageInfo".to_owned(), info);
    connection.insert("count".to_owned(), json!(total));
    Value::Object(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: i64) -> Vec<Value> {
        (1..=count).map(|id| json!({ "id": id })).collect()
    }

    #[test]
    fn offsets_count_from_one() {
        let page = by_offset(rows(5), &json!({ "first": 2, "after": "Mg" }), 100).unwrap_or_default();
        assert_eq!(page["nodes"], json!([{ "id": 3 }, { "id": 4 }]));
        assert_eq!(page["pageInfo"]["endCursor"], "NA");
        assert_eq!(page["pageInfo"]["hasNextPage"], true);
    }

    #[test]
    fn a_keyset_cursor_must_be_json() {
        let failure = by_key(rows(2), &json!({ "after": "Mg" })).err().map(|failure| failure.message);
        assert_eq!(failure.as_deref(), Some("Please provide a valid cursor"));
    }
}
