//! Time, passed in: what it is, and how it passes.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;

/// Tells the present time; passed in so that tests decide it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Lets time pass between two looks of a wait; passed in so that a test, or a GitLab whose clock
/// can be moved, need not wait.
pub type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// Real time.
pub(super) fn real_pause() -> Pause {
    Arc::new(|time| tokio::time::sleep(time).boxed())
}
