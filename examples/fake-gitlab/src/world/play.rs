//! The passing of time: sessions act along their scripts, and stuck ones are swept.

use super::ci::MergeRequest;
use super::links::{Link, LinkTarget};
use super::message::Message;
use super::script::Act;
use super::session::{Session, status};
use super::state::World;
use crate::clock;
use jiff::Timestamp;
use std::time::Duration;

/// A session in `created` or `running` whose row did not change for so long is dropped.
const STUCK_AFTER: Duration = Duration::from_secs(30 * 60);

impl World {
    /// Lets that much time pass; everything due happens in order, each thing at its own moment.
    pub fn advance(&mut self, by: Duration) {
        let until = clock::later(self.now, by);
        while let Some((time, session)) = self.next_event().filter(|(time, _)| *time <= until) {
            self.now = self.now.max(time);
            match self.due_act(session, time) {
                Some(act) => self.perform(session, act),
                None => self.sweep(session),
            }
        }
        self.now = until;
    }

    fn next_event(&self) -> Option<(Timestamp, i64)> {
        self.sessions.values().filter_map(|row| Some((next_time(row)?, row.id))).min()
    }

    fn due_act(&mut self, session: i64, time: Timestamp) -> Option<Act> {
        let row = self.sessions.get_mut(&session)?;
        row.pending.front().filter(|(due, _)| *due <= time)?;
        row.pending.pop_front().map(|(_, act)| act)
    }

    fn sweep(&mut self, session: i64) {
        let now = self.now;
        let Some(row) = self.sessions.get_mut(&session) else { return };
        row.status = status::FAILED.to_owned();
        row.updated_at = now;
        row.pending.clear();
        for pipeline in row.pipelines.clone() {
            self.end_pipeline(pipeline, "failed");
        }
    }

    fn perform(&mut self, session: i64, act: Act) {
        match act {
            Act::EndPipeline(ending) => self.end_last_pipeline(session, ending),
            Act::Run => self.run(session),
            Act::OpenMergeRequest(title) => self.open_merge_request(session, &title),
            Act::OpenWorkItem(title) => self.open_work_item(session, title),
            Act::Comment(body) => self.comment(session, body),
            other => self.change_row(session, other),
        }
        let now = self.now;
        if let Some(row) = self.sessions.get_mut(&session) {
            row.updated_at = now;
        }
    }

    fn change_row(&mut self, session: i64, act: Act) {
        let timestamp = clock::message(self.now);
        let Some(row) = self.sessions.get_mut(&session) else { return };
        match act {
            Act::Say(message) => row.say(message.at(&timestamp)),
            Act::Acknowledge => row.say(acknowledgement(row).at(&timestamp)),
            Act::Title(title) => row.title = Some(title),
            Act::Wait(kind) => row.status = kind.to_owned(),
            Act::Finish(summary) => {
                row.say(Message::end().at(&timestamp));
                row.summary = Some(summary);
                row.status = status::FINISHED.to_owned();
            }
            Act::Fail(text) => {
                row.say(Message::failure(&text).at(&timestamp));
                row.status = status::FAILED.to_owned();
            }
            _ => {}
        }
    }

    fn run(&mut self, session: i64) {
        let job = self.fresh(97_000);
        let Some(row) = self.sessions.get_mut(&session) else { return };
        row.status = status::RUNNING.to_owned();
        row.jobs.push(job);
        row.messages.get_or_insert_default();
        let pipeline = row.pipelines.last().copied();
        if let Some(pipeline) = pipeline.and_then(|id| self.pipelines.get_mut(&id)) {
            pipeline.status = "running".to_owned();
        }
    }

    fn end_last_pipeline(&mut self, session: i64, ending: &str) {
        let last = self.sessions.get(&session).and_then(|row| row.pipelines.last().copied());
        if let Some(pipeline) = last {
            self.end_pipeline(pipeline, ending);
        }
    }

    fn open_merge_request(&mut self, session: i64, title: &str) {
        let Some(row) = self.sessions.get(&session) else { return };
        let Some(project) = row.project else { return };
        let (author, id) = (row.user, self.fresh(7_710));
        let highest = self.merge_requests.values().filter(|mr| mr.project == project).map(|mr| mr.iid).max();
        let mut opened = MergeRequest::new(id, highest.unwrap_or(0) + 1, project, &format!("duo-{session}"));
        opened.title = title.to_owned();
        opened.author = author;
        self.merge_requests.insert(id, opened);
        self.link(session, LinkTarget::MergeRequest(id));
    }

    fn open_work_item(&mut self, session: i64, title: String) {
        let id = self.fresh(66_020);
        let Some(project) = self.sessions.get(&session).and_then(|row| row.project) else { return };
        self.link(session, LinkTarget::WorkItem { id, iid: id - 64_786, project, title });
    }

    fn comment(&mut self, session: i64, body: String) {
        let id = self.fresh(880_020);
        let Some(project) = self.sessions.get(&session).and_then(|row| row.project) else { return };
        let url = format!("{}/-/work_items/1234#note_{id}", self.project_url(project));
        self.link(session, LinkTarget::Note { id, body, url });
    }

    fn link(&mut self, session: i64, target: LinkTarget) {
        let link = Link::new(self.fresh(550), "CREATED", self.now, target);
        if let Some(row) = self.sessions.get_mut(&session) {
            row.links.push(link);
        }
    }
}

fn next_time(row: &Session) -> Option<Timestamp> {
    if let Some((time, _)) = row.pending.front() {
        return Some(*time);
    }
    let active = matches!(row.status.as_str(), status::CREATED | status::RUNNING);
    active.then(|| clock::later(row.updated_at, STUCK_AFTER))
}

fn acknowledgement(row: &Session) -> Message {
    match row.decisions.last() {
        Some((true, _)) => Message::agent("Thank you, I go on."),
        Some((false, Some(text))) => Message::agent(&format!("Understood: {text}")),
        _ => Message::agent("I leave that out and go on with the rest."),
    }
}
