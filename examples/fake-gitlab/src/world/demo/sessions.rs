//! Example sessions in every status, numbers 730 to 749.

use super::{COLLEAGUE, PROJECT, USER};
use crate::clock;
use crate::world::ci::{MergeRequest, Pipeline};
use crate::world::links::{Link, LinkTarget};
use crate::world::message::Message;
use crate::world::script::Script;
use crate::world::session::{Session, status};
use crate::world::state::World;
use serde_json::json;
use std::time::Duration;

const GOAL: &str = "Investigate and repair the failing unit tests";
const ANSWER: &str = "The rounding helper truncated instead of rounding. I changed it, added two tests, and \
    opened a merge request.";

/// Adds all of them. None acts by itself: they have no script, or one that waits for an answer.
pub(crate) fn add_example_sessions(world: &mut World) {
    add_merge_request(world);
    for (id, status, script) in [
        (730, status::CREATED, Script::never()),
        (731, status::RUNNING, Script::never()),
        (732, status::PAUSED, Script::never()),
        (733, status::FINISHED, Script::never()),
        (734, status::FAILED, Script::never()),
        (735, status::STOPPED, Script::never()),
        (736, status::INPUT_REQUIRED, Script::question()),
        (741, status::PLAN_APPROVAL_REQUIRED, Script::plan()),
        (742, status::TOOL_CALL_APPROVAL_REQUIRED, Script::tool_calls(PROJECT)),
        (743, status::INPUT_REQUIRED, Script::question()),
        (744, status::IDLE, Script::never()),
        (745, "compacting", Script::never()),
        (746, status::FAILED, Script::never()),
        (747, status::FINISHED, Script::never()),
        (748, status::FINISHED, Script::never()),
        (749, status::FINISHED, Script::never()),
    ] {
        let mut session = flow(world, id, status);
        session.script = script;
        add_pipeline(world, &mut session);
        session.messages = messages(&session);
        session.updated_at = clock::later(session.created_at, Duration::from_secs(383));
        session.links = links(world, &session);
        special(&mut session);
        world.add_session(session);
    }
}

fn flow(world: &World, id: i64, status: &str) -> Session {
    let mut session = Session::new(id, USER, Some(PROJECT), "developer/v1", world.now());
    session.status = status.to_owned();
    session.goal = GOAL.to_owned();
    session.title = Some("Repair failing unit tests".to_owned());
    session.environment = Some("web".to_owned());
    session.agent_name = Some("Developer".to_owned());
    session.item_version =
        world.items.get(&3723).and_then(|item| item.version("1.2.0")).map(|version| version.id);
    session.privileges = (1..=7).collect();
    session.pre_approved = (1..=7).collect();
    session.jobs = vec![97_000 + id];
    session
}

/// What one of them has and the others have not.
fn special(session: &mut Session) {
    match session.id {
        730 => {
            session.title = Some("developer/v1".to_owned());
            session.jobs.clear();
        }
        733 => {
            session.summary = Some("Fixed rounding of invoice totals and added regression tests.".to_owned())
        }
        741 => custom(session, "Invoice keeper", 3091),
        742 => custom(session, "CI gardener", 3079),
        743 => session.item_version = None,
        747 => {
            session.user = COLLEAGUE;
            session.goal = "Update the changelog".to_owned();
        }
        748 => {
            session.definition = "duo_planner/v1".to_owned();
            session.environment = Some("ambient".to_owned());
            session.agent_name = Some("Planner".to_owned());
            session.item_version = None;
        }
        749 => {
            session.project = None;
            session.namespace = Some(310);
            session.pipelines.clear();
        }
        _ => {}
    }
}

fn custom(session: &mut Session, name: &str, item: i64) {
    session.definition = "ai_catalog_agent".to_owned();
    session.agent_name = Some(name.to_owned());
    session.item_version = Some(item + 2000);
}

fn add_pipeline(world: &mut World, session: &mut Session) {
    let id = 50_000 + session.id;
    let mut pipeline = Pipeline::new(id, PROJECT, &format!("workloads/{id:011x}"));
    pipeline.source = "duo_workflow".to_owned();
    let still_on = matches!(session.status.as_str(), status::CREATED | status::RUNNING | "compacting");
    pipeline.status = if still_on { "running" } else { "success" }.to_owned();
    world.add_pipeline(pipeline);
    session.pipelines.push(id);
}

fn messages(session: &Session) -> Option<Vec<Message>> {
    let at = |message: Message, seconds: u64| {
        message.at(&clock::message(clock::later(session.created_at, Duration::from_secs(seconds))))
    };
    let mut said = vec![
        at(Message::user(GOAL), 81),
        at(Message::agent("I will read the failing job first."), 110),
        at(
            Message::tool(
                "Get job logs for job 90120",
                "get_job_logs",
                json!({ "project_id": PROJECT, "job_id": 90120 }),
            ),
            142,
        ),
    ];
    match session.id {
        730 | 746 => return None,
        734 => said.push(at(Message::failure("The model service did not answer in time."), 500)),
        733 => said.extend([at(Message::agent(ANSWER), 950), at(Message::end(), 951)]),
        744 | 747..=749 => said.push(at(Message::agent(ANSWER), 950)),
        _ => {
            let waits = session.script.legs.first().cloned().unwrap_or_default();
            let asked = waits.into_iter().filter(|step| step.after >= Duration::from_secs(119));
            said.extend(asked.filter_map(|step| match step.act {
                crate::world::script::Act::Say(message) => Some(at(message, 382)),
                _ => None,
            }));
        }
    }
    Some(said)
}

fn add_merge_request(world: &mut World) {
    let mut made = MergeRequest::new(7711, 318, PROJECT, "fix-rounding");
    made.title = "Fix rounding in invoice totals".to_owned();
    world.add_merge_request(made);
}

fn links(world: &World, session: &Session) -> Vec<Link> {
    let at = clock::later(session.created_at, Duration::from_secs(931));
    let merge_request = Link::new(session.id * 10, "CREATED", at, LinkTarget::MergeRequest(7711));
    match session.id {
        734 => vec![merge_request],
        733 => {
            let issue = |id, iid, title: &str| LinkTarget::WorkItem {
                id,
                iid,
                project: PROJECT,
                title: title.to_owned(),
            };
            let mut hidden = Link::new(902, "CREATED", at, issue(66_022, 1235, "Hidden"));
            hidden.hidden = true;
            let url = format!("{}/-/work_items/1234#note_880021", world.project_url(PROJECT));
            let body = "Opened a merge request with the fix and two regression tests.".to_owned();
            vec![
                merge_request,
                Link::new(
                    901,
                    "SOURCE",
                    session.created_at,
                    issue(66_021, 1234, "Invoice totals are off by a cent"),
                ),
                hidden,
                Link::new(1102, "CREATED", at, LinkTarget::Note { id: 880_021, body, url }),
            ]
        }
        _ => Vec::new(),
    }
}
