//! Waiting for a store that is busy: an import has time, and an end half-way costs more than waiting.

use std::time::{Duration, Instant};

use ports::store::StoreError;

/// How long an import waits for a store that is busy: longer than many others take that wait for their turns as well.
const PATIENCE: Duration = Duration::from_mins(5);
/// How long a store that refuses at once is left alone before the next try.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a store has been waited for.
pub(super) struct Patience(Instant);

impl Patience {
    /// From now on.
    pub(super) fn new() -> Self {
        Self(Instant::now())
    }

    /// After an attempt: whether there is to be another one, and the pause before it. A store waits by itself before it
    /// says that it is busy.
    pub(super) async fn allows_another(&self, error: Option<&StoreError>) -> bool {
        let allows = matches!(error, Some(StoreError::Busy(_))) && self.0.elapsed() < PATIENCE;
        if allows {
            tokio::time::sleep(PAUSE).await;
        }
        allows
    }
}
