//! A type for every id, so that a consumer id and a catalog item id never meet.

use std::fmt;
use std::num::NonZeroU64;

/// Why a text is not an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnId {
    what: &'static str,
    given: String,
}

impl fmt::Display for NotAnId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, given } = self;
        write!(formatter, "`{given}` is not a {what} id: a positive whole number is needed")
    }
}

impl std::error::Error for NotAnId {}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU64);

        impl $name {
            /// The id with this number; none for 0 and for numbers beyond 64 signed bits, which
            /// GitLab never gives.
            #[must_use]
            pub const fn new(number: u64) -> Option<Self> {
                if number > i64::MAX.unsigned_abs() {
                    return None;
                }
                match NonZeroU64::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// Reads digits, or a global id of GitLab (`gid://gitlab/Class/1`), of which the number
            /// is taken. Blanks around it are ignored.
            ///
            /// # Errors
            /// [`NotAnId`] for anything else.
            pub fn parse(text: &str) -> Result<Self, NotAnId> {
                let text = text.trim();
                let digits = match text.strip_prefix("gid://gitlab/") {
                    Some(rest) => rest.rsplit_once('/').map_or("", |(_, number)| number),
                    None => text,
                };
                let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                is_number
                    .then(|| digits.parse().ok())
                    .flatten()
                    .and_then(Self::new)
                    .ok_or_else(|| NotAnId { what: $what, given: crate::rules::clip::clip(text, 60).text })
            }

            /// The number.
            #[must_use]
            pub fn number(self) -> u64 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    };
}

id!(
    /// The id of a session (GitLab's code says *workflow*).
    ///
    /// ```
    /// use gitlab_duo_core::model::ids::WorkflowId;
    ///
    /// assert_eq!(WorkflowId::parse("73")?.number(), 73);
    /// assert_eq!(WorkflowId::parse("gid://gitlab/Ai::DuoWorkflows::Workflow/73")?.number(), 73);
    /// assert!(WorkflowId::parse("null").is_err());
    /// # Ok::<(), gitlab_duo_core::model::ids::NotAnId>(())
    /// ```
    WorkflowId,
    "session"
);
id!(
    /// The id of a consumer: a catalog item enabled in a project or group. Never the item's own id.
    ConsumerId,
    "consumer"
);
id!(
    /// The id of a catalog item, wherever it is enabled. GitLab starts nothing by it: the consumer of
    /// a project is looked up by it first.
    CatalogItemId,
    "catalog item"
);
id!(
    /// The numeric id of a project.
    ProjectId,
    "project"
);
id!(
    /// The id of a pipeline, as in its URL.
    PipelineId,
    "pipeline"
);
id!(
    /// The number of a merge request within its project, as in its URL.
    MergeRequestIid,
    "merge request"
);
id!(
    /// The id of a user.
    UserId,
    "user"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_whole_numbers_of_64_signed_bits_are_ids() {
        let rows = [
            ("73", Some(73)),
            (" 73 ", Some(73)),
            ("0073", Some(73)),
            ("9007199254740993", Some(9_007_199_254_740_993)),
            ("9223372036854775807", Some(9_223_372_036_854_775_807)),
            ("9223372036854775808", None),
            ("99999999999999999999", None),
            ("gid://gitlab/Ai::Catalog::ItemConsumer/91", Some(91)),
            ("gid://gitlab/AiCatalogItemConsumer/91", Some(91)),
            ("gid://gitlab/Ai::Catalog::ItemConsumer/-3", None),
            ("gid://gitlab/91", None),
            ("0", None),
            ("-1", None),
            ("+1", None),
            ("1.0", None),
            ("1e3", None),
            ("", None),
            ("null", None),
        ];
        for (text, expected) in rows {
            assert_eq!(ConsumerId::parse(text).ok().map(ConsumerId::number), expected, "{text:?}");
        }
    }
}
