//! How long something took that was done many times.

use std::time::Duration;

use anyhow::{Context, Result};

/// Times of the same thing, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    /// Sorts them.
    pub(crate) fn of(mut all: Vec<Duration>) -> Self {
        all.sort_unstable();
        Self(all)
    }

    /// How many there are.
    pub(crate) const fn count(&self) -> usize {
        self.0.len()
    }

    /// The median in milliseconds.
    pub(crate) fn p50(&self) -> Result<f64> {
        self.percentile(50)
    }

    /// What 99 of 100 do not exceed, in milliseconds.
    pub(crate) fn p99(&self) -> Result<f64> {
        self.percentile(99)
    }

    /// The longest, in milliseconds.
    pub(crate) fn max(&self) -> Result<f64> {
        self.percentile(100)
    }

    /// The smallest of them that so many of 100 do not exceed, in milliseconds (nearest rank).
    fn percentile(&self, percent: usize) -> Result<f64> {
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        let time = self.0.get(rank - 1).context("nothing was measured")?;
        Ok(time.as_secs_f64() * 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percentile(percent: usize, millis: impl IntoIterator<Item = u64>) -> f64 {
        Latencies::of(millis.into_iter().map(Duration::from_millis).collect()).percentile(percent).unwrap()
    }

    fn assert_is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn a_percentile_is_the_value_at_the_nearest_rank_above() {
        assert_is(percentile(50, (1..=100).rev()), 50.0);
        assert_is(percentile(99, 1..=100), 99.0);
        assert_is(percentile(100, 1..=100), 100.0);
        assert_is(percentile(99, 1..=101), 100.0);
        assert_is(percentile(50, [7, 3, 5]), 5.0);
    }

    #[test]
    fn of_one_value_every_percentile_is_that_value() {
        for percent in [1, 50, 99, 100] {
            assert_is(percentile(percent, [4]), 4.0);
        }
    }

    #[test]
    fn of_no_value_there_is_no_percentile() {
        assert!(Latencies::default().p50().is_err());
    }
}
