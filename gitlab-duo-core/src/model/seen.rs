//! What a person has seen before deciding, as a short mark: a decision counts for that and nothing else.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::model::checkpoint::Checkpoint;
use crate::model::ids::WorkflowId;

/// Bytes of a mark that are written out: enough that nobody finds another text with the same one.
const MARK_BYTES: usize = 16;

/// The mark of what a person has seen. Equal marks mean equal contents, in every process: it may
/// travel to a client and come back to another replica.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seen(String);

impl Seen {
    /// The mark of a checkpoint of a session: its kind, its words, every pending call in full, and
    /// how far the history had come, so that the same question asked twice is not the same.
    #[must_use]
    pub fn checkpoint(id: WorkflowId, checkpoint: &Checkpoint, messages: Option<usize>) -> Self {
        let mut parts = vec![
            "checkpoint".to_owned(),
            id.to_string(),
            checkpoint.kind.name().to_owned(),
            format!("{messages:?}"),
            checkpoint.question.clone().unwrap_or_default(),
            checkpoint.plan.clone().unwrap_or_default(),
        ];
        for call in checkpoint.tool_calls.iter().flatten() {
            parts.extend([call.name.clone(), call.arguments.to_string()]);
        }
        Self::of(&parts)
    }

    /// The mark of texts in this order.
    pub(crate) fn of(parts: &[String]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            // The length keeps two texts from running into one.
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hasher.finalize().iter().take(MARK_BYTES).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Reads a mark as it was written out; none for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_mark = text.len() == 2 * MARK_BYTES
            && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        is_mark.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Seen({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::checkpoint::{Answerable, CheckpointKind};
    use crate::model::session::ToolCall;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            kind: CheckpointKind::ToolCallApproval,
            answerable: Answerable::Yes,
            question: Some("May I?".to_owned()),
            plan: None,
            tool_calls: Some(vec![ToolCall {
                name: "run_command".to_owned(),
                arguments: json!({"program": "ls"}),
            }]),
        }
    }

    fn seen(checkpoint: &Checkpoint) -> Seen {
        Seen::checkpoint(WorkflowId::new(73).unwrap(), checkpoint, Some(4))
    }

    #[test]
    fn whatever_is_shown_changes_the_mark() {
        let mark = seen(&checkpoint());
        assert_eq!(mark, seen(&checkpoint()));
        let call = |name: &str, arguments| Some(vec![ToolCall { name: name.to_owned(), arguments }]);
        let rows = [
            Checkpoint { question: Some("May I??".to_owned()), ..checkpoint() },
            Checkpoint { question: None, plan: Some("May I?".to_owned()), ..checkpoint() },
            Checkpoint { kind: CheckpointKind::Input, ..checkpoint() },
            Checkpoint { tool_calls: call("run_command", json!({"program": "rm"})), ..checkpoint() },
            Checkpoint { tool_calls: call("run", json!({"program": "ls"})), ..checkpoint() },
            Checkpoint { tool_calls: None, ..checkpoint() },
        ];
        for row in rows {
            assert_ne!(seen(&row), mark, "{row:?}");
        }
        assert_ne!(Seen::checkpoint(WorkflowId::new(74).unwrap(), &checkpoint(), Some(4)), mark);
        assert_ne!(Seen::checkpoint(WorkflowId::new(73).unwrap(), &checkpoint(), Some(5)), mark);
        // Whether it can be answered is no part of what is answered.
        assert_eq!(seen(&Checkpoint { answerable: Answerable::Unknown, ..checkpoint() }), mark);
    }

    #[test]
    fn texts_do_not_run_into_one_another() {
        let of = |parts: &[&str]| Seen::of(&parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>());
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let mark = seen(&checkpoint());
        assert_eq!(Seen::parse(&mark.to_string()), Some(mark));
        for odd in ["", "00", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
            assert_eq!(Seen::parse(odd), None, "{odd}");
        }
    }
}
