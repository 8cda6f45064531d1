//! Time, passed in: what it is, and how it passes.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;

use crate::looks::Elapsed;

/// Tells the present time; passed in so that tests decide it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Lets time pass between two looks of a wait; passed in so that a test, or a GitLab whose clock
/// can be moved, need not wait.
pub type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// Real time.
pub(super) fn real_pause() -> Pause {
    Arc::new(|time| tokio::time::sleep(time).boxed())
}

/// Real time since now.
pub(super) fn real_elapsed() -> Elapsed {
    let begin = tokio::time::Instant::now();
    Arc::new(move || begin.elapsed())
}

/// The time that a clock shows since now.
pub(super) fn elapsed_by(clock: Clock) -> Elapsed {
    let begin = clock();
    Arc::new(move || Duration::try_from(clock().duration_since(begin)).unwrap_or_default())
}
