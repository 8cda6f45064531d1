//! Writes that a person decides about: what is shown first, and the write that fits it.

use gitlab_duo_core::actions::get_session::{GetSession, get_session};
use gitlab_duo_core::actions::send_input::{review_input, send_reviewed_input};
use gitlab_duo_core::actions::start_session::{review_start, start_reviewed_session};
use gitlab_duo_core::actions::stop_session::stop_session;
use gitlab_duo_core::gateway::writer::DuoWriter;
use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::scope::Scope;
use gitlab_duo_core::model::seen::Seen;
use gitlab_duo_core::view::outcome::{Decided, OutcomeView};
use serde_json::Value;

use crate::spec::surface::Surface;
use crate::text;
use crate::tools::form;
use crate::tools::run::{Answer, Started, answer};
use crate::tools::write::Write;

/// What a person is shown, and the mark that ties the decision to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// None where nothing that could change is shown.
    pub(crate) seen: Option<Seen>,
}

/// What became of a write after a yes.
#[derive(Debug)]
pub(crate) enum AfterYes {
    /// It was made.
    Done(Answer),
    /// What is pending is not what was shown any more: nothing was sent, this is what there is now.
    Changed(Question),
}

impl Write {
    /// What a person has to see before it; none when there is nothing to decide, since nothing will
    /// be sent. All of it reads.
    ///
    /// # Errors
    /// Those of the write before anything is sent.
    pub(crate) async fn question(
        &self,
        writer: &dyn DuoWriter,
        scope: &Scope,
    ) -> Result<Option<Question>, DuoError> {
        scope.admit_writing()?;
        match self {
            Self::Start(start) => {
                let reviewed = review_start(writer, scope, start.clone()).await?;
                let text = text::question::start(&reviewed.plan, start.goal.as_deref());
                Ok(Some(Question { text, seen: Some(reviewed.seen) }))
            }
            Self::Answer(answer) => {
                let request = GetSession { workflow_id: answer.workflow_id, now: answer.now };
                let reviewed = review_input(writer, scope, request).await?;
                let text = text::question::answer(&reviewed.session, &answer.input);
                Ok(Some(Question { text, seen: Some(reviewed.seen) }))
            }
            Self::Stop(stop) => {
                let request = GetSession { workflow_id: stop.workflow_id, now: stop.now };
                let session = get_session(writer, scope, request).await?;
                let has_ended = session.terminal == Some(true);
                Ok((!has_ended).then(|| Question { text: text::question::stop(&session), seen: None }))
            }
        }
    }

    /// The write, if it is still the one that was shown.
    ///
    /// # Errors
    /// Those of core's action.
    pub(crate) async fn after_yes(
        self,
        seen: Option<&Seen>,
        surface: Surface,
        writer: &dyn DuoWriter,
        scope: &Scope,
    ) -> Result<AfterYes, DuoError> {
        let shape = form::of_write(&self, surface);
        match (self, seen) {
            (Self::Start(start), Some(seen)) => {
                let goal = start.goal.clone();
                match start_reviewed_session(writer, scope, start, seen).await? {
                    Decided::Sent(view) => {
                        let started = Started::of(&view);
                        let answer = shaped(&view, shape, text::outcome::started)?;
                        Ok(AfterYes::Done(Answer { started, ..answer }))
                    }
                    Decided::Changed(reviewed) => {
                        let text = text::question::start(&reviewed.plan, goal.as_deref());
                        Ok(AfterYes::Changed(Question { text, seen: Some(reviewed.seen) }))
                    }
                }
            }
            (Self::Answer(answer), Some(seen)) => {
                let input = answer.input.clone();
                match send_reviewed_input(writer, scope, answer, seen).await? {
                    Decided::Sent(view) => done(&view, shape, text::outcome::answered),
                    Decided::Changed(reviewed) => {
                        let text = text::question::answer(&reviewed.session, &input);
                        Ok(AfterYes::Changed(Question { text, seen: Some(reviewed.seen) }))
                    }
                }
            }
            (Self::Stop(stop), _) => {
                done(&stop_session(writer, scope, stop).await?, shape, text::outcome::stopped)
            }
            // A yes to nothing in particular is none.
            (Self::Start(_) | Self::Answer(_), None) => Err(DuoError::new(
                ErrorKind::Declined,
                "the decision does not say what was seen, so nothing was sent",
            )),
        }
    }
}

fn done(
    view: &OutcomeView,
    shape: fn(&mut Value),
    tell: impl FnOnce(&OutcomeView) -> String,
) -> Result<AfterYes, DuoError> {
    shaped(view, shape, tell).map(AfterYes::Done)
}

fn shaped(
    view: &OutcomeView,
    shape: fn(&mut Value),
    tell: impl FnOnce(&OutcomeView) -> String,
) -> Result<Answer, DuoError> {
    let mut answer = answer(view, |view| tell(view))?;
    shape(&mut answer.structured);
    Ok(answer)
}
