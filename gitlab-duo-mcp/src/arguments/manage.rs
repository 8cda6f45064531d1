//! Arguments of the calls that change something.

use gitlab_duo_core::actions::send_input::SendInput;
use gitlab_duo_core::actions::start_session::{Duplicates, StartSession};
use gitlab_duo_core::actions::stop_session::StopSession;
use gitlab_duo_core::gateway::request::HumanInput;
use gitlab_duo_core::model::error::DuoError;
use gitlab_duo_core::model::ids::{CatalogItemId, ConsumerId};
use gitlab_duo_core::model::selector::{AgentReference, FlowReference, Selector};
use gitlab_duo_core::model::target::TargetUrl;
use gitlab_duo_core::rules::limits::HUMAN_MESSAGE_CHARS;

use crate::arguments::browse::workflow_id;
use crate::arguments::call::Call;
use crate::arguments::door::Door;
use crate::arguments::loose::{Loose, listed};
use crate::arguments::project::project_of_start;
use crate::spec::surface::Surface;
use crate::spec::tool::ActionSpec;

/// The flow of a start that names none, on the surface `gitlab`.
const DEFAULT_FLOW: &str = "developer/v1";

pub(crate) fn start_session(
    loose: &Loose<'_>,
    door: &Door<'_>,
    surface: Surface,
    action: &ActionSpec,
) -> Result<Call, DuoError> {
    let request = StartSession {
        selector: selector(loose, surface, action)?,
        project: project_of_start(loose, door, surface)?,
        goal: loose.text("goal")?.map(str::to_owned),
        url: loose.word("url")?.filter(|url| is_worked_on(url, door, surface)).map(str::to_owned),
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

/// On the surface `gitlab` any page may name the project; only pipelines and merge requests are worked on.
fn is_worked_on(url: &str, door: &Door<'_>, surface: Surface) -> bool {
    surface == Surface::Compact || TargetUrl::parse(url, door.instance).is_ok()
}

fn selector(loose: &Loose<'_>, surface: Surface, action: &ActionSpec) -> Result<Selector, DuoError> {
    let flow = loose.word("flow")?.and_then(FlowReference::new).map(Selector::Flow);
    let consumer = |name| Ok::<_, DuoError>(loose.id(name, ConsumerId::parse)?.map(Selector::Consumer));
    let item = loose.id("flow_item_id", CatalogItemId::parse)?.map(Selector::CatalogItem);
    let agent = loose.word("agent")?.and_then(AgentReference::new).map(Selector::Agent);
    let all = [
        ("flow", flow),
        ("consumer_id", consumer("consumer_id")?),
        ("ai_catalog_item_consumer_id", consumer("ai_catalog_item_consumer_id")?),
        ("flow_item_id", item),
        ("agent", agent),
    ];
    let accepted: Vec<_> = all.iter().map(|(name, _)| *name).filter(|name| action.takes(name)).collect();
    let mut given: Vec<_> = all.into_iter().filter_map(|(name, selector)| Some((name, selector?))).collect();
    match (given.len(), given.pop()) {
        (1, Some((_, selector))) => Ok(selector),
        (0, _) | (_, None) => default_selector(surface).ok_or_else(|| {
            let accepted = listed(&accepted);
            DuoError::invalid(format!("nothing says what to start: give exactly one of {accepted}"))
                .with_next_step("agents_and_flows shows what this project can start and the selector for it")
        }),
        (_, Some((last, _))) => {
            let names: Vec<_> = given.iter().map(|(name, _)| *name).chain([last]).collect();
            let names = listed(&names);
            Err(DuoError::invalid(format!(
                "{names} are given together: exactly one of them says what to start"
            )))
        }
    }
}

/// What is started when nothing says what: GitLab's own server takes its developer flow.
fn default_selector(surface: Surface) -> Option<Selector> {
    match surface {
        Surface::Compact => None,
        Surface::GitLab => FlowReference::new(DEFAULT_FLOW).map(Selector::Flow),
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
