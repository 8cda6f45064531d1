//! Lists of a chosen length, made of what the fake GitLab lists.

use std::collections::VecDeque;

use serde_json::Value;

/// Repeats the rows of the outermost list in a GraphQL answer until there are `rows`, each with a number of its own.
/// What is no such answer stays as it is.
pub(super) fn fill(body: &mut Vec<u8>, rows: u64) {
    let Ok(rows @ 1..) = usize::try_from(rows) else { return };
    let Ok(mut answer) = serde_json::from_slice::<Value>(body) else { return };
    let Some(list) = outermost_list(&mut answer) else { return };
    let some = list.clone();
    list.truncate(rows);
    let missing = rows.saturating_sub(list.len());
    let copies = some.iter().cycle().take(missing).cloned().enumerate();
    list.extend(copies.map(|(number, mut row)| {
        renumber(&mut row, number + 900_001);
        row
    }));
    *body = answer.to_string().into_bytes();
}

fn outermost_list(answer: &mut Value) -> Option<&mut Vec<Value>> {
    let mut open = VecDeque::from([answer]);
    while let Some(value) = open.pop_front() {
        let Value::Object(fields) = value else { continue };
        for (name, field) in fields {
            let is_list = name == "nodes" && field.as_array().is_some_and(|rows| !rows.is_empty());
            if is_list {
                return field.as_array_mut();
            }
            open.push_back(field);
        }
    }
    None
}

fn renumber(row: &mut Value, number: usize) {
    let Some(Value::String(id)) = row.get_mut("id") else { return };
    if let Some((kind, _)) = id.rsplit_once('/') {
        *id = format!("{kind}/{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_filled_with_rows_of_their_own_numbers_and_other_bodies_stay() {
        let mut body = br#"{"data":{"list":{"nodes":[{"id":"gid://gitlab/X/1"}]}}}"#.to_vec();
        fill(&mut body, 3);
        let answer: Value = serde_json::from_slice(&body).unwrap();
        let ids: Vec<_> =
            answer["data"]["list"]["nodes"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
        assert_eq!(ids, ["gid://gitlab/X/1", "gid://gitlab/X/900001", "gid://gitlab/X/900002"]);
        for (other, rows) in
            [("no JSON", 3), (r#"{"data":{"list":{"nodes":[]}}}"#, 3), (r#"{"nodes":[1]}"#, 0)]
        {
            let mut body = other.as_bytes().to_vec();
            fill(&mut body, rows);
            assert_eq!(body, other.as_bytes());
        }
    }
}
