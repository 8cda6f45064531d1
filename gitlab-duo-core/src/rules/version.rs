//! Versions as GitLab prints them, and releases that compare.

use std::fmt;

/// Minor releases of one GitLab major end at this number (`16.11`, `17.11`, `18.11`).
const LAST_MINOR: u16 = 11;

/// A minor release of GitLab, as in `19.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    /// The major number.
    pub major: u16,
    /// The minor number.
    pub minor: u16,
}

impl Release {
    /// The release `major.minor`.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// The release before this one; of minor 0 it is the last minor of the major before.
    #[must_use]
    pub const fn previous(self) -> Self {
        match self.minor {
            0 => Self::new(self.major.saturating_sub(1), LAST_MINOR),
            minor => Self::new(self.major, minor - 1),
        }
    }

    /// Whether this release is older than `other`; usable in constants.
    #[must_use]
    pub const fn is_before(self, other: Self) -> bool {
        self.major < other.major || (self.major == other.major && self.minor < other.minor)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

/// The version of an instance: the text it printed and the release whose features it surely has.
///
/// ```
/// use gitlab_duo_core::rules::version::{GitLabVersion, Release};
///
/// let release = |text| GitLabVersion::read(text).release();
/// assert_eq!(release("19.5.0-ee"), Some(Release::new(19, 5)));
/// // A pre-release of a minor counts as the minor before it.
/// assert_eq!(release("19.5.0-pre"), Some(Release::new(19, 4)));
/// assert_eq!(release("19.0.0-pre"), Some(Release::new(18, 11)));
/// assert_eq!(release("nonsense"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitLabVersion {
    text: String,
    release: Option<Release>,
}

impl GitLabVersion {
    /// Reads what GitLab printed. Text that is no version is kept, without a release.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        Self { text: text.to_owned(), release: parse(text) }
    }

    /// The version of an instance that did not tell it.
    #[must_use]
    pub fn unknown() -> Self {
        Self { text: String::new(), release: None }
    }

    /// What the instance printed; empty when it printed nothing.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The release whose features the instance surely has; none when the text is no version.
    #[must_use]
    pub fn release(&self) -> Option<Release> {
        self.release
    }
}

impl fmt::Display for GitLabVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.release, self.text.is_empty()) {
            (Some(_), _) => formatter.write_str(&self.text),
            (None, true) => formatter.write_str("unknown"),
            (None, false) => write!(formatter, "unreadable: `{}`", self.text),
        }
    }
}

fn parse(text: &str) -> Option<Release> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (major, rest) = text.split_once('.')?;
    let minor_end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (minor, suffix) = rest.split_at(minor_end);
    if !(suffix.is_empty() || suffix.starts_with(['.', '-', '+'])) {
        return None;
    }
    let release = Release::new(number(major)?, number(minor)?);
    let is_pre = suffix.split(['-', '.', '+']).any(|part| part == "pre");
    Some(if is_pre { release.previous() } else { release })
}

/// Digits only: `u16::from_str` would also take a sign.
fn number(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_gives_its_release() {
        let rows = [
            ("19.5.0-ee", Some((19, 5))),
            ("19.5.0", Some((19, 5))),
            ("19.4.1-jh.0", Some((19, 4))),
            ("17.3.1-ee.0", Some((17, 3))),
            ("16.11", Some((16, 11))),
            (" 18.9.0-ee\n", Some((18, 9))),
            ("v18.7.2", Some((18, 7))),
            ("19.5.0-pre", Some((19, 4))),
            ("19.5.0-pre-ee", Some((19, 4))),
            ("20.0.0-pre", Some((19, 11))),
            ("19.5.0-prefix", Some((19, 5))),
            ("19.5.0-rc42-ee", Some((19, 5))),
            ("", None),
            ("19", None),
            ("19.", None),
            (".5", None),
            ("+19.5", None),
            ("19.x", None),
            ("19.5ee", None),
            ("99999999.1", None),
            ("<html>", None),
        ];
        for (text, expected) in rows {
            let release = GitLabVersion::read(text).release();
            assert_eq!(release, expected.map(|(major, minor)| Release::new(major, minor)), "{text:?}");
        }
    }

    #[test]
    fn releases_compare_by_number_not_by_text() {
        assert!(Release::new(18, 11) > Release::new(18, 9));
        assert!(Release::new(18, 11) < Release::new(19, 0));
    }
}
