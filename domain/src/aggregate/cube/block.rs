//! A run of days in a cube: its cells in day order, and the running totals of every series after it.
//! Both are behind `Arc`, the totals in pages of series, so that a changed cube shares what did not change.

use std::collections::BTreeMap;
use std::sync::Arc;

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

    /// Hands over each row up to the day of that number: series, table, row, and how many days its slope has been in
    /// force by then.
    pub(super) fn visit(&self, through: i32, mut visit: impl FnMut(usize, &Table, usize, i64)) {
        for (at, (day, _)) in self.days.iter().enumerate() {
            if day.number() > through {
                break;
            }
            let days = i64::from(through - day.number()) + 1;
            for row in self.rows_of(at) {
                visit(self.series[row] as usize, &self.table, row, days);
            }
        }
    }

    /// Each day with the series and rows on it; from both ends.
    pub(super) fn days(&self) -> impl DoubleEndedIterator<Item = (Day, impl Iterator<Item = (u32, &Table, usize)>)> {
        self.days
            .iter()
            .enumerate()
            .map(|(at, (day, _))| (*day, self.rows_of(at).map(|row| (self.series[row], &self.table, row))))
    }

    fn rows_of(&self, at: usize) -> std::ops::Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| self.days[before].1);
        start..self.days[at].1
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

    /// The number of starts and of ends of a series.
    pub(super) fn counts(&self, series: u32) -> (i64, i64) {
        let (page, row) = place(series);
        self.0.get(page).filter(|table| row < table.len()).map_or((0, 0), |table| (table.starts(row), table.ends(row)))
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
