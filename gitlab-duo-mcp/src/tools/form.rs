//! The form that GitLab's own MCP server gives its results: its names beside ours, ids as numbers.

use serde_json::{Map, Value};

use crate::arguments::call::Call;
use crate::spec::surface::Surface;
use crate::tools::write::Write;

/// The largest whole number that every JSON reader keeps exactly.
const EXACT: u64 = 9_007_199_254_740_991;

type Fields = Map<String, Value>;

/// What brings the view of a call into GitLab's form.
pub(super) fn of(call: &Call) -> fn(&mut Value) {
    match call {
        Call::AgentsAndFlows(_) => |view| each(view, "items", item),
        Call::ListSessions(_) => |view| each(view, "sessions", row),
        Call::GetSession(_) | Call::WaitSession(_) => |view| on(view, session),
        Call::StartSession(_) | Call::SendInput(_) => |view| on(view, written),
        Call::StopSession(_) => |view| on(view, stopped),
        Call::PlanStart(_) | Call::ReadTranscript(_) => |_| (),
    }
}

/// What brings the outcome of a write into the form of a surface.
pub(super) fn of_write(write: &Write, surface: Surface) -> fn(&mut Value) {
    match (surface, write) {
        (Surface::Compact, _) => |_| (),
        (Surface::GitLab, Write::Start(_) | Write::Answer(_)) => |view| on(view, written),
        (Surface::GitLab, Write::Stop(_)) => |view| on(view, stopped),
    }
}

/// What brings a session into the form of a surface.
pub(super) fn of_session(surface: Surface) -> fn(&mut Value) {
    match surface {
        Surface::Compact => |_| (),
        Surface::GitLab => |view| on(view, session),
    }
}

fn on(value: &mut Value, change: fn(&mut Fields)) {
    if let Value::Object(fields) = value {
        change(fields);
    }
}

fn each(view: &mut Value, rows: &str, change: fn(&mut Fields)) {
    if let Some(Value::Array(rows)) = view.get_mut(rows) {
        rows.iter_mut().for_each(|row| on(row, change));
    }
}

/// Rows that a project configures carry no definition there; agents do.
fn item(item: &mut Fields) {
    let definition = item.get("agent").cloned().unwrap_or_default();
    item.insert("workflow_definition".to_owned(), definition);
    rename_id(item, "consumer_id", "ai_catalog_item_consumer_id");
}

fn row(row: &mut Fields) {
    rename_id(row, "workflow_id", "id");
}

fn session(session: &mut Fields) {
    rename_id(session, "workflow_id", "workflow_id");
    let is = |name: &str, value: Value| session.get(name) == Some(&value);
    let states = [
        ("turn_complete", is("terminal", Value::Bool(true))),
        ("awaiting_approval", is("status_group", Value::from("awaiting_input"))),
        ("paused", is("status", Value::from("paused"))),
    ];
    // Each is there only in its state.
    for (name, _) in states.into_iter().filter(|(_, holds)| *holds) {
        session.insert(name.to_owned(), Value::Bool(true));
    }
}

fn written(outcome: &mut Fields) {
    stopped(outcome);
    // GitLab's own server tells it always.
    rename_id(outcome, "workload_id", "workload_id");
}

fn stopped(outcome: &mut Fields) {
    rename_id(outcome, "workflow_id", "workflow_id");
}

fn rename_id(fields: &mut Fields, from: &str, to: &str) {
    let id = fields.remove(from).map_or(Value::Null, number);
    fields.insert(to.to_owned(), id);
}

/// An id as a number; as it is when not every client would keep all of it.
fn number(id: Value) -> Value {
    let exact = id.as_str().and_then(|id| id.parse::<u64>().ok()).filter(|id| *id <= EXACT);
    exact.map_or(id, Value::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_is_a_number_as_long_as_every_client_keeps_it() {
        let rows = [
            (json!("73"), json!(73)),
            (json!("9007199254740991"), json!(9_007_199_254_740_991_u64)),
            (json!("9007199254740992"), json!("9007199254740992")),
            (json!(null), json!(null)),
        ];
        for (id, expected) in rows {
            assert_eq!(number(id.clone()), expected, "{id}");
        }
    }

    #[test]
    fn a_state_is_told_only_while_it_holds() {
        let rows = [
            (json!({"terminal": true, "status": "finished"}), Some("turn_complete")),
            (json!({"terminal": false, "status_group": "awaiting_input"}), Some("awaiting_approval")),
            (json!({"status": "paused"}), Some("paused")),
            (json!({"terminal": null, "status": "running"}), None),
        ];
        for (mut view, expected) in rows {
            on(&mut view, session);
            for state in ["turn_complete", "awaiting_approval", "paused"] {
                assert_eq!(view.get(state).is_some(), expected == Some(state), "{view}");
            }
        }
    }
}
