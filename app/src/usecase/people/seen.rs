//! When sessions were last seen: noted at most once a minute each, and written without letting anybody wait.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use ports::people::People;
use ports::{Grant, Installation, SessionId};
use tokio::runtime::Handle;

use crate::usecase::access::SYSTEM;

const MINUTE_MS: i64 = 60_000;

/// Sessions whose last sight is remembered; with more, some are noted more often than once a minute.
const MOST: usize = 10_000;

/// Notes when sessions are seen and writes it to the directory.
pub(super) struct SeenSessions {
    people: Arc<dyn People>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    noted: HashMap<SessionId, Timestamp>,
    waiting: HashMap<SessionId, Timestamp>,
    /// Whether a task is writing what waits.
    writing: bool,
}

impl SeenSessions {
    pub(super) fn new(people: Arc<dyn People>) -> Self {
        Self { people, state: Mutex::default() }
    }

    /// Notes that a session was seen, unless that was noted within the minute. Does not wait.
    pub(super) fn note(self: &Arc<Self>, session: SessionId, now: Timestamp) {
        let mut state = self.state();
        let recent = |at: &Timestamp| (0..MINUTE_MS).contains(&now.millis().saturating_sub(at.millis()));
        if state.noted.get(&session).is_some_and(recent) {
            return;
        }
        if state.noted.len() >= MOST {
            state.noted.retain(|_, at| recent(at));
        }
        if state.noted.len() >= MOST {
            state.noted.clear();
        }
        state.noted.insert(session, now);
        if state.waiting.len() < MOST {
            state.waiting.insert(session, now);
        }
        if !state.writing
            && let Ok(runtime) = Handle::try_current()
        {
            state.writing = true;
            let seen = Arc::clone(self);
            runtime.spawn(async move { while seen.write().await {} });
        }
    }

    /// Writes what waits, and says whether there was anything. A failure loses it: the next sight is noted a minute later.
    pub(super) async fn write(&self) -> bool {
        let waiting: Vec<_> = {
            let mut state = self.state();
            state.writing = !state.waiting.is_empty();
            mem::take(&mut state.waiting).into_iter().collect()
        };
        if waiting.is_empty() {
            return false;
        }
        let grant = Grant::for_maintenance(Installation, SYSTEM);
        if let Err(error) = self.people.touch_sessions(&grant, &waiting).await {
            let cause: &dyn std::error::Error = &error;
            tracing::warn!(cause, "when sessions were last seen was not written");
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
