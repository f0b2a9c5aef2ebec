//! The first answers of a tenant, by their keys and by their age.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::Timestamp;
use ports::repeat::{RequestKey, StoredAnswer, outdated_before};

/// The first answers of a tenant.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    by_key: BTreeMap<RequestKey, (Timestamp, Arc<StoredAnswer>)>,
    /// The same by their age.
    by_time: BTreeSet<(Timestamp, RequestKey)>,
}

impl Answers {
    /// The answer under the key, if it is not outdated.
    pub(crate) fn find(&self, key: RequestKey, now: Timestamp) -> Option<&Arc<StoredAnswer>> {
        self.by_key.get(&key).filter(|(at, _)| *at > outdated_before(now)).map(|(_, answer)| answer)
    }

    /// Puts an answer of that moment in the place of any before.
    pub(crate) fn put(&mut self, key: RequestKey, at: Timestamp, answer: StoredAnswer) {
        if let Some((before, _)) = self.by_key.insert(key, (at, Arc::new(answer))) {
            self.by_time.remove(&(before, key));
        }
        self.by_time.insert((at, key));
    }

    /// How many are outdated.
    pub(crate) fn count_outdated(&self, now: Timestamp) -> u64 {
        self.by_time.iter().take_while(|(at, _)| *at <= outdated_before(now)).count() as u64
    }

    /// Removes those that are outdated, at most so many, and gives how many.
    pub(crate) fn sweep(&mut self, now: Timestamp, most: u32) -> u64 {
        let mut removed = 0;
        for _ in 0..most {
            let Some((at, key)) = self.by_time.first().copied().filter(|(at, _)| *at <= outdated_before(now)) else {
                break;
            };
            self.by_time.remove(&(at, key));
            self.by_key.remove(&key);
            removed += 1;
        }
        removed
    }
}
