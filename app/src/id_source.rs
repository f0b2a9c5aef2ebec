//! Identifiers from the system's randomness.

use std::sync::Mutex;

use domain::Timestamp;
use ports::id_source::Ids;
use uuid::{ContextV7, Uuid};

/// Identifiers from the system's randomness. Those of version 7 sort in the order they were made, within one
/// millisecond and when the clock goes back too.
#[derive(Debug)]
pub struct SystemIds {
    sequence: Mutex<ContextV7>,
}

impl SystemIds {
    /// A source whose sequence begins at random.
    #[must_use]
    pub const fn new() -> Self {
        Self { sequence: Mutex::new(ContextV7::new()) }
    }
}

impl Default for SystemIds {
    fn default() -> Self {
        Self::new()
    }
}

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "the one place where ids are made up")]
    fn next(&self, now: Timestamp) -> Uuid {
        let at = now.instant();
        let seconds = u64::try_from(at.unix_timestamp()).unwrap_or_default(); // before 1970: UUIDs know no such time
        Uuid::new_v7(uuid::Timestamp::from_unix(&self.sequence, seconds, at.nanosecond()))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place where ids are made up")]
    fn random(&self) -> Uuid {
        Uuid::new_v4()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).unwrap()
    }

    #[test]
    fn later_ids_sort_behind_within_a_millisecond_and_when_the_clock_goes_back() {
        let ids = SystemIds::new();
        let made: Vec<_> = [5_000, 5_000, 5_000, 5_001, 4_000, 4_000, 6_000].map(|millis| ids.next(at(millis))).into();
        assert!(made.is_sorted());
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn an_id_carries_the_moment_of_its_record() {
        let id = SystemIds::new().next(at(1_700_000_000_123));
        assert_eq!(id.get_timestamp().unwrap().to_unix(), (1_700_000_000, 123_000_000));
    }

    #[test]
    fn a_moment_before_1970_still_makes_an_id() {
        assert_eq!(SystemIds::new().next(at(-1)).get_version_num(), 7);
    }

    #[test]
    fn random_ids_are_of_version_4() {
        let ids = SystemIds::new();
        assert_eq!(ids.random().get_version_num(), 4);
        assert_ne!(ids.random(), ids.random());
    }
}
