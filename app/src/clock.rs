//! The system's clock.

use domain::Timestamp;
use ports::clock::Clock;
use time::OffsetDateTime;

/// Reads the time of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the clock is read")]
    fn now(&self) -> Timestamp {
        Timestamp::new(OffsetDateTime::now_utc()).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_behind_this_test_and_before_the_year_2200() {
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        assert!((at(1_700_000_000_000)..at(7_258_118_400_000)).contains(&SystemClock.now()));
    }
}
