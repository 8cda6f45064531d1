//! What a model has to read: the list of tools and typical results, in bytes.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::program::Program;
use super::upstream::Upstream;
use super::{FLOOR_PATH, Figures, browse, call};

/// Rows of the lists that are measured.
const ROWS: usize = 20;
/// The project of the fake GitLab that has a catalog.
const PROJECT: u64 = 4_021;
/// What a client shows its model of a tool.
const SHOWN: [&str; 4] = ["name", "title", "description", "inputSchema"];

/// Measures results, and gives the call that reads the largest of the example sessions. What GitLab said of
/// that session stands at the floor's path afterwards.
pub(super) fn measure(mut program: Program, upstream: &Upstream) -> Result<(Figures, Value)> {
    let mut sizes = Figures::new();
    program.initialize()?;
    let list = program.request("tools/list", &json!({}))?;
    sizes.insert("tools shown".to_owned(), bytes(&shown(&list)));
    sizes.insert("tools whole".to_owned(), bytes(&list));

    let listed = browse(&mut program, &json!({"action": "list"}))?;
    let rows = listed.get("sessions").and_then(Value::as_array).context("no sessions")?;
    let (mut largest, mut most) = (None, 0.0);
    for id in rows.iter().filter_map(|row| row.get("workflow_id")) {
        let get = json!({"action": "get", "workflow_id": id});
        let size = bytes(&browse(&mut program, &get)?);
        if size > most {
            (largest, most) = (Some(call(&get)), size);
            upstream.give_last_at(FLOOR_PATH)?;
        }
    }
    sizes.insert("one session".to_owned(), most);

    upstream.fill_lists(ROWS as u64);
    let listed = browse(&mut program, &json!({"action": "list", "first": ROWS}))?;
    sizes.insert("20 sessions".to_owned(), page(listed, "sessions")?);
    let catalog = json!({"action": "agents_and_flows", "project_id": PROJECT, "first": ROWS});
    let catalog = browse(&mut program, &catalog)?;
    sizes.insert("20 catalog rows".to_owned(), page(catalog, "items")?);
    upstream.fill_lists(0);
    Ok((sizes, largest.context("the fake GitLab has no session")?))
}

fn shown(list: &Value) -> Value {
    let tools = list.get("tools").and_then(Value::as_array).into_iter().flatten();
    let field = |tool: &Value, name: &str| (name.to_owned(), tool.get(name).cloned().unwrap_or_default());
    let part = |tool: &Value| SHOWN.iter().map(|name| field(tool, name)).collect();
    json!(tools.map(part).collect::<Vec<serde_json::Map<String, Value>>>())
}

/// The bytes of a page that has [`ROWS`] rows: agents that GitLab itself provides come on top of those asked for.
fn page(mut result: Value, rows: &str) -> Result<f64> {
    let list = result.get_mut(rows).and_then(Value::as_array_mut).context("no rows")?;
    ensure!(list.len() >= ROWS, "{} rows of {ROWS}", list.len());
    list.truncate(ROWS);
    Ok(bytes(&result))
}

fn bytes(value: &Value) -> f64 {
    value.to_string().len() as f64
}
