//! The present time, passed in.

use std::sync::Arc;

use jiff::Timestamp;

/// Tells the present time; passed in so that tests decide it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
