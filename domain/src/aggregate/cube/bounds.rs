//! The first and the last day on which there is something.

use super::block::Block;
use super::table::Table;
use super::{Attribution, Cube};
use crate::aggregate::cell::SeriesKey;
use crate::calendar::day::{Day, Period};

impl Cube {
    /// The first and the last day of the period on which an activity of a selected series counts: by index, those for
    /// which `selected` is true. `not_spread` as for [`Cube::sums`].
    #[must_use]
    pub fn bounds(
        &self,
        attribution: Attribution,
        not_spread: &dyn Fn(&SeriesKey) -> bool,
        selected: &dyn Fn(u32) -> bool,
        period: Period,
    ) -> Option<(Day, Day)> {
        let kinds: Vec<Kind> = (0_u32..)
            .zip(&self.series)
            .map(|(index, key)| match attribution {
                _ if !selected(index) => Kind::Left,
                Attribution::Start => Kind::Starts,
                Attribution::Daily if not_spread(key) => Kind::Starts,
                Attribution::Daily => Kind::Spread,
            })
            .collect();
        let on_the_edge = |day: Option<Day>| day.filter(|day| self.is_touched(*day, &kinds));
        let first = on_the_edge(period.first()).or_else(|| self.first_start(period, &kinds))?;
        let last = on_the_edge(period.last()).or_else(|| self.last_end(period, &kinds))?;
        Some((first, last))
    }

    /// Whether an activity counts on the day.
    fn is_touched(&self, day: Day, kinds: &[Kind]) -> bool {
        let mut counts = vec![0_i64; self.series.len()];
        self.visit(day.number(), |series, table, row, _| {
            counts[series] = counts[series].saturating_add(table.starts(row));
        });
        self.visit(day.number() - 1, |series, table, row, _| {
            let over = match kinds[series] {
                Kind::Spread => table.ends(row),
                Kind::Starts | Kind::Left => table.starts(row),
            };
            counts[series] = counts[series].saturating_sub(over);
        });
        counts.iter().zip(kinds).any(|(count, kind)| *count != 0 && *kind != Kind::Left)
    }

    fn first_start(&self, period: Period, kinds: &[Kind]) -> Option<Day> {
        let starts = |kind: Kind, table: &Table, row: usize| kind != Kind::Left && table.starts(row) != 0;
        self.eventful(kinds).find_map(|block| {
            block.cells.days().find_map(|(day, mut rows)| {
                (period.contains(day) && rows.any(|(series, table, row)| starts(kinds[series as usize], table, row)))
                    .then_some(day)
            })
        })
    }

    fn last_end(&self, period: Period, kinds: &[Kind]) -> Option<Day> {
        let ends = |kind: Kind, table: &Table, row: usize| match kind {
            Kind::Left => false,
            Kind::Starts => table.starts(row) != 0,
            Kind::Spread => table.ends(row) != 0,
        };
        self.eventful(kinds).rev().find_map(|block| {
            block.cells.days().rev().find_map(|(day, mut rows)| {
                (period.contains(day) && rows.any(|(series, table, row)| ends(kinds[series as usize], table, row)))
                    .then_some(day)
            })
        })
    }

    /// The blocks in which an activity of a selected series starts or ends.
    fn eventful(&self, kinds: &[Kind]) -> impl DoubleEndedIterator<Item = &Block> {
        let selected: Vec<u32> = (0..).zip(kinds).filter(|(_, kind)| **kind != Kind::Left).map(|(at, _)| at).collect();
        (0..self.blocks.len())
            .map(|at| (at.checked_sub(1).map(|before| &self.blocks[before]), &self.blocks[at]))
            .filter_map(move |(before, block)| {
                let old = |series| before.map_or((0, 0), |before| before.after.counts(series));
                selected.iter().any(|series| block.after.counts(*series) != old(*series)).then_some(block)
            })
    }
}

/// How a series takes part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its activities do not count.
    Left,
    /// Its activities count on their first day.
    Starts,
    /// Its activities count on every day they cover.
    Spread,
}
