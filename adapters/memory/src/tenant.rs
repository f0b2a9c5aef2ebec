//! A tenant: its newest state and the queue of its writers.

use std::sync::{Arc, Mutex, PoisonError};

use crate::state::State;
use crate::writer_queue::WriterQueue;

/// The data of one tenant.
pub(crate) struct Tenant {
    newest: Mutex<Arc<State>>,
    /// Its writers, one at a time.
    pub(crate) queue: Arc<WriterQueue>,
}

impl Tenant {
    pub(crate) fn new(state: State) -> Self {
        Self { newest: Mutex::new(Arc::new(state)), queue: Arc::default() }
    }

    /// A copy of the newest state, which later writes do not change.
    pub(crate) fn newest(&self) -> State {
        let newest = Arc::clone(&self.newest.lock().unwrap_or_else(PoisonError::into_inner));
        State::clone(&newest)
    }

    /// Makes a state the newest.
    pub(crate) fn publish(&self, state: State) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }
}
