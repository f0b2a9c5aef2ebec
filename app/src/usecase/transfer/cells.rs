//! Whether the postings of a file are those of its activities, all together and change by change, in memory that grows
//! with days and series, not with cells or changes.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hash, RandomState};

use domain::{Cell, Day, Measure, Total};

/// What cells come to by day and by series, each of their numbers times a weight.
///
/// What was added and taken away again leaves nothing. Two lists of cells that differ have the same sums by accident
/// alone, once in 2^60 or so: the weights are drawn anew for each file.
#[derive(Debug, Default)]
pub(super) struct CellSums {
    weights: RandomState,
    days: BTreeMap<Day, Weighed>,
    series: BTreeMap<u32, Weighed>,
}

/// What cells come to by change: one number whose weights are drawn for each change, series and day.
///
/// What was added and taken away again in the same change leaves nothing; what was moved to another leaves something, but
/// by accident, once in 2^60 or so.
#[derive(Debug, Default)]
pub(super) struct ChangeSums {
    weights: [RandomState; 2],
    sums: [Weighed; 2],
}

impl ChangeSums {
    /// Adds a cell of that change.
    pub(super) fn add(&mut self, change: u64, series: u32, day: Day, cell: &Cell) {
        for (sum, weights) in self.sums.iter_mut().zip(&self.weights) {
            sum.add(cell, weights, (change, series, day.number()));
        }
    }

    /// Whether the cells of each change cancelled out.
    pub(super) fn is_zero(&self) -> bool {
        self.sums.iter().all(|sum| *sum == Weighed::default())
    }
}

/// A sum of weighed numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weighed {
    counts: i128,
    amounts: Total,
}

impl CellSums {
    pub(super) fn add(&mut self, series: u32, day: Day, cell: &Cell) {
        self.days.entry(day).or_default().add(cell, &self.weights, ("series", i64::from(series)));
        self.series.entry(series).or_default().add(cell, &self.weights, ("day", i64::from(day.number())));
    }

    /// The first day, and the first series, whose cells did not cancel out.
    pub(super) fn first_difference(&self) -> Option<(Day, u32)> {
        fn first<K: Copy>(sums: &BTreeMap<K, Weighed>) -> Option<K> {
            sums.iter().find(|(_, sum)| **sum != Weighed::default()).map(|(key, _)| *key)
        }
        Some((first(&self.days)?, first(&self.series)?))
    }
}

impl Weighed {
    fn add(&mut self, cell: &Cell, weights: &RandomState, place: impl Hash + Copy) {
        // 31 bits leave room for 2^33 of the largest numbers that packed bytes hold.
        let weight = |what: (u32, u8)| {
            let [a, b, c, d, ..] = weights.hash_one((place, what)).to_le_bytes();
            i64::from(u32::from_le_bytes([a, b, c, d]) >> 1 | 1)
        };
        for (count, at) in cell.counts().into_iter().zip(0..).filter(|(count, _)| *count != 0) {
            let weighed = i128::from(count).wrapping_mul(weight((u32::MAX, at)).into());
            self.counts = self.counts.wrapping_add(weighed);
        }
        for measure in Measure::ALL {
            let amounts = cell.amounts(*measure);
            for (amount, at) in [amounts.amount, amounts.slope, amounts.step].into_iter().zip(0..) {
                if !amount.is_zero() {
                    self.amounts += amount.times(weight((measure.code(), at)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Postings;
    use ports::contract::sample;

    use super::*;

    #[test]
    fn what_is_taken_away_in_another_change_leaves_something() {
        let posting = sample::measured_activity(1, sample::span("2025-01-30", "2025-02-02"), None, "7").posting();
        let (mut sums, mut plus, mut minus) = (ChangeSums::default(), Postings::new(), Postings::new());
        plus.add(3, &posting);
        minus.take(3, &posting);
        let mut add = |change, postings: &Postings| {
            postings.cells().for_each(|(series, day, cell)| sums.add(change, series, day, cell));
            sums.is_zero()
        };
        assert!(!add(1, &plus));
        assert!(!add(2, &minus));
        assert!(!add(1, &minus));
        assert!(add(2, &plus));
    }

    fn cells(sums: &mut CellSums, postings: &Postings) {
        postings.cells().for_each(|(series, day, cell)| sums.add(series, day, cell));
    }

    #[test]
    fn what_is_added_and_taken_away_leaves_nothing_and_anything_else_is_told() {
        let span = sample::span("2025-01-30", "2025-02-02");
        let posting = sample::measured_activity(1, span, Some("10"), "-2.5").posting();
        let other = sample::measured_activity(1, span, Some("10"), "-2.500000000000000001").posting();
        let (mut plus, mut minus, mut near, mut aside) =
            (Postings::new(), Postings::new(), Postings::new(), Postings::new());
        plus.add(3, &posting);
        minus.take(3, &posting);
        near.take(3, &other);
        aside.take(4, &posting);
        let mut sums = CellSums::default();
        assert_eq!(sums.first_difference(), None);
        cells(&mut sums, &plus);
        assert_eq!(sums.first_difference(), Some((sample::day("2025-01-30"), 3)));
        cells(&mut sums, &minus);
        assert_eq!(sums.first_difference(), None);
        cells(&mut sums, &plus);
        cells(&mut sums, &near);
        assert_eq!(sums.first_difference(), Some((sample::day("2025-01-30"), 3)));
        cells(&mut sums, &minus);
        near = Postings::new();
        near.add(3, &other);
        cells(&mut sums, &near);
        assert_eq!(sums.first_difference(), None);
        cells(&mut sums, &plus);
        cells(&mut sums, &aside);
        assert_eq!(sums.first_difference().map(|(_, series)| series), Some(3));
    }
}
