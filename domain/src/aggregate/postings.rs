//! What several activities post together: by how much cells change, in the order in which cells are stored.

use std::collections::BTreeMap;

use crate::aggregate::cell::{Cell, Posting};
use crate::aggregate::count::{Magnitude, TooMany};
use crate::aggregate::packed::{PackError, PackedCells};
use crate::calendar::day::Day;

/// By how much cells change, by day, then series. Series are named by their index. None of the cells is zero when read.
#[derive(Clone, Debug, Default)]
pub struct Postings {
    cells: BTreeMap<(Day, u32), Cell>,
    /// Of all that was ever added as cells.
    magnitude: Magnitude,
}

impl PartialEq for Postings {
    /// Whether they have the same cells, however they came about.
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

impl Eq for Postings {}

impl Postings {
    /// Postings that change no cell.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an activity of that series.
    pub fn add(&mut self, series: u32, posting: &Posting) {
        for (day, cell) in posting.cells() {
            self.add_within(series, day, cell);
        }
    }

    /// Takes an activity of that series away.
    pub fn take(&mut self, series: u32, posting: &Posting) {
        for (day, cell) in posting.cells() {
            self.add_within(series, day, -cell);
        }
    }

    /// Adds a cell; [`TooMany`], and nothing is added, where numbers of activities could leave 64 bits.
    pub fn add_cell(&mut self, series: u32, day: Day, cell: Cell) -> Result<(), TooMany> {
        self.magnitude = self.magnitude.with(cell.counts())?;
        self.add_within(series, day, cell);
        Ok(())
    }

    /// Adds all cells of others; [`TooMany`], and nothing is added, where numbers of activities could leave 64 bits.
    pub fn add_all(&mut self, others: Self) -> Result<(), TooMany> {
        self.magnitude = self.magnitude.and(others.magnitude)?;
        for ((day, series), cell) in others.cells {
            self.add_within(series, day, cell);
        }
        Ok(())
    }

    /// Adds a cell whose magnitude was checked, or which is of one activity.
    fn add_within(&mut self, series: u32, day: Day, cell: Cell) {
        match self.cells.entry((day, series)) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(cell);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => place.get_mut().add_within(&cell),
        }
    }

    /// Whether no cell changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.values().all(Cell::is_zero)
    }

    /// How many cells there are at most.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cells that are not zero, by day, then series.
    pub fn cells(&self) -> impl Iterator<Item = (u32, Day, &Cell)> {
        self.cells.iter().filter(|(_, cell)| !cell.is_zero()).map(|((day, series), cell)| (*series, *day, cell))
    }

    /// The cells that are not zero, packed in parts of at most [`PackedCells::PART`] cells; none when nothing changes. An
    /// error is [`PackError::TooLarge`].
    pub fn pack(&self) -> Result<Vec<PackedCells>, PackError> {
        let mut cells = self.cells().peekable();
        let mut parts = Vec::new();
        while cells.peek().is_some() {
            parts.push(PackedCells::pack(cells.by_ref().take(PackedCells::PART))?);
        }
        Ok(parts)
    }
}

impl IntoIterator for Postings {
    type Item = (u32, Day, Cell);
    type IntoIter = std::iter::Map<
        std::collections::btree_map::IntoIter<(Day, u32), Cell>,
        fn(((Day, u32), Cell)) -> (u32, Day, Cell),
    >;

    /// Every cell, by day, then series; some may be zero.
    fn into_iter(self) -> Self::IntoIter {
        self.cells.into_iter().map(|((day, series), cell)| (series, day, cell))
    }
}
