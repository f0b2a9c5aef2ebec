//! Which activities the rows of an import are about so far, so that a second row about the same one is found.
//!
//! Remembered are 96 bits of a digest and the line: some 17 to 34 bytes for each key, however long syncIds are. Two of ten
//! million syncIds have the same 96 bits once in 10^15 files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;

use domain::{Activity, ActivityId, Digest, SyncId};

/// What an activity is found by: the first bits of the digest of its syncId or its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u32; 3]);

/// The lines of an import's activities.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The line of each key; lines beyond 32 bits are taken for the last.
    lines: HashMap<Key, u32>,
    /// The keys of the rows of the batch under way.
    noted: Vec<Key>,
}

impl Key {
    fn of(text: &str) -> Self {
        let digest = Digest::of(text.as_bytes());
        let word = |at: usize| {
            let bytes = digest.as_bytes();
            u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Self([word(0), word(4), word(8)])
    }

    fn of_sync_id(sync_id: &SyncId) -> Self {
        Self::of(&format!("syncId {sync_id}"))
    }

    fn of_id(id: ActivityId) -> Self {
        Self::of(&format!("uuid {id}"))
    }
}

impl Seen {
    /// What a row with that syncId is found by, when it is about that activity: its own syncId, and the identifier and the
    /// syncId that the activity has.
    pub(super) fn keys(sync_id: Option<&SyncId>, known: Option<&Activity>) -> Vec<Key> {
        let had = known.and_then(|known| known.sync_id.as_ref()).filter(|had| Some(*had) != sync_id);
        let sync_ids = [sync_id, had].into_iter().flatten().map(Key::of_sync_id);
        sync_ids.chain(known.map(|known| Key::of_id(known.id))).collect()
    }

    /// The keys that were noted since the last call, to be forgotten should their rows be taken once more.
    pub(super) fn take_noted(&mut self) -> Vec<Key> {
        mem::take(&mut self.noted)
    }

    /// Forgets keys, whose rows are taken once more.
    pub(super) fn forget(&mut self, noted: &[Key]) {
        for key in noted {
            self.lines.remove(key);
        }
    }

    /// Notes the keys of a row; the first line of an earlier row that has one of them.
    pub(super) fn note(&mut self, keys: &[Key], line: u64) -> Option<u64> {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let mut earlier: Option<u32> = None;
        for key in keys {
            match self.lines.entry(*key) {
                Entry::Occupied(found) => earlier = Some(earlier.map_or(*found.get(), |line| line.min(*found.get()))),
                Entry::Vacant(free) => {
                    free.insert(line);
                    self.noted.push(*key);
                }
            }
        }
        earlier.map(u64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(sync_id: &str) -> Vec<Key> {
        Seen::keys(Some(&SyncId::parse(sync_id).unwrap()), None)
    }

    #[test]
    fn the_first_line_of_a_key_is_told() {
        let mut seen = Seen::default();
        assert_eq!(seen.note(&keys("a"), 2), None);
        assert_eq!(seen.note(&keys("b"), 3), None);
        assert_eq!(seen.note(&keys("a"), 4), Some(2));
        assert_eq!(seen.note(&[keys("b"), keys("a"), keys("c")].concat(), 5), Some(2));
        assert_eq!(seen.note(&keys("c"), 6), Some(5));
    }

    #[test]
    fn rows_that_are_taken_once_more_are_no_repeats_of_themselves() {
        let mut seen = Seen::default();
        seen.note(&keys("a"), 2);
        seen.take_noted();
        // One line may give several rows, of two batches.
        for (key, line) in [("b", 2), ("c", 3)] {
            seen.note(&keys(key), line);
        }
        let noted = seen.take_noted();
        seen.note(&keys("d"), 3);
        seen.forget(&noted);
        let again = ["a", "b", "c", "d"].map(|key| seen.note(&keys(key), 9));
        assert_eq!(again, [Some(2), None, None, Some(3)]);
    }

    #[test]
    fn a_key_takes_16_bytes_with_its_line() {
        assert_eq!(size_of::<(Key, u32)>(), 16);
    }
}
