//! The first and the last day on which there is something.

use super::Cube;
use super::block::{Block, Cells};
use super::column::Counts;
use super::lanes::{Lane, Lanes};
use super::table::Table;
use crate::calendar::day::Day;

impl Cube {
    /// The first day on which an activity starts, of the series that have some by `counts`, the numbers of activities
    /// through some day.
    pub(crate) fn first_day(&self, lanes: &Lanes, counts: &[i64]) -> Option<Day> {
        let (_, earlier) = self.blocks.split_last()?;
        // Numbers of starts only grow from block to block.
        let at = earlier.partition_point(|block| {
            !lanes.any(|series, _| counts[series as usize] != 0 && block.after.count(series, Table::starts) != 0)
        });
        let found = |series: usize| !lanes.of_series()[series].is_left_out() && counts[series] != 0;
        let cells = &self.blocks.get(at)?.cells;
        (0..cells.day_count())
            .find_map(|day| has(cells, day, |series, table, row| found(series) && table.starts().get(row) != 0))
    }

    /// The last day on which an activity counts, of the series that have some by `counts`, the numbers of activities from
    /// some day on.
    pub(crate) fn last_day(&self, lanes: &Lanes, counts: &[i64]) -> Option<Day> {
        let (Block { after: all, .. }, earlier) = self.blocks.split_last()?;
        let is_behind = |block: &Block, series: u32, lane: Lane| {
            let of = last_days(lane);
            block.after.count(series, of) != all.count(series, of)
        };
        let at = earlier.partition_point(|block| {
            lanes.any(|series, lane| counts[series as usize] != 0 && is_behind(block, series, lane))
        });
        let cells = &self.blocks.get(at)?.cells;
        (0..cells.day_count()).rev().find_map(|day| {
            has(cells, day, |series, table, row| {
                let lane = lanes.of_series()[series];
                !lane.is_left_out() && counts[series] != 0 && last_days(lane)(table).get(row) != 0
            })
        })
    }
}

/// The column with the activities whose last counted day it is.
fn last_days(lane: Lane) -> fn(&Table) -> &Counts {
    if lane.is_spread() { Table::ends } else { Table::starts }
}

/// The day of that number, where one of its rows is such: series, table, row.
fn has(cells: &Cells, day: usize, is_such: impl Fn(usize, &Table, usize) -> bool) -> Option<Day> {
    let (day, rows) = cells.day(day);
    let mut rows = rows.clone().zip(cells.series(rows));
    rows.any(|(row, series)| is_such(*series as usize, cells.table(), row)).then_some(day)
}
