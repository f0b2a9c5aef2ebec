//! When credentials were last used: noted at most once a minute each, and written without letting the caller wait.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use ports::directory::Directory;
use ports::{ClientId, Grant, Installation, KeyId};
use tokio::runtime::Handle;

use super::SYSTEM;

const MINUTE_MS: i64 = 60_000;

/// Credentials whose last use is remembered; with more, some are noted more often than once a minute.
const MOST: usize = 10_000;

/// A key or a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Credential {
    Key(KeyId),
    Client(ClientId),
}

/// Notes uses and writes them to the directory.
pub(super) struct Uses {
    directory: Arc<dyn Directory>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    noted: HashMap<Credential, Timestamp>,
    waiting: HashMap<Credential, Timestamp>,
    /// Whether a task is writing what waits.
    writing: bool,
}

impl Uses {
    pub(super) fn new(directory: Arc<dyn Directory>) -> Self {
        Self { directory, state: Mutex::default() }
    }

    /// Notes that a credential was used, unless that was noted within the minute. Does not wait.
    pub(super) fn note(self: &Arc<Self>, credential: Credential, now: Timestamp) {
        let mut state = self.state();
        let recent = |at: &Timestamp| (0..MINUTE_MS).contains(&now.millis().saturating_sub(at.millis()));
        if state.noted.get(&credential).is_some_and(recent) {
            return;
        }
        if state.noted.len() >= MOST {
            state.noted.retain(|_, at| recent(at));
        }
        if state.noted.len() >= MOST {
            state.noted.clear();
        }
        state.noted.insert(credential, now);
        if state.waiting.len() < MOST {
            state.waiting.insert(credential, now);
        }
        if !state.writing
            && let Ok(runtime) = Handle::try_current()
        {
            state.writing = true;
            let uses = Arc::clone(self);
            runtime.spawn(async move { while uses.write().await {} });
        }
    }

    /// Writes what waits, and says whether there was anything. A failure loses it: a last use is not worth a retry.
    pub(super) async fn write(&self) -> bool {
        let waiting = {
            let mut state = self.state();
            state.writing = !state.waiting.is_empty();
            mem::take(&mut state.waiting)
        };
        let (mut keys, mut clients) = (Vec::new(), Vec::new());
        for (credential, at) in waiting {
            match credential {
                Credential::Key(id) => keys.push((id, at)),
                Credential::Client(id) => clients.push((id, at)),
            }
        }
        if keys.is_empty() && clients.is_empty() {
            return false;
        }
        if let Err(error) = self.directory.touch(&Grant::for_maintenance(Installation, SYSTEM), &keys, &clients).await {
            let cause: &dyn std::error::Error = &error;
            tracing::warn!(cause, "the last use of credentials was not written");
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
