//! Time as it passes outside of tests.

use std::time::Duration;

use async_trait::async_trait;
use gitlab_duo_core::actions::wait_session::Patience;
use jiff::Timestamp;

/// The clock of this machine and the sleep of tokio. Pausing needs a tokio runtime with time switched on.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealTime;

#[async_trait]
impl Patience for RealTime {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}
