//! GitLab versions: the text an instance reports, and the release whose rules are played.

use std::fmt;

/// A version as `/metadata` prints it, with the release whose behaviour it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    text: String,
    reported: (u32, u32, u32),
    played: (u32, u32),
}

impl Version {
    /// Reads texts such as `19.5.0-ee`, `19.5.0-pre` and `18.9`; what is missing counts as zero.
    ///
    /// A `-pre` build of a minor release lies before that release, so it plays the one before.
    pub fn parse(text: &str) -> Self {
        let mut numbers = text.split(['.', '-', '+']).map(|part| part.parse::<u32>().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        let reported = (next(), next(), next());
        let played = if text.contains("-pre") { before(reported) } else { (reported.0, reported.1) };
        Self { text: text.to_owned(), reported, played }
    }

    /// Plays another release than the text says.
    #[must_use]
    pub fn playing(mut self, major: u32, minor: u32) -> Self {
        self.played = (major, minor);
        self
    }

    /// Whether the played release is this one or a later one.
    pub fn at_least(&self, major: u32, minor: u32) -> bool {
        self.played >= (major, minor)
    }

    /// The played release.
    pub fn played(&self) -> (u32, u32) {
        self.played
    }

    /// Whether a `@gl_introduced` tag names something newer than the reported version.
    pub fn is_older_than_tag(&self, tag: &str) -> bool {
        Self::parse(tag).reported > self.reported
    }

    /// The three numbers without suffix, as the agent server reports them.
    pub fn numbers(&self) -> String {
        let (major, minor, patch) = self.reported;
        format!("{major}.{minor}.{patch}")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn before((major, minor, _): (u32, u32, u32)) -> (u32, u32) {
    // The last minor of every major is 11: GitLab releases monthly and counts up in May.
    if minor == 0 { (major.saturating_sub(1), 11) } else { (major, minor - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prerelease_plays_the_release_before() {
        assert_eq!(Version::parse("19.5.0-pre").played(), (19, 4));
        assert_eq!(Version::parse("19.0.0-pre").played(), (18, 11));
        assert_eq!(Version::parse("19.4.1-ee").played(), (19, 4));
        assert_eq!(Version::parse("19.5.0-pre").playing(19, 5).played(), (19, 5));
    }

    #[test]
    fn tags_compare_with_the_reported_numbers() {
        assert!(Version::parse("19.3.2-ee").is_older_than_tag("19.4.0"));
        assert!(!Version::parse("19.4.0-pre").is_older_than_tag("19.4.0"));
    }
}
