//! A run of days in a cube: its cells in day order, and the running totals of every series after it.
//! Both are behind `Arc`, the totals in pages of series, so that a changed cube shares what did not change.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::column::Counts;
use super::table::Table;
use crate::aggregate::cell::Cell;
use crate::calendar::day::Day;

/// A cell with its place; rows are ordered by day, then series.
pub(super) type Row = ((Day, u32), Cell);

/// How many series share a page of running totals.
const PAGE: usize = 256;

/// At least one cell, all days of it after those of the block before.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) cells: Arc<Cells>,
    pub(super) after: Column,
}

impl Block {
    /// The block of these rows, of which there must be one, behind `before`.
    pub(super) fn new(before: Option<&Self>, rows: &[Row], width: usize) -> Self {
        let cells = Cells::new(rows);
        let last = cells.last().number();
        let mut running = vec![Cell::ZERO; width];
        if let Some(before) = before {
            let days = i64::from(last - before.cells.last().number());
            before.after.visit(|series, table, row| running[series] = table.get(row).carried(days));
        }
        for ((day, series), cell) in rows {
            running[*series as usize].add_within(&cell.clone().carried(i64::from(last - day.number()) + 1));
        }
        Self { cells: Arc::new(cells), after: Column::new(&running) }
    }

    /// The same cells, with that much more of these series before or in the block.
    pub(super) fn shifted(&self, by: &BTreeMap<u32, Cell>) -> Self {
        Self { cells: Arc::clone(&self.cells), after: self.after.plus(by) }
    }
}

/// The cells of a block, in order.
pub(super) struct Cells {
    /// Each day with a cell, and the number of the row after its last.
    days: Box<[(Day, usize)]>,
    series: Box<[u32]>,
    table: Table,
}

impl Cells {
    fn new(rows: &[Row]) -> Self {
        let mut days: Vec<(Day, usize)> = Vec::new();
        for (at, ((day, _), _)) in rows.iter().enumerate() {
            match days.last_mut() {
                Some((last, end)) if last == day => *end = at + 1,
                _ => days.push((*day, at + 1)),
            }
        }
        Self {
            days: days.into(),
            series: rows.iter().map(|((_, series), _)| *series).collect(),
            table: Table::new(rows.iter().map(|(_, cell)| cell)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.series.len()
    }

    /// The last day with a cell.
    pub(super) fn last(&self) -> Day {
        self.days.last().map_or(Day::MIN, |(day, _)| *day)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        let days = (0..self.days.len()).flat_map(move |at| self.rows_of(at).map(move |row| (self.days[at].0, row)));
        days.map(|(day, row)| ((day, self.series[row]), self.table.get(row)))
    }

    /// How many days there are with a cell.
    pub(super) fn day_count(&self) -> usize {
        self.days.len()
    }

    /// How many of the days come before the end of the day of that number.
    pub(super) fn days_through(&self, through: i32) -> usize {
        self.days.partition_point(|(day, _)| day.number() <= through)
    }

    /// How many rows the first days have.
    pub(super) fn rows_before(&self, days: usize) -> usize {
        days.checked_sub(1).map_or(0, |last| self.days[last].1)
    }

    /// One of the days, and its rows.
    pub(super) fn day(&self, at: usize) -> (Day, Range<usize>) {
        (self.days[at].0, self.rows_of(at))
    }

    /// The series of rows.
    pub(super) fn series(&self, rows: Range<usize>) -> &[u32] {
        &self.series[rows]
    }

    /// What the rows have.
    pub(super) const fn table(&self) -> &Table {
        &self.table
    }

    fn rows_of(&self, at: usize) -> Range<usize> {
        self.rows_before(at)..self.days[at].1
    }
}

/// The running totals of all series through one day: `step` is what counts on the days up to it, `slope` what counts
/// on each day after it. A series beyond the end has zero.
#[derive(Clone)]
pub(super) struct Column(Vec<Arc<Table>>);

impl Column {
    fn new(running: &[Cell]) -> Self {
        Self(running.chunks(PAGE).map(|page| Arc::new(Table::new(page.iter()))).collect())
    }

    /// Hands over each series with its table and row.
    pub(super) fn visit(&self, mut visit: impl FnMut(usize, &Table, usize)) {
        for (page, table) in self.0.iter().enumerate() {
            for row in 0..table.len() {
                visit(page * PAGE + row, table, row);
            }
        }
    }

    /// The tables, each with the index of its first series.
    pub(super) fn pages(&self) -> impl Iterator<Item = (usize, &Table)> {
        self.0.iter().enumerate().map(|(page, table)| (page * PAGE, table.as_ref()))
    }

    /// The table and the row of a series; `None` where it has nothing.
    pub(super) fn find(&self, series: u32) -> Option<(&Table, usize)> {
        let (page, row) = place(series);
        self.0.get(page).filter(|table| row < table.len()).map(|table| (table.as_ref(), row))
    }

    /// A number of activities of a series.
    pub(super) fn count(&self, series: u32, of: impl Fn(&Table) -> &Counts) -> i64 {
        self.find(series).map_or(0, |(table, row)| of(table).get(row))
    }

    fn plus(&self, by: &BTreeMap<u32, Cell>) -> Self {
        let mut pages: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
        for (series, more) in by {
            let (page, row) = place(*series);
            let cells = pages.entry(page).or_insert_with(|| self.0.get(page).map_or(vec![], |t| t.cells().collect()));
            if cells.len() <= row {
                cells.resize(row + 1, Cell::ZERO);
            }
            cells[row].add_within(more);
        }
        let mut tables = self.0.clone();
        for (page, mut cells) in pages {
            while tables.len() <= page {
                tables.push(Arc::new(Table::new([].iter())));
            }
            // Only the last page may be short: the place of a series is its number.
            if page + 1 < tables.len() {
                cells.resize(PAGE, Cell::ZERO);
            }
            tables[page] = Arc::new(Table::new(cells.iter()));
        }
        Self(tables)
    }
}

fn place(series: u32) -> (usize, usize) {
    let series = series as usize;
    (series / PAGE, series % PAGE)
}
