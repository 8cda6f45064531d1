//! The line about a tool call.

use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::spec::tool::ToolSpec;

/// Digits of an id; what is longer is something else.
const ID_DIGITS: usize = 19;

/// A call that has begun.
#[derive(Debug)]
pub(crate) struct CallLog {
    tool: &'static str,
    action: Option<&'static str>,
    workflow_id: Option<String>,
    project_id: Option<String>,
    begun: Instant,
}

impl CallLog {
    /// Keeps what may be told of a call: names of ours, and ids that are numbers. Anything else
    /// that a caller sends may be a secret or a text.
    pub(crate) fn begin(spec: &ToolSpec, arguments: Option<&Map<String, Value>>) -> Self {
        let argument = |name: &str| arguments.and_then(|arguments| arguments.get(name));
        let asked = argument("action").and_then(Value::as_str);
        let action = spec.action_names().into_iter().find(|name| asked.is_none_or(|asked| asked == *name));
        let is_certain = asked.is_some() || spec.actions.len() == 1;
        Self {
            tool: spec.name,
            action: action.filter(|_| is_certain),
            workflow_id: id(argument("workflow_id")),
            project_id: id(argument("project_id")),
            begun: Instant::now(),
        }
    }

    /// Logs how the call ended: `ok`, `asked` (a person first), `task`, or the kind of a refusal.
    pub(crate) fn ended(self, outcome: &'static str, structured: Option<&Value>) {
        let Self { tool, action, project_id, begun, .. } = self;
        let named = structured.and_then(|structured| id(structured.get("workflow_id")));
        let workflow_id = self.workflow_id.or(named);
        let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(tool, action, workflow_id, project_id, outcome, ms, "tool call");
    }
}

fn id(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let is_id = (1..=ID_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_numbers_are_ids() {
        for (value, expected) in
            [(json!(73), Some("73")), (json!(" 73 "), Some("73")), (json!("4021"), Some("4021"))]
        {
            assert_eq!(id(Some(&value)).as_deref(), expected);
        }
        for value in [
            json!("acme/api"),
            json!("glpat-x"),
            json!(""),
            json!(null),
            json!(-1),
            json!(1.5),
            json!("1".repeat(20)),
        ] {
            assert_eq!(id(Some(&value)), None, "{value}");
        }
    }

    #[test]
    fn only_known_actions_are_told() {
        use crate::spec::table::TOOLS;
        let action = |spec: &ToolSpec, arguments: Value| CallLog::begin(spec, arguments.as_object()).action;
        let [browse, _, discover, ..] = TOOLS;
        assert_eq!(action(browse, json!({"action": "list"})), Some("list"));
        assert_eq!(action(browse, json!({"action": "secret"})), None);
        assert_eq!(action(browse, json!({})), None);
        assert_eq!(action(discover, json!({})), Some(discover.action_names()[0]));
    }
}
