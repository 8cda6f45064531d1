//! Scripts: what a session does, and when, until it ends or waits for a person.

use super::message::Message;
use super::session::status;
use serde_json::json;
use std::time::Duration;

/// One thing that happens in a session.
#[derive(Clone, Debug)]
pub enum Act {
    /// The runner took the job: `created` or a checkpoint becomes `running`.
    Run,
    /// A message appears.
    Say(Message),
    /// The agent repeats the decision it was given.
    Acknowledge,
    /// GitLab gives the session a better title.
    Title(String),
    /// The session stops at a checkpoint of that status.
    Wait(&'static str),
    /// The CI pipeline of this leg ends with that status.
    EndPipeline(&'static str),
    /// A merge request is opened.
    OpenMergeRequest(String),
    /// A work item is opened.
    OpenWorkItem(String),
    /// A comment is written.
    Comment(String),
    /// The session ends well, with that summary.
    Finish(String),
    /// The session ends badly, with that last message.
    Fail(String),
}

/// An act, and how long after the start of its leg it happens.
#[derive(Clone, Debug)]
pub struct Step {
    /// Time since the leg was started by a create or a resume.
    pub after: Duration,
    /// What happens.
    pub act: Act,
}

/// Legs of steps; every leg after the first one begins with an answer.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The legs, in order.
    pub legs: Vec<Vec<Step>>,
}

impl Script {
    /// Nothing happens: as when no runner ever comes.
    pub fn never() -> Self {
        Self::default()
    }

    /// Runs through without asking.
    pub fn straight() -> Self {
        Self { legs: vec![begin().into_iter().chain(end(60)).collect()] }
    }

    /// Asks one question.
    pub fn question() -> Self {
        let question = "Two modules use the old helper. Should I change both, or only invoices?";
        let mut first = begin();
        first.push(step(120, Act::Say(Message::request(question))));
        Self::two(first, status::INPUT_REQUIRED)
    }

    /// Wants a plan approved.
    pub fn plan() -> Self {
        let plan = "Plan:\n1. Reproduce the failure\n2. Correct the rounding helper\n3. Add regression tests";
        let ask = "Please review the plan. Approve it, or send feedback to change it.";
        let mut first = begin();
        first.push(step(119, Act::Say(Message::agent(plan).by("planner"))));
        first.push(step(120, Act::Say(Message::request(ask).by("planner"))));
        Self::two(first, status::PLAN_APPROVAL_REQUIRED)
    }

    /// Wants two tool calls approved with one decision.
    pub fn tool_calls(project: i64) -> Self {
        let merge_request = json!({ "project_id": project, "source_branch": "fix-rounding",
            "target_branch": "main", "title": "Fix rounding in invoice totals" });
        let note = json!({ "project_id": project, "work_item_iid": 1234, "body": "I have a fix ready." });
        let mut first = begin();
        first.push(step(120, Act::Say(Message::tool_request("create_merge_request", merge_request))));
        first.push(step(120, Act::Say(Message::tool_request("create_work_item_note", note))));
        Self::two(first, status::TOOL_CALL_APPROVAL_REQUIRED)
    }

    /// Opens a merge request and then fails.
    pub fn fails_halfway() -> Self {
        let mut only = begin();
        only.push(step(110, Act::OpenMergeRequest("Fix rounding in invoice totals".to_owned())));
        only.push(step(140, Act::Fail("The model service did not answer in time.".to_owned())));
        only.push(step(141, Act::EndPipeline("failed")));
        Self { legs: vec![only] }
    }

    /// An agent that answers and leaves the turn to the person.
    pub fn agent() -> Self {
        let mut first = begin();
        first.push(step(90, Act::Say(Message::agent("Here is a proposal with three steps."))));
        Self::two(first, status::INPUT_REQUIRED)
    }

    fn two(mut first: Vec<Step>, waits: &'static str) -> Self {
        first.push(step(120, Act::Wait(waits)));
        // The job winds down after the checkpoint is visible; only then can it be answered.
        first.push(step(126, Act::EndPipeline("success")));
        let mut second = vec![step(10, Act::Run), step(20, Act::Acknowledge)];
        second.extend(end(30));
        Self { legs: vec![first, second] }
    }
}

fn begin() -> Vec<Step> {
    let logs = json!({ "project_id": 4021, "job_id": 90120 });
    vec![
        step(30, Act::Run),
        step(45, Act::Title("Repair failing unit tests".to_owned())),
        step(50, Act::Say(Message::agent("I will read the failing job first."))),
        step(80, Act::Say(Message::tool("Get job logs for job 90120", "get_job_logs", logs))),
    ]
}

fn end(base: u64) -> Vec<Step> {
    let answer = "The rounding helper truncated instead of rounding. I changed it, added two tests, \
                  and opened a merge request.";
    let summary = "Fixed rounding of invoice totals and added regression tests.";
    vec![
        step(base + 50, Act::OpenMergeRequest("Fix rounding in invoice totals".to_owned())),
        step(base + 52, Act::OpenWorkItem("Invoice totals are off by a cent".to_owned())),
        step(
            base + 54,
            Act::Comment("Opened a merge request with the fix and two regression tests.".to_owned()),
        ),
        step(base + 60, Act::Say(Message::agent(answer))),
        step(base + 61, Act::Finish(summary.to_owned())),
        step(base + 65, Act::EndPipeline("success")),
    ]
}

fn step(seconds: u64, act: Act) -> Step {
    Step { after: Duration::from_secs(seconds), act }
}
