//! What a round counted and measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Counts that add up over rounds, and figures of which the highest is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) counts: BTreeMap<String, u64>,
    pub(super) peaks: BTreeMap<String, f64>,
}

impl Tally {
    pub(super) fn count(&mut self, what: &str, number: u64) {
        *self.counts.entry(what.to_owned()).or_default() += number;
    }

    pub(super) fn peak(&mut self, what: &str, value: f64) {
        let highest = self.peaks.entry(what.to_owned()).or_insert(value);
        *highest = highest.max(value);
    }

    /// Takes what another one counted into this one.
    pub(super) fn add(&mut self, other: &Self) {
        other.counts.iter().for_each(|(what, number)| self.count(what, *number));
        other.peaks.iter().for_each(|(what, value)| self.peak(what, *value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_of_figures_the_highest_stays() {
        let mut all = Tally::default();
        for (kills, p99) in [(2, 7.0), (3, 5.0)] {
            let mut one = Tally::default();
            one.count("kills", kills);
            one.peak("p99 ms", p99);
            all.add(&one);
        }
        assert_eq!(all.counts["kills"], 5);
        assert!((all.peaks["p99 ms"] - 7.0).abs() < 1e-9);
    }
}
