//! Whose turn it is, where more wait than are served at once.

use std::collections::HashMap;
use std::hash::Hash;

/// How many turns are remembered; then all are forgotten.
const MOST: usize = 100_000;

/// Who had a turn when, by the number of the turn.
#[derive(Debug)]
pub(super) struct Turns<K> {
    last: HashMap<K, u64>,
    count: u64,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self { last: HashMap::new(), count: 0 }
    }
}

impl<K: Copy + Eq + Hash> Turns<K> {
    /// Puts those first that had no turn yet, in the order in which they are, then those whose turn was longest ago.
    pub(super) fn order<T>(&self, waiting: &mut [T], key: impl Fn(&T) -> K) {
        waiting.sort_by_key(|one| self.last.get(&key(one)).copied());
    }

    /// Notes that it has a turn now.
    pub(super) fn take(&mut self, key: K) {
        if self.last.len() >= MOST && !self.last.contains_key(&key) {
            self.last.clear();
        }
        self.count += 1;
        self.last.insert(key, self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_longest_for_a_turn_comes_first() {
        let mut turns = Turns::default();
        for key in [3, 1, 2, 3] {
            turns.take(key);
        }
        let mut waiting = [1, 2, 3, 5, 4];
        turns.order(&mut waiting, |key| *key);
        assert_eq!(waiting, [5, 4, 1, 2, 3]);
    }
}
