//! How long something takes that is done many times.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Times of the same thing, sorted.
pub(super) struct Times(Vec<Duration>);

impl Times {
    /// Does it so many times, each is given its number.
    pub(super) fn of(times: usize, mut work: impl FnMut(usize) -> Result<()>) -> Result<Self> {
        let mut all = Vec::with_capacity(times);
        for at in 0..times {
            let begin = Instant::now();
            work(at)?;
            all.push(begin.elapsed());
        }
        all.sort_unstable();
        Ok(Self(all))
    }

    /// The median, and what 99 of 100 stay below.
    pub(super) fn shown(&self) -> String {
        let at = |share: usize| self.0.get(self.0.len() * share / 100).copied().unwrap_or_default();
        format!("{} (p99 {})", millis(at(50)), millis(at(99)))
    }
}

/// A time in milliseconds, to three digits or so.
pub(super) fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    if millis < 10.0 { format!("{millis:.2} ms") } else { format!("{millis:.0} ms") }
}
