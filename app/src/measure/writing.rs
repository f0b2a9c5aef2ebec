//! Changes that are being written, one by one, from their beginning to their end.

use std::time::Instant;

use metrics::{counter, gauge, histogram};
use ports::metric;
use ports::store::StoreError;

/// A change that is being written, or waits for its turn.
pub(super) struct Writing(Instant);

impl Writing {
    pub(super) fn begin() -> Self {
        gauge!(metric::WRITERS.name).increment(1.0);
        Self(Instant::now())
    }

    /// Notes how it ended.
    pub(super) fn end<T>(&self, ended: &Result<T, StoreError>) {
        let outcome = match ended {
            Ok(_) => "done",
            Err(StoreError::Conflict(_)) => "conflict",
            Err(StoreError::Stale) => "stale",
            Err(StoreError::Corrupt { .. }) => "corrupt",
            Err(StoreError::Busy(_)) => "busy",
            Err(StoreError::Unknown(_)) => "unknown",
            Err(StoreError::Failed(_)) => "failed",
        };
        counter!(metric::WRITES.name, "outcome" => outcome).increment(1);
        if ended.is_ok() {
            histogram!(metric::WRITE_DURATION.name).record(self.0.elapsed());
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        gauge!(metric::WRITERS.name).decrement(1.0);
    }
}
