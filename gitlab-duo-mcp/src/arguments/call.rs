//! A call: which ability of core is meant, with a request that cannot be wrong.

use std::time::Duration;

use gitlab_duo_core::actions::agents_and_flows::AgentsAndFlows;
use gitlab_duo_core::actions::get_session::GetSession;
use gitlab_duo_core::actions::list_sessions::ListSessions;
use gitlab_duo_core::actions::read_transcript::ReadTranscript;
use gitlab_duo_core::actions::send_input::SendInput;
use gitlab_duo_core::actions::start_session::StartSession;
use gitlab_duo_core::actions::stop_session::StopSession;
use gitlab_duo_core::actions::wait_session::WaitSession;
use gitlab_duo_core::model::project::ProjectRef;

/// A request of core, ready to be run.
#[derive(Debug)]
pub(crate) enum Call {
    AgentsAndFlows(AgentsAndFlows),
    ListSessions(ListSessions),
    GetSession(GetSession),
    WaitSession(WaitSession),
    ReadTranscript(ReadTranscript),
    StartSession(StartSession),
    PlanStart(StartSession),
    SendInput(SendInput),
    StopSession(StopSession),
}

impl Call {
    /// How long the client asked to wait beside what the call needs.
    pub(crate) fn wait(&self) -> Duration {
        match self {
            Self::WaitSession(request) => request.limit.duration(),
            _ => Duration::ZERO,
        }
    }
}

/// What the arguments of a call say.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) call: Call,
    /// Two names that must be of the same project, which only GitLab can tell.
    pub(crate) same: Option<(ProjectRef, ProjectRef)>,
}
