//! Arguments of the calls that change something.

use gitlab_duo_core::actions::send_input::SendInput;
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession};
use gitlab_duo_core::actions::stop_session::StopSession;
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::ConsumerId;
use gitlab_duo_core::model::selector::{AgentReference, FlowReference, Selector};
use gitlab_duo_core::rules::limits::HUMAN_MESSAGE_CHARS;

use crate::arguments::browse::workflow_id;
use crate::arguments::call::Call;
use crate::arguments::door::Door;
use crate::arguments::loose::{Loose, listed};
use crate::arguments::project::project_of_start;

pub(crate) fn start_session(loose: &Loose<'_>, door: &Door<'_>) -> Result<Call, DuoError> {
    let request = StartSession {
        selector: selector(loose)?,
        project: project_of_start(loose, door)?,
        goal: loose.text("goal")?.map(str::to_owned),
        url: loose.word("url")?.map(str::to_owned),
        duplicates: match loose.flag("allow_duplicate")? {
            Some(true) => Duplicates::Allow,
            Some(false) | None => Duplicates::Refuse,
        },
        now: door.now,
    };
    match loose.flag("dry_run")? {
        Some(true) => Ok(Call::PlanStart(request)),
        Some(false) | None => Ok(Call::StartSession(request)),
    }
}

pub(crate) fn send_input(loose: &Loose<'_>, door: &Door<'_>) -> Result<SendInput, DuoError> {
    let workflow_id = workflow_id(loose)?;
    let approval = loose.flag("human_approval")?.ok_or_else(missing_approval)?;
    let message = loose.text("human_message")?;
    check_message(message)?;
    let input = match (approval, message) {
        (true, Some(_)) => return Err(approval_with_message()),
        (true, None) => HumanInput::Approve,
        (false, message) => HumanInput::Reply(message.map(str::to_owned)),
    };
    Ok(SendInput { workflow_id, input, now: door.now })
}

pub(crate) fn stop_session(loose: &Loose<'_>, door: &Door<'_>) -> Result<StopSession, DuoError> {
    Ok(StopSession { workflow_id: workflow_id(loose)?, now: door.now })
}

fn selector(loose: &Loose<'_>) -> Result<Selector, DuoError> {
    let flow = loose.word("flow")?.and_then(FlowReference::new).map(Selector::Flow);
    let consumer = loose.id("consumer_id", ConsumerId::parse)?.map(Selector::Consumer);
    let agent = loose.word("agent")?.and_then(AgentReference::new).map(Selector::Agent);
    let given = [("flow", flow), ("consumer_id", consumer), ("agent", agent)];
    let mut given: Vec<_> =
        given.into_iter().filter_map(|(name, selector)| Some((name, selector?))).collect();
    match (given.len(), given.pop()) {
        (1, Some((_, selector))) => Ok(selector),
        (0, _) | (_, None) => Err(DuoError::invalid(
            "nothing says what to start: give exactly one of `flow`, `consumer_id`, `agent`",
        )
        .with_next_step("agents_and_flows shows what this project can start and the selector for it")),
        (_, Some((last, _))) => {
            let names: Vec<_> = given.iter().map(|(name, _)| *name).chain([last]).collect();
            let names = listed(&names);
            Err(DuoError::invalid(format!(
                "{names} are given together: exactly one of them says what to start"
            )))
        }
    }
}

fn missing_approval() -> DuoError {
    DuoError::invalid("`human_approval` is missing: the person's decision, true or false, is never guessed")
        .with_next_step(
            "true approves what is pending; false, with `human_message`, answers or rejects and does not stop the session",
        )
}

fn check_message(message: Option<&str>) -> Result<(), DuoError> {
    let chars = message.map_or(0, |message| message.chars().count());
    if chars <= HUMAN_MESSAGE_CHARS {
        return Ok(());
    }
    Err(DuoError::invalid(format!(
        "`human_message` has {chars} characters: GitLab takes at most {HUMAN_MESSAGE_CHARS}"
    )))
}

fn approval_with_message() -> DuoError {
    DuoError::invalid("`human_message` cannot go with `human_approval` true: GitLab takes no message with a yes")
        .with_next_step(
            "approve without a message, or send the message with `human_approval` false: the session goes on with it",
        )
}
