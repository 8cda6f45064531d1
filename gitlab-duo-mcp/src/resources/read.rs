//! The text of a resource: the view of core's action as JSON, within the bound of every result.

use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::read_transcript::{ReadTranscript, read_transcript};
use gitlab_duo_core::gateway::reader::DuoReader;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::page::PageSize;
use gitlab_duo_core::model::scope::Scope;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::fit::fit;
use crate::limits::{ENVELOPE_BYTES, RESULT_BYTES};
use crate::resources::uri::{Part, ResourceUri};

/// Reads a resource. A transcript is its newest page.
///
/// # Errors
/// Those of core's action; `too_large` when even its shortest form is beyond the bound.
pub(crate) async fn read(
    reader: &dyn DuoReader,
    scope: &Scope,
    uri: ResourceUri,
    now: Timestamp,
) -> Result<String, DuoError> {
    let workflow_id = uri.workflow_id;
    match uri.part {
        Part::Session => text(&get_session(reader, scope, GetSession { workflow_id, now }).await?),
        Part::Transcript => {
            let newest = ReadTranscript { workflow_id, first: PageSize::default(), after: None };
            text(&read_transcript(reader, scope, newest).await?)
        }
    }
}

fn text<V: Serialize>(view: &V) -> Result<String, DuoError> {
    let view = serde_json::to_value(view)
        .map_err(|_| DuoError::new(ErrorKind::Server, "this program could not write its result"))?;
    let fitted = fit(&view, RESULT_BYTES - ENVELOPE_BYTES, bytes);
    let fitted = fitted.ok_or_else(|| {
        DuoError::new(ErrorKind::TooLarge, "this resource is larger than a result may be")
            .with_next_step("look at it in GitLab")
    })?;
    Ok(fitted.to_string())
}

/// Bytes as it travels: JSON inside a JSON text.
fn bytes(view: &Value) -> usize {
    Value::from(view.to_string()).to_string().len()
}
