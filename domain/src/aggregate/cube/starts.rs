//! On which days activities start.

use super::Cube;
use super::block::{Block, Cells};
use super::column::Counts;
use super::lanes::Lanes;
use super::table::Table;
use crate::calendar::day::Day;

/// Days on which activities start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// The days in order, each with how many activities start on it.
    pub days: Vec<(Day, u64)>,
    /// The series that these are of, by index and in order, each once.
    pub series: Vec<u32>,
}

impl Cube {
    /// The first days from `first` through `last` on which activities of the series start, until there are `enough`
    /// activities together.
    pub(crate) fn first_starts(&self, first: Day, last: Day, lanes: &Lanes, enough: u64) -> Starts {
        let begin = self.blocks.partition_point(|block| block.cells.last() < first);
        let days = days(self.blocks.get(begin..).unwrap_or_default()).skip_while(|day| day.day() < first);
        starts(days.take_while(|day| day.day() <= last), lanes, Table::starts, enough)
    }

    /// All days from `first` through `last` on which activities of the series start that have no amount.
    pub(crate) fn incomplete_starts(&self, first: Day, last: Day, lanes: &Lanes) -> Starts {
        let begin = self.blocks.partition_point(|block| block.cells.last() < first);
        let days = days(self.blocks.get(begin..).unwrap_or_default()).skip_while(|day| day.day() < first);
        starts(days.take_while(|day| day.day() <= last), lanes, Table::incomplete_starts, u64::MAX)
    }

    /// The last days from `first` through `last` on which activities of the series start, until there are `enough`
    /// activities together.
    pub(crate) fn last_starts(&self, first: Day, last: Day, lanes: &Lanes, enough: u64) -> Starts {
        let behind = self.blocks.partition_point(|block| block.cells.last() < last);
        let begun = self.blocks.len().min(behind + 1);
        let days = days(self.blocks.get(..begun).unwrap_or_default()).rev().skip_while(|day| day.day() > last);
        let mut starts = starts(days.take_while(|day| day.day() >= first), lanes, Table::starts, enough);
        starts.days.reverse();
        starts
    }
}

/// The cells of a day.
struct OfDay<'a> {
    cells: &'a Cells,
    at: usize,
}

impl OfDay<'_> {
    fn day(&self) -> Day {
        self.cells.day(self.at).0
    }

    /// How many activities of a column start, and their series into that list.
    fn starts(&self, lanes: &Lanes, column: fn(&Table) -> &Counts, into: &mut Vec<u32>) -> u64 {
        let (_, rows) = self.cells.day(self.at);
        let starts = column(self.cells.table());
        if starts.is_zero() {
            return 0;
        }
        let mut sum = 0_i64;
        for (row, series) in rows.clone().zip(self.cells.series(rows)) {
            let count = starts.get(row);
            if count != 0 && !lanes.of_series()[*series as usize].is_left_out() {
                sum += count;
                into.push(*series);
            }
        }
        u64::try_from(sum).unwrap_or(0)
    }
}

fn days(blocks: &[Block]) -> impl DoubleEndedIterator<Item = OfDay<'_>> {
    blocks.iter().flat_map(|block| (0..block.cells.day_count()).map(|at| OfDay { cells: &block.cells, at }))
}

/// Those of the days on which activities of a column start, until there are `enough`.
fn starts<'a>(
    days: impl Iterator<Item = OfDay<'a>>,
    lanes: &Lanes,
    column: fn(&Table) -> &Counts,
    enough: u64,
) -> Starts {
    let (mut starts, mut found) = (Starts::default(), 0_u64);
    for of in days {
        if found >= enough {
            break;
        }
        let count = of.starts(lanes, column, &mut starts.series);
        if count > 0 {
            starts.days.push((of.day(), count));
            found = found.saturating_add(count);
        }
    }
    starts.series.sort_unstable();
    starts.series.dedup();
    starts
}
