//! Legs of a session: each is one CI pipeline, from a start or an answer to a checkpoint or the end.

use super::ci::Pipeline;
use super::message::Message;
use super::session::{Session, status};
use super::state::World;
use crate::clock;

impl World {
    /// Starts the first leg; answers with the number of the workload.
    ///
    /// Without a runner the pipeline stays pending and the session `created`.
    pub fn start_leg(&mut self, session: i64) -> Option<i64> {
        let goal = self.sessions.get(&session)?.goal.clone();
        let workload = self.open_pipeline(session)?;
        self.schedule(session, 0, vec![Message::user(&goal)]);
        Some(workload)
    }

    /// Answers a checkpoint: the next leg starts; answers with the number of the new workload.
    pub fn answer(&mut self, session: i64, approval: bool, message: Option<String>) -> Option<i64> {
        let row = self.sessions.get_mut(&session)?;
        row.decisions.push((approval, message.clone()));
        row.leg += 1;
        let leg = row.leg;
        let spoken = message.map(|text| Message::user(&text)).into_iter().collect();
        let workload = self.open_pipeline(session)?;
        self.schedule(session, leg, spoken);
        Some(workload)
    }

    /// Stops a session and cancels its pipelines.
    pub fn stop(&mut self, session: i64) {
        let now = self.now;
        let Some(row) = self.sessions.get_mut(&session) else { return };
        row.status = status::STOPPED.to_owned();
        row.updated_at = now;
        row.pending.clear();
        for pipeline in row.pipelines.clone() {
            self.end_pipeline(pipeline, "canceled");
        }
    }

    /// The pipeline of the leg that runs or ran last.
    pub fn last_pipeline(&self, session: &Session) -> Option<&Pipeline> {
        self.pipelines.get(session.pipelines.last()?)
    }

    pub(crate) fn end_pipeline(&mut self, pipeline: i64, ending: &str) {
        if let Some(pipeline) = self.pipelines.get_mut(&pipeline).filter(|pipeline| !pipeline.complete()) {
            pipeline.status = ending.to_owned();
        }
    }

    fn open_pipeline(&mut self, session: i64) -> Option<i64> {
        let id = self.fresh(50_700);
        let row = self.sessions.get_mut(&session)?;
        let mut pipeline = Pipeline::new(id, row.project?, &format!("workloads/{id:011x}"));
        pipeline.source = "duo_workflow".to_owned();
        pipeline.status = "pending".to_owned();
        pipeline.user = row.user;
        row.pipelines.push(id);
        self.pipelines.insert(id, pipeline);
        Some(id + 30_534)
    }

    fn schedule(&mut self, session: i64, leg: usize, spoken: Vec<Message>) {
        let now = self.now;
        let has_runner = self.has_runner(session);
        let Some(row) = self.sessions.get_mut(&session) else { return };
        if !has_runner {
            return;
        }
        let steps = row.script.legs.get(leg).cloned().unwrap_or_default();
        row.pending = steps.into_iter().map(|step| (clock::later(now, step.after), step.act)).collect();
        // What the person said is in the first checkpoint that the leg writes.
        if let Some((first, _)) = row.pending.front() {
            let first = *first;
            for message in spoken.into_iter().rev() {
                row.pending.insert(1.min(row.pending.len()), (first, super::script::Act::Say(message)));
            }
        }
    }

    fn has_runner(&self, session: i64) -> bool {
        let project = self.sessions.get(&session).and_then(|row| row.project);
        project.and_then(|id| self.projects.get(&id)).is_some_and(|project| project.runner.is_some())
    }
}
