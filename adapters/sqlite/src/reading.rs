//! Who reads a file: since when each connection has been in use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Those who read a file in this process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readings(Arc<Mutex<Begun>>);

/// When each began, by its number: they count upwards.
#[derive(Debug, Default)]
struct Begun {
    count: u64,
    since: BTreeMap<u64, Instant>,
}

/// One that lasts until it is dropped.
#[derive(Debug)]
pub(crate) struct Reading {
    number: u64,
    all: Readings,
}

impl Readings {
    /// One that begins now.
    pub(crate) fn begin(&self) -> Reading {
        let mut begun = self.begun();
        begun.count += 1;
        let number = begun.count;
        begun.since.insert(number, Instant::now());
        Reading { number, all: self.clone() }
    }

    /// How long the one has lasted that began first; `None` where nobody reads.
    pub(crate) fn longest(&self) -> Option<Duration> {
        self.begun().since.first_key_value().map(|(_, since)| since.elapsed())
    }

    fn begun(&self) -> MutexGuard<'_, Begun> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.all.begun().since.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_the_one_that_began_first_of_those_that_last() {
        let readings = Readings::default();
        assert_eq!(readings.longest(), None);
        let (first, second) = (readings.begin(), readings.begin());
        let since = |number: u64| readings.begun().since.get(&number).copied();
        assert_eq!((since(1).is_some(), since(2).is_some()), (true, true));
        drop(first);
        assert_eq!((since(1), since(2).is_some()), (None, true));
        assert!(readings.longest().is_some());
        drop(second);
        assert_eq!(readings.longest(), None);
    }
}
