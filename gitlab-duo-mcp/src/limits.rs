//! Bounds of this adapter; those of the results' parts are core's.

use std::time::Duration;

/// Bytes of one tool result as it is sent; longer texts in it are cut further until it fits.
pub(crate) const RESULT_BYTES: usize = 48 * 1_024;
/// Bytes of the structured form of a refusal.
pub(crate) const ERROR_BYTES: usize = 8 * 1_024;
/// Bytes kept free beside the structured result for what MCP itself writes.
pub(crate) const ENVELOPE_BYTES: usize = 512;
/// Bytes of the readable text; rows beyond it are only in the structured result.
pub(crate) const TEXT_BYTES: usize = 6 * 1_024;
/// Bytes of a question to a person; what is beyond it is on the session's page, which is said.
pub(crate) const QUESTION_BYTES: usize = 24 * 1_024;
/// Bytes of all pending tool calls' arguments in a question, shared among them.
pub(crate) const QUESTION_CALLS_BYTES: usize = 10 * 1_024;
/// How often a person is asked in one call while what is pending keeps changing.
pub(crate) const QUESTIONS: usize = 3;
/// Characters of one line of ours, which may repeat what a caller sent.
pub(crate) const LINE_CHARS: usize = 1_000;
/// Characters of a foreign word or title inside a sentence.
pub(crate) const INLINE_CHARS: usize = 100;
/// Characters of a foreign text that is quoted as a block.
pub(crate) const QUOTE_CHARS: usize = 1_200;
/// Characters of a pending tool call's arguments in the readable text.
pub(crate) const CALL_CHARS: usize = 300;
/// Pending tool calls named in the readable text.
pub(crate) const CALLS_SHOWN: usize = 8;
/// Links to created objects in the readable text.
pub(crate) const LINKS_SHOWN: usize = 5;
/// Characters of an argument's name or value that a refusal repeats.
pub(crate) const ECHO_CHARS: usize = 60;
/// How long a call may take. Clients give up after about a minute, and then nobody learns anything.
pub(crate) const CALL: Duration = Duration::from_secs(50);
/// What a call needs beside its slowest request, when that may take longer than a call usually does.
pub(crate) const BESIDE_REQUEST: Duration = Duration::from_secs(10);
/// How long answers in flight may take after the client has closed its end.
pub(crate) const LAST_ANSWERS: Duration = Duration::from_millis(700);
/// Bytes of the body of an HTTP request; beyond them it is answered 413.
pub(crate) const HTTP_BODY_BYTES: usize = 4 * 1_024 * 1_024;
/// Bytes of a caller's token; nothing that GitLab issues is nearly as long.
pub(crate) const TOKEN_BYTES: usize = 8 * 1_024;
/// How long the answer to whether GitLab is there counts.
pub(crate) const READINESS: Duration = Duration::from_secs(10);
/// How long GitLab may take to answer whether it is there.
pub(crate) const READINESS_PROBE: Duration = Duration::from_secs(5);
/// Resources watched at once on one connection; one more is refused.
pub(crate) const SUBSCRIPTIONS: usize = 32;
/// Characters of a goal in a prompt. GitLab takes longer ones, but a prompt repeats it in one result.
pub(crate) const PROMPT_GOAL_CHARS: usize = 4_000;
/// Values of one completion: MCP allows no more.
pub(crate) const COMPLETION_VALUES: usize = 100;
/// Seconds that what completion has read may be used again, for the same caller.
pub(crate) const COMPLETION_SECONDS: i64 = 30;
/// What completion keeps at once, of all callers; the oldest goes first.
pub(crate) const COMPLETION_ENTRIES: usize = 64;
/// How long a completion may take: somebody is typing.
pub(crate) const COMPLETION: Duration = Duration::from_secs(10);
