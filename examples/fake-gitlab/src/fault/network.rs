//! Faults of the network: silence, closed connections, and gateways that lose an answer.

use super::effect::Effect;
use super::matching::Fault;
use std::time::Duration;

impl Fault {
    /// No answer comes until the client goes. Not executed, unless [`Fault::executed`] is added.
    pub fn hang() -> Self {
        Self::new("hang", Effect::Hang)
    }

    /// The connection is reset before anything of the request is read; it is not in the log.
    ///
    /// Only method and path can be matched.
    pub fn close_before_reading() -> Self {
        Self::new("close before reading", Effect::BeforeReading)
    }

    /// The connection is closed after the whole request was read. Not executed.
    pub fn close() -> Self {
        Self::new("close", Effect::Close)
    }

    /// The connection is reset after the whole request was read. Not executed.
    pub fn reset() -> Self {
        Self::new("reset", Effect::Reset)
    }

    /// The real answer comes after that time. This one waits in real time.
    pub fn delay(time: Duration) -> Self {
        Self::new("delay", Effect::Delay(time))
    }

    /// GitLab does what was asked, and the connection is lost before the answer.
    pub fn executed_then_close() -> Self {
        Self::close().executed()
    }

    /// GitLab does what was asked, and no answer comes.
    pub fn executed_then_hang() -> Self {
        Self::hang().executed()
    }

    /// GitLab does what was asked, and a gateway answers 502.
    pub fn executed_then_502() -> Self {
        Self::html_502().executed()
    }

    /// The answer is announced in full, breaks off after that many bytes, and the connection closes.
    pub fn cut_body(keep: usize) -> Self {
        Self::new("cut body", Effect::Cut(keep))
    }

    /// The answer is announced in full, and nothing comes after that many bytes.
    pub fn stalled_body(keep: usize) -> Self {
        Self::new("stalled body", Effect::Stall(keep))
    }

    /// The real answer comes in pieces of that many bytes, with a pause before each.
    pub fn trickle(piece: usize, pause: Duration) -> Self {
        Self::new("trickle", Effect::Trickle { piece, pause })
    }
}
