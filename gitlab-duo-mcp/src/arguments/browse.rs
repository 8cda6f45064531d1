//! Arguments of the calls that read.

use gitlab_duo_core::actions::agents_and_flows::AgentsAndFlows;
use gitlab_duo_core::actions::get_session::GetSession;
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::read_transcript::ReadTranscript;
use gitlab_duo_core::actions::wait_session::{WaitSeconds, WaitSession};
use gitlab_duo_core::model::catalog::ItemFilter;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::WorkflowId;
use gitlab_duo_core::model::status::{STATUS_GROUPS, Status, StatusGroup};

use gitlab_duo_core::rules::limits::WAIT_SECONDS_MAX;

use crate::arguments::call::Call;
use crate::arguments::door::Door;
use crate::arguments::loose::Loose;
use crate::arguments::project::{missing, project};

pub(crate) fn agents_and_flows(loose: &Loose<'_>, door: &Door<'_>) -> Result<AgentsAndFlows, DuoError> {
    Ok(AgentsAndFlows {
        project: project(loose, door)?.ok_or_else(missing)?,
        item_type: loose.choice("item_type", &ItemFilter::NAMES, ItemFilter::read)?.flatten(),
        first: loose.page_size()?,
        after: loose.cursor()?,
    })
}

pub(crate) fn list_sessions(loose: &Loose<'_>, door: &Door<'_>) -> Result<ListSessions, DuoError> {
    let statuses: Vec<_> = Status::known().iter().map(|(name, _)| *name).collect();
    Ok(ListSessions {
        project: project(loose, door)?,
        status_group: loose.choice("status_group", &STATUS_GROUPS, StatusGroup::read)?,
        statuses: loose.choices("statuses", &statuses, Status::read)?,
        first: loose.page_size()?,
        after: loose.cursor()?,
    })
}

/// A wait of zero seconds is none.
pub(crate) fn get_session(loose: &Loose<'_>, door: &Door<'_>) -> Result<Call, DuoError> {
    let workflow_id = workflow_id(loose)?;
    Ok(match loose.seconds("wait_seconds", WAIT_SECONDS_MAX)?.and_then(WaitSeconds::new) {
        Some(limit) => Call::WaitSession(WaitSession { workflow_id, limit }),
        None => Call::GetSession(GetSession { workflow_id, now: door.now }),
    })
}

pub(crate) fn read_transcript(loose: &Loose<'_>) -> Result<ReadTranscript, DuoError> {
    Ok(ReadTranscript { workflow_id: workflow_id(loose)?, first: loose.page_size()?, after: loose.cursor()? })
}

/// The session of a call that is about one.
pub(crate) fn workflow_id(loose: &Loose<'_>) -> Result<WorkflowId, DuoError> {
    loose.id("workflow_id", WorkflowId::parse)?.ok_or_else(|| {
        DuoError::invalid("`workflow_id` is missing: it names the session, as in `73`")
            .with_next_step("take it from a start or from list")
    })
}
