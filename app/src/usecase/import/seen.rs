//! Which activities the rows of an import are about so far, so that a second row about the same one is found.
//!
//! Remembered are 96 bits of a digest and the line: 20 to 39 bytes for each key, however long syncIds are. Two of ten million
//! syncIds have the same 96 bits once in 10^15 files.

use std::array;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;

use domain::{Activity, ActivityId, Digest, SyncId};

/// What an activity is found by: the first bits of the digest of its syncId or its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u32; 3]);

/// How many bits of a key say which map it is in.
const MAP_BITS: u32 = 6;

/// The lines of an import's activities.
#[derive(Debug)]
pub(super) struct Seen {
    /// The line of each key; lines beyond 32 bits are taken for the last. A map that grows is in memory twice: there are
    /// several, by the first bits of the key, of which one grows at a time.
    lines: [HashMap<Key, u32>; 1 << MAP_BITS],
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

    /// Which map it is in.
    const fn map(self) -> usize {
        (self.0[0] >> (u32::BITS - MAP_BITS)) as usize
    }

    fn of_sync_id(sync_id: &SyncId) -> Self {
        Self::of(&format!("syncId {sync_id}"))
    }

    pub(super) fn of_id(id: ActivityId) -> Self {
        Self::of(&format!("uuid {id}"))
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self { lines: array::from_fn(|_| HashMap::new()), noted: Vec::new() }
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
            self.lines[key.map()].remove(key);
        }
    }

    /// Notes the keys of a row; the first line of an earlier row that has one of them.
    pub(super) fn note(&mut self, keys: &[Key], line: u64) -> Option<u64> {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let mut earlier: Option<u32> = None;
        for key in keys {
            match self.lines[key.map()].entry(*key) {
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
    fn keys_are_in_maps_that_grow_one_at_a_time() {
        let mut seen = Seen::default();
        let mut grown = 0;
        for number in 0..20_000 {
            let before = seen.lines.each_ref().map(HashMap::capacity);
            seen.note(&keys(&number.to_string()), 1);
            let after = seen.lines.each_ref().map(HashMap::capacity);
            grown = grown.max(after.iter().zip(before).map(|(after, before)| after - before).sum());
        }
        let capacity: usize = seen.lines.iter().map(HashMap::capacity).sum();
        assert!(capacity >= 20_000 && grown < capacity / 32, "grew by {grown} to {capacity}");
    }

    #[test]
    fn a_key_takes_16_bytes_with_its_line() {
        assert_eq!(size_of::<(Key, u32)>(), 16);
    }
}
