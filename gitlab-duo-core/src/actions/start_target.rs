//! Finds branch and context of a URL-targeted flow, for instances that do not do it themselves.
//!
//! GitLab silently takes the default branch when a start names none or an unknown one, so whatever
//! cannot be proven here is refused before anything is sent. Source: GitLab 18.9 and 19.3,
//! `StartWorkflowService` and the user interface.

use crate::gateway::reader::DuoReader;
use crate::gateway::request::{MergeRequest, StartTarget, TargetMergeRequest};
use crate::model::error::{DuoError, ErrorKind};
use crate::model::ids::{MergeRequestIid, PipelineId};
use crate::model::project::Project;
use crate::model::target::{TargetPage, merge_request_of_ref};
use crate::rules::limits::TARGET_LOOKUPS;

/// Requests left for one start.
struct Lookups {
    left: u32,
}

impl Lookups {
    /// The project itself was one request already.
    fn after_the_project() -> Self {
        Self { left: TARGET_LOOKUPS - 1 }
    }

    fn spend(&mut self) -> Result<(), DuoError> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| refused(format!("its branch cannot be found within {TARGET_LOOKUPS} requests")))?;
        Ok(())
    }
}

/// The branch and context of `page` in `project`.
pub(super) async fn resolve_target(
    reader: &dyn DuoReader,
    project: &Project,
    page: TargetPage,
) -> Result<StartTarget, DuoError> {
    let mut lookups = Lookups::after_the_project();
    match page {
        TargetPage::Pipeline(id) => pipeline_target(reader, project, id, &mut lookups).await,
        TargetPage::MergeRequest(iid) => {
            let (merge_request, source_branch) = opened(reader, project, iid, &mut lookups).await?;
            let merge_request = Some(merge_request);
            Ok(StartTarget { source_branch, merge_request, pipeline_source: None, is_review: true })
        }
    }
}

async fn pipeline_target(
    reader: &dyn DuoReader,
    project: &Project,
    id: PipelineId,
    lookups: &mut Lookups,
) -> Result<StartTarget, DuoError> {
    lookups.spend()?;
    let pipeline = reader.pipeline(project.id, id).await?.ok_or_else(|| {
        DuoError::new(ErrorKind::NotFound, format!("pipeline {id} is not in project `{}`", project.path))
    })?;
    if pipeline.project.is_some_and(|of| of != project.id) {
        return Err(refused(format!("pipeline {id} belongs to another project")));
    }
    let git_ref = pipeline.git_ref.ok_or_else(|| refused(format!("pipeline {id} names no branch")))?;
    let pipeline_source = Some(pipeline.source.unwrap_or_default());
    if let Some(iid) = merge_request_of_ref(&git_ref) {
        let (merge_request, source_branch) = opened(reader, project, iid, lookups).await?;
        let merge_request = Some(merge_request);
        return Ok(StartTarget { source_branch, merge_request, pipeline_source, is_review: false });
    }
    if pipeline.tag != Some(false) || git_ref.starts_with("refs/") {
        return Err(refused(format!("pipeline {id} did not run for a branch")));
    }
    lookups.spend()?;
    let newest = reader.opened_merge_request(project.id, &git_ref).await?;
    let merge_request = newest.and_then(target_merge_request);
    Ok(StartTarget { source_branch: git_ref, merge_request, pipeline_source, is_review: false })
}

/// An opened merge request of the project's own branch.
async fn opened(
    reader: &dyn DuoReader,
    project: &Project,
    iid: MergeRequestIid,
    lookups: &mut Lookups,
) -> Result<(TargetMergeRequest, String), DuoError> {
    lookups.spend()?;
    let found = reader.merge_request(project.id, iid).await?.ok_or_else(|| {
        DuoError::new(
            ErrorKind::NotFound,
            format!("merge request {iid} is not in project `{}`", project.path),
        )
    })?;
    if found.state.as_deref() != Some("opened") {
        return Err(refused(format!("merge request {iid} is not open, so its branch may be gone")));
    }
    if found.source_project != Some(project.id) {
        return Err(refused(format!(
            "merge request {iid} comes from a fork, whose branch is not in this project"
        )));
    }
    let branch = found.source_branch.clone().filter(|branch| !branch.is_empty());
    let branch = branch.ok_or_else(|| refused(format!("merge request {iid} names no branch")))?;
    let target =
        target_merge_request(found).ok_or_else(|| refused(format!("merge request {iid} has no page")))?;
    Ok((target, branch))
}

fn target_merge_request(found: MergeRequest) -> Option<TargetMergeRequest> {
    Some(TargetMergeRequest { iid: found.iid, url: found.web_url?, author: found.author })
}

fn refused(why: String) -> DuoError {
    DuoError::new(ErrorKind::Forbidden, format!("nothing was started: {why}")).with_next_step(
        "start it in GitLab, or on a GitLab from 19.5 on, which finds branch and context itself",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::request::Pipeline;
    use crate::gateway::testing::MemoryGitLab;
    use crate::model::ids::ProjectId;
    use crate::model::instance::{InstanceUrl, PlainHttp};
    use crate::model::project::ProjectPath;

    #[tokio::test]
    async fn what_is_not_found_within_the_requests_left_is_refused_and_not_looked_for() {
        let url = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
        let gitlab = MemoryGitLab::new(url, "19.4.0");
        let project = Project {
            id: ProjectId::new(4021).unwrap(),
            path: ProjectPath::parse("acme/api").unwrap(),
            web_url: None,
        };
        let id = PipelineId::new(9).unwrap();
        let pipeline = Pipeline {
            project: Some(project.id),
            git_ref: Some("main".to_owned()),
            tag: Some(false),
            source: None,
        };
        gitlab.world().pipelines.insert(id, pipeline);
        for (left, calls) in [(0, &[][..]), (1, &["pipeline"][..])] {
            gitlab.world().calls.clear();
            let refused = pipeline_target(&gitlab, &project, id, &mut Lookups { left }).await.unwrap_err();
            assert_eq!((refused.kind, &*gitlab.world().calls), (ErrorKind::Forbidden, calls));
            assert!(refused.message.contains("within 10 requests"), "{refused}");
        }
        let mut enough = Lookups { left: 2 };
        assert!(pipeline_target(&gitlab, &project, id, &mut enough).await.is_ok());
    }
}
