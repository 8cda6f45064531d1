//! Every bound of the product, once, with its unit in its name.

/// One bound, for tables.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Its name; the last word is its unit.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// What it bounds and what happens at the edge.
    pub bounds: &'static str,
}

/// Makes the constants and the table of them, so that no bound is missing there.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr;)+) => {
        $($(#[doc = $doc])+ pub const $name: $type = $value;)+

        /// Every bound, in the order of this file.
        pub const LIMITS: &[Limit] =
            &[$(Limit { name: stringify!($name), value: $value as u64, bounds: concat!($($doc),+) }),+];
    };
}

limits! {
    /// Characters of a goal in a list row or a session; the rest is cut and said so.
    GOAL_PREVIEW_CHARS: usize = 160;
    /// Characters of a catalog description; the rest is cut and said so.
    DESCRIPTION_CHARS: usize = 120;
    /// Characters of a name or title that GitLab sends.
    TITLE_CHARS: usize = 200;
    /// Characters of a link that GitLab sends; a longer one is cut and said so.
    LINK_CHARS: usize = 1_000;
    /// Characters of a project's or group's path; a longer text names none.
    PATH_CHARS: usize = 1_000;
    /// Characters of a session's summary.
    SUMMARY_CHARS: usize = 1_000;
    /// Characters of the latest agent answer.
    ANSWER_CHARS: usize = 4_000;
    /// Characters of the question or plan that waits for a person.
    QUESTION_CHARS: usize = 4_000;
    /// Characters of a failure reason.
    FAILURE_CHARS: usize = 1_000;
    /// Characters of a created note.
    NOTE_CHARS: usize = 160;
    /// Created objects of one kind in a result; `has_more` says that there are others.
    CREATED_ITEMS: usize = 20;
    /// Links to job logs in a result, newest first.
    JOB_LOGS: usize = 10;
    /// Characters for the arguments of one pending tool call.
    TOOL_CALL_CHARS: usize = 2_000;
    /// Characters for the arguments of all pending tool calls together; they share it evenly.
    TOOL_CALLS_CHARS: usize = 16_000;
    /// Pending tool calls shown with name and arguments; more are counted in `tool_calls_not_shown`.
    TOOL_CALLS: usize = 50;
    /// Characters of GitLab's own words beside an error.
    GITLAB_MESSAGE_CHARS: usize = 500;
    /// Characters of a message to a waiting session. GitLab refuses longer ones (Grape `limit`, 19.3).
    HUMAN_MESSAGE_CHARS: usize = 2_000;
    /// Characters of a goal below 19.5 (GitLab's model validation).
    SHORT_GOAL_CHARS: usize = 16_384;
    /// Characters of a goal from 19.5 on.
    LONG_GOAL_CHARS: usize = 65_536;
    /// Bytes of a goal from 19.5 on.
    LONG_GOAL_BYTES: usize = 127 * 1_024;
    /// Rows of a page when the caller names no number.
    PAGE_ROWS: u32 = 20;
    /// Most rows of a page. GitLab clamps larger numbers silently; here they are refused.
    PAGE_ROWS_MAX: u32 = 100;
    /// Bytes of one answer of GitLab, counted after unpacking; beyond them it is `too_large`.
    RESPONSE_BYTES: usize = 4 * 1_024 * 1_024;
    /// REST requests to find branch and context of a URL; one more and the start is refused.
    TARGET_LOOKUPS: u32 = 10;
    /// Pages of the caller's own sessions read to find one where GitLab has no look-up by id.
    WALK_PAGES: u32 = 5;
    /// Rows of such a page.
    WALK_PAGE_ROWS: u32 = 100;
    /// Pages of enabled flows read to name what a project offers.
    OFFER_PAGES: u32 = 3;
    /// Flows named in a refusal.
    OFFERED_NAMES: usize = 12;
    /// Seconds until the next look at a session whose CI job has not started.
    POLL_CREATED_SECONDS: u32 = 120;
    /// Seconds until the next look at a running session.
    POLL_RUNNING_SECONDS: u32 = 30;
    /// Characters of one message of a transcript.
    MESSAGE_CHARS: usize = 2_000;
    /// Characters for the messages of one page of a transcript together; they share it evenly.
    TRANSCRIPT_CHARS: usize = 20_000;
    /// Seconds that a read may wait for a change at most.
    WAIT_SECONDS_MAX: u64 = 300;
    /// Seconds between two looks of a waiting read at least; the pause grows from there.
    WAIT_STEP_SECONDS: u64 = 5;
    /// Seconds between two looks of a waiting read at most.
    WAIT_STEP_SECONDS_MAX: u64 = 30;
    /// Seconds between two looks of a watcher at most, when nothing tells when to look again.
    WATCH_STEP_SECONDS_MAX: u64 = 120;
    /// Looks of a watcher that may fail in passing, one after the other; the next failure ends it.
    WATCH_FAILURES: u32 = 5;
    /// Pages that one stream reads at most; a longer list ends it with an error.
    STREAM_PAGES: u32 = 100;
    /// Characters of one message of a whole transcript, and of the arguments of its tool call.
    WHOLE_MESSAGE_CHARS: usize = 100_000;
    /// Minutes within which the same start counts as a duplicate.
    DUPLICATE_MINUTES: i64 = 10;
    /// Own sessions looked at for a duplicate, newest first.
    DUPLICATE_ROWS: u32 = 50;
    /// Minutes in `created` after which the usual causes are named.
    SLOW_START_MINUTES: i64 = 5;
    /// Times a read is repeated after a passing failure.
    READ_RETRIES: u32 = 2;
    /// Seconds a read waits at most when GitLab says when to come back.
    RETRY_WAIT_SECONDS: u64 = 10;
}
