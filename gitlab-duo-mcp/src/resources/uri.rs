//! The address of a resource.

use std::fmt;

use gitlab_duo_core::model::error::{DuoError, ErrorKind};
use gitlab_duo_core::model::ids::WorkflowId;

use crate::arguments::loose::echo;

const SESSIONS: &str = "duo://sessions/";
const TRANSCRIPT: &str = "/transcript";

/// A resource: a session, or its transcript. Each has exactly one spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResourceUri {
    pub(crate) workflow_id: WorkflowId,
    pub(crate) part: Part,
}

/// What of a session is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Session,
    Transcript,
}

impl ResourceUri {
    /// Reads an address.
    ///
    /// # Errors
    /// `not_found` for anything that is no address of ours.
    pub(crate) fn parse(text: &str) -> Result<Self, DuoError> {
        let rest = text.strip_prefix(SESSIONS).unwrap_or_default();
        let (id, part) = match rest.strip_suffix(TRANSCRIPT) {
            Some(id) => (id, Part::Transcript),
            None => (rest, Part::Session),
        };
        let workflow_id = WorkflowId::parse(id).ok();
        let uri = workflow_id.map(|workflow_id| Self { workflow_id, part });
        // One spelling each, so that a client's two names are never one resource here.
        uri.filter(|uri| uri.to_string() == text).ok_or_else(|| unknown(text))
    }
}

impl fmt::Display for ResourceUri {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workflow_id, part } = self;
        match part {
            Part::Session => write!(formatter, "{SESSIONS}{workflow_id}"),
            Part::Transcript => write!(formatter, "{SESSIONS}{workflow_id}{TRANSCRIPT}"),
        }
    }
}

fn unknown(text: &str) -> DuoError {
    DuoError::new(ErrorKind::NotFound, format!("there is no resource {}", echo(text))).with_next_step(
        "read `duo://sessions/73` or `duo://sessions/73/transcript`, with the id of a session",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_has_one_spelling() {
        let rows = [
            ("duo://sessions/73", Some((73, Part::Session))),
            ("duo://sessions/73/transcript", Some((73, Part::Transcript))),
            ("duo://sessions/9223372036854775807", Some((9_223_372_036_854_775_807, Part::Session))),
            ("duo://sessions/073", None),
            ("duo://sessions/ 73", None),
            ("duo://sessions/0", None),
            ("duo://sessions/73/", None),
            ("duo://sessions/73/messages", None),
            ("duo://sessions/73/transcript/transcript", None),
            ("duo://sessions/gid://gitlab/Ai::DuoWorkflows::Workflow/73", None),
            ("duo://sessions/{workflow_id}", None),
            ("duo://sessions/", None),
            ("duo://sessions", None),
            ("DUO://sessions/73", None),
            ("https://git.example.test/73", None),
            ("73", None),
            ("", None),
        ];
        for (text, expected) in rows {
            let parsed = ResourceUri::parse(text);
            assert_eq!(
                parsed.as_ref().ok().map(|uri| (uri.workflow_id.number(), uri.part)),
                expected,
                "{text:?}"
            );
            if let Err(refusal) = parsed {
                assert_eq!(refusal.kind, ErrorKind::NotFound, "{text:?}");
            }
        }
    }
}
