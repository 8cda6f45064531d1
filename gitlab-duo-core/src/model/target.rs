//! The page that a URL-targeted flow works on.

use std::fmt;

use url::Url;

use crate::model::ids::{MergeRequestIid, PipelineId};
use crate::model::instance::InstanceUrl;
use crate::model::project::ProjectPath;
use crate::model::selector::TargetKind;

/// A pipeline or merge request of this instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetUrl {
    /// The project of the page.
    pub project: ProjectPath,
    /// The page.
    pub page: TargetPage,
}

/// The page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetPage {
    /// A pipeline.
    Pipeline(PipelineId),
    /// A merge request.
    MergeRequest(MergeRequestIid),
}

impl TargetPage {
    /// Its kind.
    #[must_use]
    pub fn kind(self) -> TargetKind {
        match self {
            Self::Pipeline(_) => TargetKind::Pipeline,
            Self::MergeRequest(_) => TargetKind::MergeRequest,
        }
    }
}

/// A URL that is no pipeline and no merge request of this instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATarget;

impl fmt::Display for NotATarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "this is not the URL of a pipeline (`…/-/pipelines/1`) or merge request (`…/-/merge_requests/1`) of this GitLab",
        )
    }
}

impl std::error::Error for NotATarget {}

impl TargetUrl {
    /// Reads the URL of a page or of one of its tabs (`/diffs`, `/builds`, …), with or without query and fragment.
    ///
    /// # Errors
    /// [`NotATarget`] for anything else, also for pages of other instances.
    pub fn parse(text: &str, instance: &InstanceUrl) -> Result<Self, NotATarget> {
        let url = Url::parse(text.trim()).map_err(|_| NotATarget)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NotATarget);
        }
        let within = instance.path_within(&url).ok_or(NotATarget)?;
        let (project, page) = within.split_once("/-/").ok_or(NotATarget)?;
        let project = project.replace("%2F", "/").replace("%2f", "/");
        let project = ProjectPath::parse(project.trim_end_matches(".git")).map_err(|_| NotATarget)?;
        let mut segments = page.split('/');
        let page = match (segments.next(), segments.next()) {
            (Some("pipelines"), Some(id)) => digits(id).and_then(PipelineId::new).map(TargetPage::Pipeline),
            (Some("merge_requests"), Some(iid)) => {
                digits(iid).and_then(MergeRequestIid::new).map(TargetPage::MergeRequest)
            }
            _ => None,
        };
        Ok(Self { project, page: page.ok_or(NotATarget)? })
    }

    /// The URL without tabs, query and fragment.
    #[must_use]
    pub fn canonical(&self, instance: &InstanceUrl) -> String {
        let project = &self.project;
        match self.page {
            TargetPage::Pipeline(id) => format!("{instance}/{project}/-/pipelines/{id}"),
            TargetPage::MergeRequest(iid) => format!("{instance}/{project}/-/merge_requests/{iid}"),
        }
    }
}

fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The merge request of a pipeline's `ref`, as in `refs/merge-requests/317/head`.
#[must_use]
pub fn merge_request_of_ref(git_ref: &str) -> Option<MergeRequestIid> {
    let (iid, _) = git_ref.strip_prefix("refs/merge-requests/")?.split_once('/')?;
    digits(iid).and_then(MergeRequestIid::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::instance::PlainHttp;

    fn check(base: &str, text: &str, expected: Option<&str>) {
        let instance = InstanceUrl::parse(base, PlainHttp::LoopbackOnly).unwrap();
        let parsed = TargetUrl::parse(text, &instance).ok().map(|target| target.canonical(&instance));
        assert_eq!(parsed.as_deref(), expected, "{text:?}");
    }

    #[test]
    fn only_pages_of_this_instance_are_targets() {
        let base = "https://git.example.test/sub";
        let pipeline = Some("https://git.example.test/sub/acme/platform/api/-/pipelines/50512");
        let review = Some("https://git.example.test/sub/acme/api/-/merge_requests/317");
        let rows = [
            ("https://git.example.test/sub/acme/platform/api/-/pipelines/50512", pipeline),
            ("https://git.example.test/sub/acme/platform/api/-/pipelines/50512/", pipeline),
            ("https://git.example.test/sub/acme/platform/api/-/pipelines/50512/failures?x=1#y", pipeline),
            ("https://git.example.test/sub/acme%2Fplatform%2fapi/-/pipelines/50512", pipeline),
            (" https://git.example.test/sub/acme/api/-/merge_requests/317/diffs ", review),
            ("https://git.example.test/sub/acme/api.git/-/merge_requests/317", review),
            ("https://git.example.test/acme/api/-/merge_requests/317", None),
            ("https://other.example.test/sub/acme/api/-/merge_requests/317", None),
            ("https://git.example.test/sub/acme/api/-/merge_requests/new", None),
            ("https://git.example.test/sub/acme/api/-/merge_requests/0", None),
            ("https://git.example.test/sub/acme/api/-/merge_requests", None),
            ("https://git.example.test/sub/acme/api/-/jobs/1", None),
            ("https://git.example.test/sub/acme/api", None),
            ("https://user:secret@git.example.test/sub/acme/api/-/merge_requests/317", None),
            ("317", None),
            ("", None),
        ];
        for (text, expected) in rows {
            check(base, text, expected);
        }
    }

    #[test]
    fn the_merge_request_is_read_from_a_ref() {
        let rows = [
            ("refs/merge-requests/317/head", Some(317)),
            ("refs/merge-requests/317/merge", Some(317)),
            ("refs/merge-requests/317/train", Some(317)),
            ("refs/merge-requests/x/head", None),
            ("feature/refs/merge-requests/317/head", None),
            ("main", None),
        ];
        for (git_ref, expected) in rows {
            assert_eq!(merge_request_of_ref(git_ref).map(MergeRequestIid::number), expected, "{git_ref}");
        }
    }
}
