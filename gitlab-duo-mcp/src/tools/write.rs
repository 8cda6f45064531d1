//! A write, told from the calls that only read.

use gitlab_duo_core::actions::send_input::SendInput;
use gitlab_duo_core::actions::start_session::StartSession;
use gitlab_duo_core::actions::stop_session::StopSession;
use gitlab_duo_core::gateway::request::HumanInput;

use crate::arguments::call::Call;

/// What a call would change.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Start(StartSession),
    Answer(SendInput),
    Stop(StopSession),
}

impl Write {
    /// The write of a call; none for a call that changes nothing.
    pub(crate) fn of(call: &Call) -> Option<Self> {
        match call {
            Call::StartSession(request) => Some(Self::Start(request.clone())),
            Call::SendInput(request) => Some(Self::Answer(request.clone())),
            Call::StopSession(request) => Some(Self::Stop(*request)),
            _ => None,
        }
    }

    /// Whether it approves something, or ends a session.
    pub(crate) fn is_approval_or_stop(&self) -> bool {
        match self {
            Self::Start(_) => false,
            Self::Answer(answer) => answer.input == HumanInput::Approve,
            Self::Stop(_) => true,
        }
    }

    /// Which write this is, in words that tell it from every other one.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Start(start) => {
                format!("start {:?} {:?} {:?} {:?}", start.project, start.selector, start.goal, start.url)
            }
            Self::Answer(answer) => format!("answer {} {:?}", answer.workflow_id, answer.input),
            Self::Stop(stop) => format!("stop {}", stop.workflow_id),
        }
    }
}
