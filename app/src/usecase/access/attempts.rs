//! Failed client authentications at a tenant's address, bounded per pair of `client_id` and sender: ten in any minute,
//! then none is heard.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use domain::{Digest, Timestamp};
use ports::TenantId;

/// Failures that are heard in a minute.
const FAILURES: usize = 10;
const MINUTE_MS: i64 = 60_000;
/// Pairs that are remembered: some 2 MiB.
const PAIRS: usize = 10_000;

/// Who attempts, and where: the digest of tenant, `client_id` and sender, so that long texts cost no memory. What fails at
/// one tenant's address holds nobody back at another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair(Digest);

impl Pair {
    pub(super) fn new(tenant: TenantId, client_id: &str, from: &str) -> Self {
        Self(Digest::of(format!("{tenant} {} {client_id} {from}", client_id.len()).as_bytes()))
    }
}

/// Seconds until the next attempt is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany(pub(super) u64);

/// The failures of the last minute. A success takes none of them back: else one known secret would buy guesses at
/// others for ever.
#[derive(Default)]
pub(super) struct Attempts {
    pairs: Mutex<HashMap<Pair, VecDeque<i64>>>,
}

impl Attempts {
    /// Whether an attempt is heard now.
    pub(super) fn hear(&self, pair: Pair, now: Timestamp) -> Result<(), TooMany> {
        let mut pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        pairs.get_mut(&pair).map_or(Ok(()), |failures| bounded(failures, now.millis()))
    }

    /// Notes a failure, unless there were too many by now: of attempts made at once, as many fail as the bound allows.
    pub(super) fn fail(&self, pair: Pair, now: Timestamp) -> Result<(), TooMany> {
        let now = now.millis();
        let mut pairs = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        if pairs.len() >= PAIRS && !pairs.contains_key(&pair) {
            make_room(&mut pairs, now);
        }
        let failures = pairs.entry(pair).or_default();
        bounded(failures, now)?;
        failures.push_back(now);
        Ok(())
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.pairs.lock().unwrap().len()
    }
}

/// Forgets what is older than a minute, or behind a clock that was set back, then counts.
fn bounded(failures: &mut VecDeque<i64>, now: i64) -> Result<(), TooMany> {
    failures.retain(|at| in_force(*at, now));
    match failures.front() {
        Some(first) if failures.len() >= FAILURES => {
            let wait_ms = first.saturating_add(MINUTE_MS).saturating_sub(now).unsigned_abs();
            Err(TooMany(wait_ms.div_ceil(1000).max(1)))
        }
        Some(_) | None => Ok(()),
    }
}

const fn in_force(at: i64, now: i64) -> bool {
    at <= now && now.saturating_sub(at) < MINUTE_MS
}

/// Forgets the pairs without a failure in force; where all have one, the pair with the fewest, the oldest first. So a
/// flood of made-up names displaces itself and not a pair that is held back.
fn make_room(pairs: &mut HashMap<Pair, VecDeque<i64>>, now: i64) {
    pairs.retain(|_, failures| failures.back().is_some_and(|last| in_force(*last, now)));
    if pairs.len() >= PAIRS {
        let least = pairs.iter().min_by_key(|(_, failures)| (failures.len(), failures.back().copied()));
        if let Some(pair) = least.map(|(pair, _)| *pair) {
            pairs.remove(&pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn named(client_id: &str, from: &str) -> Pair {
        Pair::new(Uuid::nil().into(), client_id, from)
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_700_000_000_000 + millis).unwrap()
    }

    fn pair(n: usize) -> Pair {
        named(&format!("client {n}"), "192.0.2.1")
    }

    #[test]
    fn ten_failures_are_heard_and_the_eleventh_is_not() {
        let attempts = Attempts::default();
        for n in 0..10 {
            assert_eq!(attempts.hear(pair(0), at(n)), Ok(()));
            assert_eq!(attempts.fail(pair(0), at(n)), Ok(()));
        }
        assert_eq!(attempts.hear(pair(0), at(10)), Err(TooMany(60)));
        assert_eq!(attempts.fail(pair(0), at(10)), Err(TooMany(60)));
    }

    #[test]
    fn a_minute_after_the_first_failure_one_more_is_heard() {
        let attempts = Attempts::default();
        for n in 0..10 {
            attempts.fail(pair(0), at(n * 1_000)).unwrap();
        }
        assert_eq!(attempts.hear(pair(0), at(59_999)), Err(TooMany(1)));
        assert_eq!(attempts.hear(pair(0), at(60_000)), Ok(()));
        assert_eq!(attempts.fail(pair(0), at(60_000)), Ok(()));
        assert_eq!(attempts.hear(pair(0), at(60_001)), Err(TooMany(1)));
    }

    #[test]
    fn another_client_or_another_address_is_heard() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(named("a b", "c"), at(0)).unwrap();
        }
        assert_eq!(attempts.hear(named("a b", "d"), at(0)), Ok(()));
        assert_eq!(attempts.hear(named("b b", "c"), at(0)), Ok(()));
        assert_eq!(attempts.hear(named("a", "b c"), at(0)), Ok(()), "the blank's place counts");
        assert_eq!(attempts.hear(Pair::new(Uuid::max().into(), "a b", "c"), at(0)), Ok(()), "another tenant");
    }

    #[test]
    fn a_clock_that_was_set_back_locks_nobody_out() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(pair(0), at(100_000_000)).unwrap();
        }
        assert_eq!(attempts.hear(pair(0), at(0)), Ok(()));
    }

    #[test]
    fn a_flood_of_names_is_bounded_and_frees_nobody() {
        let attempts = Attempts::default();
        for _ in 0..10 {
            attempts.fail(pair(0), at(0)).unwrap();
        }
        for n in 1..PAIRS + 50 {
            attempts.fail(pair(n), at(1)).unwrap();
        }
        assert_eq!(attempts.len(), PAIRS);
        assert!(attempts.hear(pair(0), at(2)).is_err());
    }

    #[test]
    fn what_is_over_makes_room_first() {
        let attempts = Attempts::default();
        for n in 0..PAIRS {
            attempts.fail(pair(n), at(0)).unwrap();
        }
        attempts.fail(pair(PAIRS), at(60_000)).unwrap();
        assert_eq!(attempts.len(), 1);
    }
}
