//! Whether others wait for the end of a transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::queue::Watch;

/// Sees whether others wait until a transaction ends.
#[derive(Clone, Debug)]
pub(super) struct Others {
    asks: Arc<AtomicUsize>,
    processes: Watch,
}

impl Others {
    /// Of those who are counted there, and of other processes.
    pub(super) const fn new(asks: Arc<AtomicUsize>, processes: Watch) -> Self {
        Self { asks, processes }
    }

    /// Whether anybody waits.
    pub(super) fn wait(&self) -> bool {
        self.asks.load(Ordering::Acquire) > 0 || self.processes.others_wait()
    }
}
