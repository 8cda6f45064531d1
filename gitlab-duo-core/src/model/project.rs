//! Projects, and the many ways to name one.

use std::fmt;

use url::Url;

use crate::model::ids::ProjectId;
use crate::model::instance::InstanceUrl;
use crate::rules::clip::clip;
use crate::rules::limits::PATH_CHARS;

/// A project as GitLab describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its numeric id.
    pub id: ProjectId,
    /// Its full path.
    pub path: ProjectPath,
    /// Its page.
    pub web_url: Option<String>,
}

/// What a session says of its project. Each part may be unknown; none of them is known for a
/// session of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectLink {
    /// The numeric id.
    pub id: Option<ProjectId>,
    /// The full path.
    pub path: Option<ProjectPath>,
    /// The project's page.
    pub web_url: Option<String>,
}

impl From<Project> for ProjectLink {
    fn from(project: Project) -> Self {
        Self { id: Some(project.id), path: Some(project.path), web_url: project.web_url }
    }
}

/// The full path of a project or group, as in `acme/platform/api`: plain, without slashes around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(String);

impl ProjectPath {
    /// Takes a path as GitLab sends or shows it.
    ///
    /// # Errors
    /// [`NotAProject`] when it is empty, longer than any path, or holds characters that no GitLab path has.
    pub fn parse(text: &str) -> Result<Self, NotAProject> {
        let path = text.trim().trim_matches('/');
        let is_bounded = clip(path, PATH_CHARS).full_chars.is_none();
        let is_path = !path.is_empty() && is_bounded && path.split('/').all(is_segment);
        if is_path { Ok(Self(path.to_owned())) } else { Err(NotAProject::of(text)) }
    }

    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this path is `other`, as GitLab compares paths: without regard to case.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// GitLab's paths hold letters, digits, `_`, `-` and `.` and are never dots alone; `-` alone parts them from a page.
fn is_segment(segment: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_name = !segment.is_empty() && segment != "-" && !segment.chars().all(|c| c == '.');
    is_name && segment.chars().all(allowed)
}

/// A project as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectRef {
    /// By numeric id. A text of digits only is an id.
    Id(ProjectId),
    /// By full path.
    Path(ProjectPath),
}

impl fmt::Display for ProjectRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(formatter),
            Self::Path(path) => path.fmt(formatter),
        }
    }
}

/// A text that names no project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAProject {
    given: String,
}

impl NotAProject {
    /// Keeps what can be shown: before an `@`, and behind `?` and `#`, people paste passwords and tokens.
    fn of(text: &str) -> Self {
        let text = text.trim();
        let shown = match text.rsplit_once('@') {
            None | Some(("git", _)) => text.to_owned(),
            Some((_, place)) => format!("…@{place}"),
        };
        let shown = shown.split(['?', '#']).next().unwrap_or_default();
        Self { given: clip(shown, 100).text }
    }
}

impl fmt::Display for NotAProject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "`{}` does not name a project of this GitLab: give its numeric id (`4021`), its full path \
             (`group/subgroup/project`), or the URL of one of its pages",
            self.given
        )
    }
}

impl std::error::Error for NotAProject {}

impl ProjectRef {
    /// Reads every spelling of a project: digits are its id, `group/project` its path (also
    /// percent-encoded once, with blanks or slashes around it), a URL of this instance the project
    /// of that page or API resource, `git@host:path` the project of that remote.
    ///
    /// # Errors
    /// [`NotAProject`] names the accepted forms.
    pub fn parse(text: &str, instance: &InstanceUrl) -> Result<Self, NotAProject> {
        let trimmed = text.trim();
        if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit()) {
            return ProjectId::parse(trimmed).map(Self::Id).map_err(|_| NotAProject::of(text));
        }
        if trimmed.starts_with("gid://gitlab/Project/") {
            return ProjectId::parse(trimmed).map(Self::Id).map_err(|_| NotAProject::of(text));
        }
        if let Some(name) = name_in_api_url(trimmed, instance) {
            return Self::parse(&name, instance).map_err(|_| NotAProject::of(text));
        }
        let path = match (trimmed.contains("://"), trimmed.strip_prefix("git@")) {
            (true, _) => path_of_url(trimmed, instance),
            (false, Some(remote)) => path_of_remote(remote, instance),
            (false, None) => Some(decode_slashes(trimmed)),
        };
        let path = path.ok_or_else(|| NotAProject::of(text))?;
        let path = ProjectPath::parse(path.trim_end_matches('/').trim_end_matches(".git"))
            .map_err(|_| NotAProject::of(text))?;
        // Every project lies in a namespace; a single word is no project (and `null` no path).
        if path.as_str().contains('/') { Ok(Self::Path(path)) } else { Err(NotAProject::of(text)) }
    }
}

/// The id or encoded path in `…/api/v4/projects/NAME` and below.
fn name_in_api_url(text: &str, instance: &InstanceUrl) -> Option<String> {
    let url = url_without_credentials(text)?;
    let resource = instance.path_within(&url)?.strip_prefix("api/v4/projects/")?;
    resource.split('/').next().map(str::to_owned)
}

/// The path of the project that a page or clone URL of this instance belongs to.
fn path_of_url(text: &str, instance: &InstanceUrl) -> Option<String> {
    if let Some(url) = Url::parse(text).ok().filter(|url| url.scheme() == "ssh") {
        return is_host(instance, url.host_str()?).then(|| decode_slashes(url.path()));
    }
    let url = url_without_credentials(text)?;
    let page = instance.path_within(&url)?;
    let project = page.split("/-/").next().unwrap_or(page);
    Some(decode_slashes(project))
}

fn url_without_credentials(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

fn path_of_remote(remote: &str, instance: &InstanceUrl) -> Option<String> {
    let (host, path) = remote.split_once(':')?;
    is_host(instance, host).then(|| path.to_owned())
}

fn is_host(instance: &InstanceUrl, host: &str) -> bool {
    instance.host().is_some_and(|ours| ours.eq_ignore_ascii_case(host))
}

/// Undoes one percent-encoding of slashes; other encoded characters are in no GitLab path.
fn decode_slashes(text: &str) -> String {
    text.replace("%2F", "/").replace("%2f", "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::instance::PlainHttp;

    fn check(base: &str, text: &str, expected: Option<&str>) {
        let instance = InstanceUrl::parse(base, PlainHttp::LoopbackOnly).unwrap();
        let parsed = ProjectRef::parse(text, &instance).ok().map(|project| project.to_string());
        assert_eq!(parsed.as_deref(), expected, "{text:?}");
    }

    #[test]
    fn every_spelling_of_a_project_is_one_project_or_a_refusal() {
        let rows = [
            ("4711", Some("4711")),
            (" 4711 ", Some("4711")),
            ("gid://gitlab/Project/4711", Some("4711")),
            ("acme/platform/tools/api", Some("acme/platform/tools/api")),
            ("acme%2Fplatform%2Ftools%2Fapi", Some("acme/platform/tools/api")),
            ("acme%2fplatform%2ftools%2fapi", Some("acme/platform/tools/api")),
            ("acme/c.plus.plus", Some("acme/c.plus.plus")),
            ("acme/api/", Some("acme/api")),
            (" acme/api ", Some("acme/api")),
            ("https://git.example.test/acme/api.git", Some("acme/api")),
            ("https://git.example.test/acme/api/-/merge_requests/7", Some("acme/api")),
            ("https://git.example.test/acme/api/-/tree/main?ref=x#L1", Some("acme/api")),
            ("git@git.example.test:acme/api.git", Some("acme/api")),
            ("ssh://git@git.example.test:2222/acme/api.git", Some("acme/api")),
            ("ssh://git@Git.Example.Test/acme/api.git", Some("acme/api")),
            ("https://git.example.test/api/v4/projects/acme%2Fapi", Some("acme/api")),
            ("https://git.example.test/api/v4/projects/4711/pipelines/9", Some("4711")),
            ("https://git.example.test/api/v4/projects/acme", None),
            ("acme/api/-/merge_requests/7", None),
            ("acme/-", None),
            ("git@other.example.test:acme/api.git", None),
            ("https://other.example.test/acme/api", None),
            ("https://user:secret@git.example.test/acme/api", None),
            ("acme%252Fapi", None),
            ("acme//api", None),
            ("acme/../api", None),
            ("acme/a b", None),
            ("null", None),
            ("acme", None),
            ("", None),
            ("0", None),
            ("99999999999999999999", None),
        ];
        for (text, expected) in rows {
            check("https://git.example.test", text, expected);
        }
    }

    #[test]
    fn a_refusal_shows_no_credential() {
        let instance = InstanceUrl::parse("https://git.example.test", PlainHttp::LoopbackOnly).unwrap();
        let rows = [
            ("https://oauth2:secret@git.example.test/acme/api.git", "`…@git.example.test/acme/api.git`"),
            ("ssh://git:secret@other.example.test/acme/api", "`…@other.example.test/acme/api`"),
            ("https://other.example.test/acme?private_token=secret", "`https://other.example.test/acme`"),
            ("git@other.example.test:acme/api.git", "`git@other.example.test:acme/api.git`"),
            ("acme/a b", "`acme/a b`"),
        ];
        for (text, shown) in rows {
            let refusal = ProjectRef::parse(text, &instance).unwrap_err();
            assert!(refusal.to_string().starts_with(shown), "{refusal}");
            assert!(!format!("{refusal:?}").contains("secret"), "{refusal:?}");
        }
    }

    #[test]
    fn a_path_has_an_end() {
        assert!(ProjectPath::parse(&"x".repeat(PATH_CHARS)).is_ok());
        assert!(ProjectPath::parse(&"x".repeat(PATH_CHARS + 1)).is_err());
    }

    #[test]
    fn a_subpath_of_the_instance_is_not_part_of_the_project() {
        check("https://git.example.test/sub", "https://git.example.test/sub/acme/api", Some("acme/api"));
        check("https://git.example.test/sub", "https://git.example.test/acme/api", None);
    }
}
