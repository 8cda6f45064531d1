//! What a fault does.

use crate::wire::Answer;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What happens instead of the answer, or to it.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// This answer is sent.
    Answer(Answer),
    /// The real answer is sent, with more headers.
    AddHeaders(Vec<(String, String)>),
    /// The real answer is sent, changed.
    Edit(Edit),
    /// Nothing is sent until the client goes.
    Hang,
    /// The connection is closed before the request is read.
    BeforeReading,
    /// The connection is closed after the request was read.
    Close,
    /// The connection is reset after the request was read.
    Reset,
    /// The real answer is sent after that time.
    Delay(Duration),
    /// The real answer is announced in full, breaks off after these bytes, and the connection closes.
    Cut(usize),
    /// The real answer is announced in full, and nothing comes after these bytes.
    Stall(usize),
    /// So many bytes are announced, and so many MiB come after them.
    Surplus { announced: usize, mib: usize },
    /// That many MiB of blanks.
    Huge { status: u16, mib: usize, announced: bool },
    /// The real answer in small pieces.
    Trickle { piece: usize, pause: Duration },
}

impl Effect {
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Answer(answer) => Some(answer.status),
            Self::Surplus { .. } => Some(200),
            Self::Huge { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Whether it is about the real answer, so that there must be one.
    pub(crate) fn needs_real(&self) -> bool {
        matches!(
            self,
            Self::AddHeaders(_)
                | Self::Edit(_)
                | Self::Trickle { .. }
                | Self::Delay(_)
                | Self::Cut(_)
                | Self::Stall(_)
        )
    }
}

/// A change of a JSON body.
#[derive(Clone)]
pub(crate) struct Edit(pub(crate) Arc<dyn Fn(&mut Value) + Send + Sync>);

impl Edit {
    pub(crate) fn apply(&self, mut answer: Answer) -> Answer {
        let mut body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        (self.0)(&mut body);
        answer.body = body.to_string().into_bytes();
        answer
    }
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Edit")
    }
}
