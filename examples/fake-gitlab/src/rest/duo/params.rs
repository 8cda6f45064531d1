//! The parameters of a create, checked as GitLab's parameter layer does.

use crate::rest::refuse;
use crate::wire::{Answer, Request};
use crate::world::{Environment, World};
use serde_json::{Map, Value};

const SOURCES: [&str; 7] = [
    "merge_request_code_conflict",
    "merge_request_dependency_bump",
    "merge_request_fix_pipeline",
    "merge_request_resolve_discussion",
    "work_item_to_merge_request",
    "fix_pipeline",
    "convert_platform_ci_pipeline",
];

const LATER_SOURCES: [&str; 4] = ["duo_cli_interactive", "duo_cli_run", "duo_cli_acp", "ide_extension"];

/// What a client sent, with the types GitLab wants.
#[derive(Debug, Default)]
pub(super) struct Params {
    pub(super) project_id: Option<String>,
    pub(super) namespace_id: Option<String>,
    pub(super) consumer: Option<i64>,
    pub(super) definition: Option<String>,
    pub(super) start: bool,
    pub(super) goal: String,
    pub(super) privileges: Option<Vec<i64>>,
    pub(super) pre_approved: Option<Vec<i64>>,
    pub(super) may_ask: bool,
    pub(super) image: Option<String>,
    pub(super) source_branch: Option<String>,
    pub(super) environment: Option<String>,
    pub(super) item_version: Option<i64>,
    pub(super) context: Vec<Value>,
    pub(super) issue: Option<i64>,
    pub(super) merge_request: Option<i64>,
}

/// The JSON object of a body; an empty body is an empty object.
pub(super) fn object(request: &Request) -> Result<Map<String, Value>, Answer> {
    if request.body.is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(&request.body) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(refuse::invalid("message body does not match declared format")),
    }
}

/// Reads one body; all errors are told at once, divided by commas.
pub(super) fn read(world: &World, request: &Request) -> Result<Params, Answer> {
    let body = object(request)?;
    let mut reader = Reader { body: &body, errors: Vec::new() };
    let mut params = Params {
        project_id: reader.text("project_id"),
        namespace_id: reader.text("namespace_id"),
        consumer: reader.integer("ai_catalog_item_consumer_id"),
        definition: reader.text("workflow_definition"),
        start: reader.boolean("start_workflow", false),
        goal: reader.text("goal").unwrap_or_default(),
        privileges: reader.integers("agent_privileges"),
        pre_approved: reader.integers("pre_approved_agent_privileges"),
        may_ask: reader.boolean("allow_agent_to_request_user", true),
        image: reader.text("image"),
        source_branch: reader.text("source_branch").filter(|branch| !branch.is_empty()),
        environment: reader.text("environment"),
        item_version: reader.integer("ai_catalog_item_version_id"),
        context: reader.context(),
        issue: reader.integer("issue_id"),
        merge_request: reader.integer("merge_request_id"),
    };
    let source = reader.text("source");
    let known_source = |name: &String| {
        SOURCES.contains(&name.as_str())
            || (world.version().at_least(19, 4) && LATER_SOURCES.contains(&name.as_str()))
    };
    reader.check("source", source.as_ref().is_none_or(known_source));
    let known_environment = |name: &String| Environment::KNOWN.contains(&name.as_str());
    reader.check("environment", params.environment.as_ref().is_none_or(known_environment));
    reader.finish()?;
    // Before 18.7 the parameter does not exist, and unknown parameters are silently dropped.
    if !world.version().at_least(18, 7) {
        params.consumer = None;
    }
    Ok(params)
}

struct Reader<'b> {
    body: &'b Map<String, Value>,
    errors: Vec<String>,
}

impl Reader<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.body.get(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => self.invalid(name),
        }
    }

    fn integer(&mut self, name: &str) -> Option<i64> {
        let read = as_integer(self.value(name)?);
        read.or_else(|| self.invalid(name))
    }

    fn integers(&mut self, name: &str) -> Option<Vec<i64>> {
        let read = self.value(name)?.as_array().and_then(|list| list.iter().map(as_integer).collect());
        read.or_else(|| self.invalid(name))
    }

    fn boolean(&mut self, name: &str, default: bool) -> bool {
        let Some(value) = self.value(name) else { return default };
        let read = as_boolean(value);
        read.or_else(|| self.invalid(name)).unwrap_or(default)
    }

    /// Context without the categories that only GitLab itself may send.
    fn context(&mut self) -> Vec<Value> {
        let Some(value) = self.value("additional_context") else { return Vec::new() };
        let Some(entries) = value.as_array().cloned() else {
            return self.invalid("additional_context").unwrap_or_default();
        };
        for (index, entry) in entries.iter().enumerate() {
            for key in ["Category", "Content"] {
                if !entry.get(key).is_some_and(Value::is_string) {
                    self.errors.push(format!("additional_context[{index}][{key}] is missing"));
                }
            }
        }
        let own = ["agent_platform_standard_context", "agent_platform_trigger_context"];
        let is_own =
            |entry: &Value| entry.get("Category").and_then(Value::as_str).is_some_and(|c| own.contains(&c));
        entries.into_iter().filter(|entry| !is_own(entry)).collect()
    }

    fn check(&mut self, name: &str, fits: bool) {
        if !fits {
            self.errors.push(format!("{name} does not have a valid value"));
        }
    }

    fn invalid<T>(&mut self, name: &str) -> Option<T> {
        self.errors.push(format!("{name} is invalid"));
        None
    }

    fn finish(self) -> Result<(), Answer> {
        if self.errors.is_empty() { Ok(()) } else { Err(refuse::invalid(&self.errors.join(", "))) }
    }
}

pub(super) fn as_integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

pub(super) fn as_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.as_str() {
            "true" | "t" | "1" => Some(true),
            "false" | "f" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
