//! What several activities post together: by how much cells change, in the order in which cells are stored.

use std::collections::BTreeMap;

use crate::aggregate::cell::{Cell, Posting};
use crate::aggregate::packed::{PackError, PackedCells};
use crate::calendar::day::Day;

/// By how much cells change, by day, then series. Series are named by their index. None of the cells is zero when read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings(BTreeMap<(Day, u32), Cell>);

impl Postings {
    /// Postings that change no cell.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds an activity of that series.
    pub fn add(&mut self, series: u32, posting: &Posting) {
        for (day, cell) in posting.cells() {
            self.add_cell(series, day, cell);
        }
    }

    /// Takes an activity of that series away.
    pub fn take(&mut self, series: u32, posting: &Posting) {
        for (day, cell) in posting.cells() {
            self.add_cell(series, day, -cell);
        }
    }

    /// Adds the sums of a cell to those that the series has on that day.
    pub fn add_cell(&mut self, series: u32, day: Day, cell: Cell) {
        match self.0.entry((day, series)) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(cell);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => *place.get_mut() += &cell,
        }
    }

    /// Whether no cell changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Cell::is_zero)
    }

    /// How many cells there are at most.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The cells that are not zero, by day, then series.
    pub fn cells(&self) -> impl Iterator<Item = (u32, Day, &Cell)> {
        self.0.iter().filter(|(_, cell)| !cell.is_zero()).map(|((day, series), cell)| (*series, *day, cell))
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
        self.0.into_iter().map(|((day, series), cell)| (series, day, cell))
    }
}
