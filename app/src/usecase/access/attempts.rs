//! Failed authentications at a tenant's address, bounded per pair of `client_id` or user's name and source: ten in any minute
//! are told that the secret is wrong, further ones to wait until a minute has passed. A client's right secret is never held back;
//! a password, which can be guessed, waits too.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use domain::{Digest, Timestamp};
use ports::TenantId;

/// Failures that are allowed in a minute.
const FAILURES: usize = 10;
const MINUTE_MS: i64 = 60_000;
/// Keys that are remembered: some 2 MiB.
const MOST_KEYS: usize = 10_000;
/// So many are forgotten at once where all have a failure in force, so that a flood pays for the look at all of them rarely.
const ROOM: usize = MOST_KEYS / 16;

/// What attempts are counted by: the digest of tenant, `client_id` and source, so that long texts cost no memory.
/// What fails at one tenant's address holds nobody back at another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::usecase) struct AttemptKey(Digest);

impl AttemptKey {
    pub(in crate::usecase) fn new(tenant: TenantId, client_id: &str, from: &str) -> Self {
        Self(Digest::of(format!("{tenant} {} {client_id} {from}", client_id.len()).as_bytes()))
    }

    /// All attempts from a source.
    pub(in crate::usecase) fn of_source(tenant: TenantId, from: &str) -> Self {
        Self(Digest::of(format!("{tenant} {from}").as_bytes()))
    }
}

/// Seconds until the next failure is told as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::usecase) struct TooMany(pub(in crate::usecase) u64);

/// The failures of the last minute. A success takes none of the others back: else one known secret would buy guesses at
/// others for ever.
pub(in crate::usecase) struct Attempts {
    failures: Mutex<HashMap<AttemptKey, VecDeque<i64>>>,
    allowed: usize,
}

impl Default for Attempts {
    fn default() -> Self {
        Self::allowing(FAILURES)
    }
}

impl Attempts {
    /// Allows so many failures in a minute.
    pub(in crate::usecase) fn allowing(allowed: usize) -> Self {
        Self { failures: Mutex::default(), allowed }
    }

    /// Notes a failure, unless there were too many by now: of attempts made at once, as many fail as the bound allows.
    pub(in crate::usecase) fn fail(&self, key: AttemptKey, now: Timestamp) -> Result<(), TooMany> {
        let now = now.millis();
        let mut keys = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() >= MOST_KEYS && !keys.contains_key(&key) {
            make_room(&mut keys, now);
        }
        let failures = keys.entry(key).or_default();
        bounded(failures, self.allowed, now)?;
        failures.push_back(now);
        Ok(())
    }

    /// Takes back the newest failure, which was noted before it was known to be none.
    pub(in crate::usecase) fn succeed(&self, key: AttemptKey) {
        let mut keys = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failures) = keys.get_mut(&key) {
            failures.pop_back();
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.failures.lock().unwrap().len()
    }
}

/// Forgets what is older than a minute, or behind a clock that was set back, then counts.
fn bounded(failures: &mut VecDeque<i64>, allowed: usize, now: i64) -> Result<(), TooMany> {
    failures.retain(|at| in_force(*at, now));
    match failures.front() {
        Some(first) if failures.len() >= allowed => {
            let wait_ms = first.saturating_add(MINUTE_MS).saturating_sub(now).unsigned_abs();
            Err(TooMany(wait_ms.div_ceil(1000).max(1)))
        }
        Some(_) | None => Ok(()),
    }
}

const fn in_force(at: i64, now: i64) -> bool {
    at <= now && now.saturating_sub(at) < MINUTE_MS
}

/// Forgets the keys without a failure in force, and of the others those with the fewest, the oldest first, until there is
/// [`ROOM`]. So a flood of made-up names displaces itself and not a key that is held back.
fn make_room(keys: &mut HashMap<AttemptKey, VecDeque<i64>>, now: i64) {
    keys.retain(|_, failures| failures.back().is_some_and(|last| in_force(*last, now)));
    let surplus = (keys.len() + ROOM).saturating_sub(MOST_KEYS);
    if surplus > 0 {
        let rank = |(key, failures): (&AttemptKey, &VecDeque<i64>)| (failures.len(), failures.back().copied(), *key);
        let mut ranked: Vec<_> = keys.iter().map(rank).collect();
        ranked.select_nth_unstable_by_key(surplus - 1, |(failures, last, _)| (*failures, *last));
        for (_, _, key) in ranked.iter().take(surplus) {
            keys.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn named(client_id: &str, from: &str) -> AttemptKey {
        AttemptKey::new(Uuid::nil().into(), client_id, from)
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_700_000_000_000 + millis).unwrap()
    }

    fn key(n: usize) -> AttemptKey {
        named(&format!("client {n}"), "192.0.2.1")
    }

    #[test]
    fn ten_failures_are_allowed_and_the_eleventh_is_not() {
        let attempts = Attempts::default();
        for n in 0..10 {
            assert_eq!(attempts.fail(key(0), at(n)), Ok(()));
        }
        assert_eq!(attempts.fail(key(0), at(10)), Err(TooMany(60)));
    }

    #[test]
    fn a_minute_after_the_first_failure_one_more_is_allowed() {
        let attempts = Attempts::default();
        for n in 0..10 {
            attempts.fail(key(0), at(n * 1_000)).unwrap();
        }
        assert_eq!(attempts.fail(key(0), at(59_999)), Err(TooMany(1)));
        assert_eq!(attempts.fail(key(0), at(60_000)), Ok(()));
        assert_eq!(attempts.fail(key(0), at(60_001)), Err(TooMany(1)));
    }

    #[test]
    fn what_turns_out_to_be_right_counts_as_no_failure() {
        let attempts = Attempts::default();
        for n in 0..30 {
            attempts.fail(key(0), at(n)).unwrap();
            attempts.succeed(key(0));
        }
        for n in 30..40 {
            assert_eq!(attempts.fail(key(0), at(n)), Ok(()));
        }
        assert!(attempts.fail(key(0), at(41)).is_err());
    }

    #[test]
    fn another_client_or_another_address_is_allowed() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(named("a b", "c"), at(0)).unwrap();
        }
        assert_eq!(attempts.fail(named("a b", "d"), at(0)), Ok(()));
        assert_eq!(attempts.fail(named("b b", "c"), at(0)), Ok(()));
        assert_eq!(attempts.fail(named("a", "b c"), at(0)), Ok(()), "the blank's place counts");
        assert_eq!(attempts.fail(AttemptKey::new(Uuid::max().into(), "a b", "c"), at(0)), Ok(()), "another tenant");
    }

    #[test]
    fn a_clock_that_was_set_back_locks_nobody_out() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(key(0), at(100_000_000)).unwrap();
        }
        assert_eq!(attempts.fail(key(0), at(0)), Ok(()));
    }

    #[test]
    fn a_flood_of_names_is_bounded_and_frees_nobody() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(key(0), at(0)).unwrap();
        }
        for n in 1..MOST_KEYS + 50 {
            attempts.fail(key(n), at(1)).unwrap();
        }
        assert!(attempts.len() <= MOST_KEYS);
        assert!(attempts.fail(key(0), at(2)).is_err());
    }

    #[test]
    fn a_flood_looks_at_all_names_once_in_hundreds() {
        let attempts = Attempts::default();
        for n in 0..=MOST_KEYS {
            attempts.fail(key(n), at(1)).unwrap();
        }
        assert_eq!(attempts.len(), MOST_KEYS - ROOM + 1);
    }

    #[test]
    fn what_is_over_makes_room_first() {
        let attempts = Attempts::default();
        for n in 0..MOST_KEYS {
            attempts.fail(key(n), at(0)).unwrap();
        }
        attempts.fail(key(MOST_KEYS), at(60_000)).unwrap();
        assert_eq!(attempts.len(), 1);
    }
}
