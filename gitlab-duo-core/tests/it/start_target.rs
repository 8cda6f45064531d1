//! Starting a flow that works on a URL.

use gitlab_duo_core::actions::start_session::{Duplicates, StartSession};
use gitlab_duo_core::gateway::error::{GatewayError, Outcome};
use gitlab_duo_core::gateway::request::StartTarget;
use gitlab_duo_core::model::error::ErrorKind;
use gitlab_duo_core::model::ids::{PipelineId, ProjectId};
use gitlab_duo_core::model::status::Status;
use serde_json::Value;

use crate::start::{by_flow, start};
use crate::world::{at, gitlab, merge_request, pipeline, session};

const PIPELINE: &str = "https://gitlab.example.com/example-group/backend/-/pipelines/";
const REVIEW: &str = "https://gitlab.example.com/example-group/backend/-/merge_requests/";

fn on(flow: &str, url: Option<&str>, goal: Option<&str>) -> StartSession {
    StartSession { url: url.map(str::to_owned), goal: goal.map(str::to_owned), ..by_flow(flow) }
}

fn sent(
    version: &str,
    request: StartSession,
) -> Result<(String, Option<StartTarget>, Vec<&'static str>), Value> {
    let gitlab = gitlab(version);
    let view = start(&gitlab, request);
    let world = gitlab.world();
    match world.started.first() {
        Some(started) => Ok((started.goal.clone(), started.target.clone(), world.calls.clone())),
        None => Err(view["error"].clone()),
    }
}

#[test]
fn the_url_is_all_that_is_read_also_when_it_comes_as_goal() {
    let url = format!("{PIPELINE}50512/builds?x=1");
    let canonical = format!("{PIPELINE}50512");
    for request in [on("fix_pipeline/v1", Some(&url), None), on("fix_pipeline/v1", None, Some(&url))] {
        assert_eq!(sent("19.5.0", request).unwrap().0, canonical);
    }
    let review = on("code_review/v1", Some(&format!("{REVIEW}317/diffs")), None);
    assert_eq!(sent("19.5.0", review).unwrap().0, "317");
}

#[test]
fn whatever_is_not_a_page_of_this_project_is_refused_by_name() {
    let pipeline = format!("{PIPELINE}50512");
    let review = format!("{REVIEW}317");
    let rows = [
        on("fix_pipeline/v1", None, None),
        on("fix_pipeline/v1", None, Some("please fix it")),
        on("fix_pipeline/v1", Some(&pipeline), Some("please fix it")),
        on("fix_pipeline/v1", Some(&review), None),
        on("code_review/v1", Some(&pipeline), None),
        on("code_review/v1", None, Some("317")),
        on("fix_pipeline/v1", Some("https://evil.example.test/example-group/backend/-/pipelines/1"), None),
        on("fix_pipeline/v1", Some("https://gitlab.example.com/acme/platform/api/-/pipelines/1"), None),
        on("developer/v1", Some(&pipeline), Some("Tidy up")),
    ];
    for (number, request) in rows.into_iter().enumerate() {
        let error = sent("19.5.0", request).unwrap_err();
        assert_eq!(error["kind"], "invalid_arguments", "row {number}");
        assert!(error["message"].as_str().unwrap().contains("url"), "row {number}: {error}");
    }
    let other_goal = on("fix_pipeline/v1", Some(&pipeline), Some("please fix it"));
    let message = sent("19.5.0", other_goal).unwrap_err()["message"].clone();
    assert!(message.as_str().unwrap().starts_with("`goal` is refused"), "{message}");
    // A URL is nothing that another flow works on, with or without a goal.
    for goal in [Some("Tidy up"), None] {
        let message =
            sent("19.5.0", on("developer/v1", Some(&pipeline), goal)).unwrap_err()["message"].clone();
        assert!(message.as_str().unwrap().starts_with("`url` is only for"), "{message}");
    }
}

#[test]
fn from_19_5_no_branch_is_sent_and_nothing_is_looked_up() {
    let (_, target, calls) =
        sent("19.5.0", on("fix_pipeline/v1", Some(&format!("{PIPELINE}50512")), None)).unwrap();
    assert_eq!(target, None);
    assert_eq!(calls, ["instance", "project", "catalog_page", "sessions", "start_session"]);
}

#[test]
fn below_19_5_branch_and_context_are_resolved_first() {
    let target = |flow, url: String| sent("19.4.0", on(flow, Some(&url), None)).unwrap().1.unwrap();
    let context = |target: &StartTarget| -> Vec<_> {
        target.additional_context().into_iter().map(|entry| (entry.category, entry.content)).collect()
    };
    let merge_request = (
        "merge_request",
        r#"{"author_id":"88","url":"https://gitlab.example.com/example-group/backend/-/merge_requests/317"}"#
            .to_owned(),
    );
    let push = ("pipeline", r#"{"source":"push","source_branch":"feature/rounding"}"#.to_owned());
    for id in [50511, 50512] {
        let target = target("fix_pipeline/v1", format!("{PIPELINE}{id}"));
        assert_eq!(target.source_branch, "feature/rounding");
        assert_eq!(context(&target), [merge_request.clone(), push.clone()]);
    }
    let review = target("code_review/v1", format!("{REVIEW}317"));
    assert_eq!(
        (&*review.source_branch, review.is_review, context(&review).len()),
        ("feature/rounding", true, 0)
    );
}

#[test]
fn below_19_5_what_cannot_be_proven_is_refused_and_no_default_branch_is_taken() {
    type Change = fn(&mut gitlab_duo_core::gateway::testing::World);
    let id = || PipelineId::new(50511).unwrap();
    let rows: [(&str, String, Change, &str); 14] = [
        ("fix_pipeline/v1", format!("{PIPELINE}50511"), |world| pipeline_mut(world).tag = None, "forbidden"),
        (
            "fix_pipeline/v1",
            format!("{PIPELINE}50511"),
            |world| pipeline_mut(world).git_ref = Some("refs/pipelines/50511".into()),
            "forbidden",
        ),
        (
            "fix_pipeline/v1",
            format!("{PIPELINE}50511"),
            |world| pipeline_mut(world).git_ref = Some("refs/merge-requests/319/head".into()),
            "forbidden",
        ),
        (
            "code_review/v1",
            format!("{REVIEW}317"),
            |world| world.merge_requests[0].source_branch = Some(String::new()),
            "forbidden",
        ),
        (
            "code_review/v1",
            format!("{REVIEW}317"),
            |world| world.merge_requests[0].web_url = None,
            "forbidden",
        ),
        ("fix_pipeline/v1", format!("{PIPELINE}1"), |_| {}, "not_found"),
        ("code_review/v1", format!("{REVIEW}1"), |_| {}, "not_found"),
        ("code_review/v1", format!("{REVIEW}319"), |_| {}, "forbidden"),
        (
            "code_review/v1",
            format!("{REVIEW}317"),
            |world| world.merge_requests[0].state = Some("merged".into()),
            "forbidden",
        ),
        (
            "code_review/v1",
            format!("{REVIEW}317"),
            |world| world.merge_requests[0].source_project = None,
            "forbidden",
        ),
        (
            "code_review/v1",
            format!("{REVIEW}317"),
            |world| world.merge_requests[0].source_branch = None,
            "forbidden",
        ),
        (
            "fix_pipeline/v1",
            format!("{PIPELINE}50511"),
            |world| pipeline_mut(world).tag = Some(true),
            "forbidden",
        ),
        (
            "fix_pipeline/v1",
            format!("{PIPELINE}50511"),
            |world| pipeline_mut(world).git_ref = None,
            "forbidden",
        ),
        (
            "fix_pipeline/v1",
            format!("{PIPELINE}50511"),
            |world| pipeline_mut(world).project = ProjectId::new(5200),
            "forbidden",
        ),
    ];
    for (number, (flow, url, change, expected)) in rows.into_iter().enumerate() {
        let gitlab = gitlab("19.4.0");
        gitlab.world().pipelines.insert(id(), pipeline("feature/rounding"));
        change(&mut gitlab.world());
        let error = start(&gitlab, on(flow, Some(&url), None))["error"].clone();
        assert_eq!(error["kind"], expected, "row {number}: {error}");
        assert_eq!(gitlab.world().writes(), 0);
    }
}

fn pipeline_mut(
    world: &mut gitlab_duo_core::gateway::testing::World,
) -> &mut gitlab_duo_core::gateway::request::Pipeline {
    world.pipelines.get_mut(&PipelineId::new(50511).unwrap()).unwrap()
}

#[test]
fn the_newest_opened_merge_request_of_the_branch_is_the_context() {
    let gitlab = gitlab("19.4.0");
    gitlab.world().merge_requests.extend([merge_request(318, 4021), merge_request(320, 5200)]);
    let request = StartSession {
        duplicates: Duplicates::Allow,
        ..on("fix_pipeline/v1", Some(&format!("{PIPELINE}50511")), None)
    };
    start(&gitlab, request);
    let target = gitlab.world().started[0].target.clone().unwrap();
    assert_eq!(target.merge_request.unwrap().iid.number(), 318);
}

#[test]
fn below_19_5_a_target_takes_three_look_ups_at_most_of_the_ten_that_it_may() {
    let looked_up = ["project", "pipeline", "merge_request", "opened_merge_request"];
    for (flow, url) in [
        ("fix_pipeline/v1", format!("{PIPELINE}50511")),
        ("fix_pipeline/v1", format!("{PIPELINE}50512")),
        ("code_review/v1", format!("{REVIEW}317")),
    ] {
        let (_, _, calls) = sent("19.4.0", on(flow, Some(&url), None)).unwrap();
        assert!(calls.iter().filter(|call| looked_up.contains(call)).count() <= 3, "{calls:?}");
    }
}

#[test]
fn a_failed_look_up_of_the_target_fails_the_start_before_it_is_sent() {
    for method in ["pipeline", "opened_merge_request"] {
        let gitlab = gitlab("19.4.0");
        let error = GatewayError::new(ErrorKind::Server, "no");
        gitlab.world().failures.push_back((method, error, Outcome::Refused));
        let error = start(&gitlab, on("fix_pipeline/v1", Some(&format!("{PIPELINE}50511")), None));
        assert_eq!((&error["error"]["kind"], gitlab.world().writes()), (&"server".into(), 0), "{method}");
    }
}

/// What was sent is compared, however the page was written.
#[test]
fn the_same_page_within_ten_minutes_is_a_duplicate_however_it_is_written() {
    let gitlab = gitlab("19.5.0");
    let mut first = session(42, Status::Running);
    first.row.created_at = Some(at("2026-10-20T11:55:00Z"));
    first.row.goal = Some(format!("{PIPELINE}50512"));
    first.row.flow = Some("fix_pipeline/v1".to_owned());
    gitlab.world().sessions.push(first);
    for url in [format!("{PIPELINE}50512"), format!("{PIPELINE}50512/builds?x=1")] {
        for request in [on("fix_pipeline/v1", Some(&url), None), on("fix_pipeline/v1", None, Some(&url))] {
            assert_eq!(start(&gitlab, request)["error"]["kind"], "duplicate", "{url}");
        }
    }
    assert_eq!(gitlab.world().writes(), 0);
}
