//! What the bot tells its pipeline.

use std::time::Duration;

use fake_gitlab::{FakeGitLab, Fault};

use crate::ci_bot::{Job, Outcome};
use crate::support::{DEMO_PROJECT, Stage};

const LONG: Duration = Duration::from_secs(3_600);

fn job(flow: &str) -> Job {
    let [project, flow, goal] = [DEMO_PROJECT, flow, "Convert the old build file"].map(str::to_owned);
    Job { project, flow, goal }
}

async fn stage() -> Stage {
    Stage::embedded().await.unwrap()
}

fn fake(stage: &Stage) -> &FakeGitLab {
    stage.embedded.as_ref().unwrap()
}

#[tokio::test]
async fn a_flow_that_finishes_is_a_success() {
    let stage = stage().await;
    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), LONG).await;
    assert_eq!((outcome, outcome.exit_code()), (Outcome::Finished, 0));
    assert_eq!(fake(&stage).writes().len(), 1);
}

#[tokio::test]
async fn a_question_is_for_a_person_and_the_next_run_starts_nothing() {
    let stage = stage().await;
    for _ in 0..2 {
        let outcome = job("developer/v1").done(&stage.duo(), LONG).await;
        assert_eq!((outcome, outcome.exit_code()), (Outcome::NeedsPerson, 2));
        assert_eq!(fake(&stage).writes().len(), 1);
    }
}

#[tokio::test]
async fn what_is_refused_lost_or_late_is_told_apart() {
    let stage = stage().await;
    let outcome = job("no_such_flow/v1").done(&stage.duo(), LONG).await;
    assert_eq!((outcome, outcome.exit_code()), (Outcome::Refused, 4));
    assert_eq!(fake(&stage).writes().len(), 0);

    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), Duration::ZERO).await;
    // The limit is for the session, not for its start.
    assert_eq!((outcome, outcome.exit_code()), (Outcome::OutOfTime, 3));
    assert_eq!(fake(&stage).writes().len(), 1);
}

#[tokio::test]
async fn a_start_whose_answer_is_lost_is_followed_by_the_next_run_and_not_made_again() {
    let stage = stage().await;
    fake(&stage).inject(Fault::executed_then_close().on_path("ai/duo_workflows"));
    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), LONG).await;
    assert_eq!((outcome, outcome.exit_code()), (Outcome::Unknown, 5));
    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), LONG).await;
    assert_eq!(outcome, Outcome::Finished);
    assert_eq!(fake(&stage).writes().len(), 1);
}

#[tokio::test]
async fn a_gitlab_that_is_down_is_for_another_run() {
    let stage = stage().await;
    fake(&stage).inject(Fault::html_502().always());
    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), LONG).await;
    assert_eq!((outcome, outcome.exit_code()), (Outcome::TryLater, 75));
    assert_eq!(fake(&stage).writes().len(), 0);
}

#[tokio::test]
async fn a_flow_that_fails_is_a_failure() {
    let stage = stage().await;
    fake(&stage).state(|world| {
        let consumer = world.consumers.get_mut(&729).unwrap();
        consumer.script = fake_gitlab::world::Script::fails_halfway();
    });
    let outcome = job("convert_to_gl_ci/v1").done(&stage.duo(), LONG).await;
    assert_eq!((outcome, outcome.exit_code()), (Outcome::NotFinished, 1));
}
