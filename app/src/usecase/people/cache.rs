//! What is known of sessions, bound to the directory's version: any change there makes all of it worthless.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Digest;
use ports::directory::Versioned;
use ports::people::{Session, User};

/// Sessions that are remembered, and texts that are none. Full, the sort is forgotten: it costs a look-up each.
const MOST: usize = 10_000;

/// A session as it was found, with its user.
pub(super) type Found = (Session, Versioned<User>);

/// The sessions seen lately.
#[derive(Default)]
pub(super) struct SessionCache {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    version: u64,
    known: HashMap<Digest, Found>,
    unknown: HashSet<Digest>,
}

impl SessionCache {
    /// What is known of a text at that version: `Some(None)` where it is no session.
    #[expect(clippy::option_option, reason = "not known and known to be none are two things")]
    pub(super) fn find(&self, hash: Digest, version: u64) -> Option<Option<Found>> {
        let mut state = self.state();
        if state.version != version {
            *state = State { version, ..State::default() };
            return None;
        }
        let known = state.known.get(&hash).cloned().map(Some);
        known.or_else(|| state.unknown.contains(&hash).then_some(None))
    }

    /// Remembers what was found at that version, unless the directory has moved on.
    pub(super) fn put(&self, hash: Digest, version: u64, found: Option<Found>) {
        let mut state = self.state();
        if state.version != version {
            return;
        }
        if let Some(found) = found {
            if state.known.len() >= MOST {
                state.known.clear();
            }
            state.known.insert(hash, found);
        } else {
            if state.unknown.len() >= MOST {
                state.unknown.clear();
            }
            state.unknown.insert(hash);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
