//! The answer to a write: the session it is about.

use gitlab_duo_core::gateway::error::{GatewayError, WriteError};
use gitlab_duo_core::gateway::request::Accepted;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::status::Status;
use serde::Deserialize;
use serde_json::Value;

use crate::scalars::{IdText, Text};
use crate::wire::answer::RawAnswer;
use crate::wire::{rest, write};

/// The small entity of GitLab's session routes, as far as it is used.
#[derive(Debug, Default, Deserialize)]
struct Entity {
    id: Option<IdText>,
    status: Option<Text>,
    workflow_definition: Option<Text>,
    /// An object with `id` and `message`; of the id the documentation and the code say different things.
    #[serde(default)]
    workload: Value,
}

/// Reads the session of an accepted write. `asked`: the session that was written to, none for a start.
pub(crate) fn read(answer: &RawAnswer, asked: Option<WorkflowId>) -> Result<Accepted, WriteError> {
    let named = asked.or_else(|| write::named_session(&answer.body));
    let unreadable = |error: GatewayError| WriteError { workflow_id: named, ..write::accepted(error) };
    let entity: Entity = rest::json(answer).map_err(unreadable)?;
    let id = entity.id.as_ref().and_then(|id| WorkflowId::parse(id.as_str()).ok());
    let problem = match (id, asked) {
        (Some(id), Some(asked)) if id != asked => "it is about another session",
        (Some(id), _) => return Ok(accepted(id, &entity)),
        (None, _) => "it names no session",
    };
    let mut error = GatewayError::new(ErrorKind::Unreadable, problem);
    error.request_id = answer.request_id();
    Err(unreadable(error))
}

fn accepted(id: WorkflowId, entity: &Entity) -> Accepted {
    let message = entity.workload.get("message").and_then(Value::as_str).map(str::trim);
    Accepted {
        id,
        status: text(entity.status.as_ref()).map(Status::read),
        flow: text(entity.workflow_definition.as_ref()).map(str::to_owned),
        message: message.filter(|message| !message.is_empty()).map(str::to_owned),
        workload: workload_id(&entity.workload),
    }
}

/// GitLab's documentation shows a text, its code sends a number: both are kept.
fn workload_id(workload: &Value) -> Option<String> {
    match workload.get("id")? {
        Value::Number(id) => Some(id.to_string()),
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        _ => None,
    }
}

fn text(text: Option<&Text>) -> Option<&str> {
    text.map(Text::as_str).filter(|text| !text.is_empty())
}
