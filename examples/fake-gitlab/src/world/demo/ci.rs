//! Pipelines and merge requests of the demo world.

use super::{COLLEAGUE, PROJECT};
use crate::world::ci::{MergeRequest, Pipeline};
use crate::world::state::World;

pub(super) fn add(world: &mut World) {
    for pipeline in pipelines() {
        world.add_pipeline(pipeline);
    }
    for merge_request in merge_requests() {
        world.add_merge_request(merge_request);
    }
}

fn pipelines() -> Vec<Pipeline> {
    let branch = Pipeline::new(50511, PROJECT, "feature/rounding");
    let mut of_merge_request = Pipeline::new(50512, PROJECT, "refs/merge-requests/317/head");
    of_merge_request.source = "merge_request_event".to_owned();
    of_merge_request.merge_request = Some(317);
    let mut of_fork = Pipeline::new(50513, PROJECT, "refs/merge-requests/319/head");
    of_fork.source = "merge_request_event".to_owned();
    of_fork.merge_request = Some(319);
    of_fork.user = COLLEAGUE;
    let mut of_tag = Pipeline::new(50514, PROJECT, "v2.0.0");
    of_tag.tag = true;
    // A branch that no merge request has.
    let lonely = Pipeline::new(50515, PROJECT, "feature/lonely");
    let mut workload = Pipeline::new(50600, PROJECT, "workloads/0b1c2d3e4f5");
    workload.source = "duo_workflow".to_owned();
    workload.status = "success".to_owned();
    let nested = Pipeline::new(50700, 4711, "main");
    vec![branch, of_merge_request, of_fork, of_tag, lonely, workload, nested]
}

fn merge_requests() -> Vec<MergeRequest> {
    let mut open = MergeRequest::new(7700, 317, PROJECT, "feature/rounding");
    open.pipelines = vec![50512, 50511];
    let older = MergeRequest::new(7600, 300, PROJECT, "feature/rounding");
    let mut from_fork = MergeRequest::new(7720, 319, PROJECT, "feature/rounding");
    from_fork.source_project = 5200;
    from_fork.author = COLLEAGUE;
    from_fork.pipelines = vec![50513];
    let mut merged = MergeRequest::new(7500, 290, PROJECT, "release/2.0");
    merged.state = "merged".to_owned();
    let mut nested = MergeRequest::new(7800, 7, 4711, "main");
    nested.title = "Sort the routes".to_owned();
    vec![open, older, from_fork, merged, nested]
}
