//! A cube from cells that come in their order: of cells, only the block under way is held beside the cube.

use std::mem;
use std::sync::Arc;

use super::block::{Block, Row};
use super::series::SeriesList;
use super::{Cube, UnknownSeries, known, target};
use crate::aggregate::cell::{Cell, SeriesKey};
use crate::aggregate::count::{Magnitude, TooMany};
use crate::calendar::day::Day;

/// Why a cell was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CubeError {
    /// It names a series that the cube does not have.
    #[error(transparent)]
    Series(#[from] UnknownSeries),
    /// It is before one that came earlier, or is of the same day and series.
    #[error("the cells do not stand in the order of day and series")]
    Order,
    /// Its numbers, and those of the cells before it, could leave 64 bits when they are added up.
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

/// A cube in the making.
pub struct CubeBuilder {
    series: SeriesList,
    blocks: Vec<Block>,
    /// What is in no block yet.
    rows: Vec<Row>,
    /// Where a block can end: the first new day behind enough rows.
    cut: Option<usize>,
    magnitude: Magnitude,
}

impl CubeBuilder {
    /// A cube of these series, which get the indices 0, 1, ... in order.
    #[must_use]
    pub fn new(series: impl IntoIterator<Item = SeriesKey>) -> Self {
        Self {
            series: series.into_iter().collect(),
            blocks: Vec::new(),
            rows: Vec::new(),
            cut: None,
            magnitude: Magnitude::default(),
        }
    }

    /// Takes in the next cell, by day, then series.
    pub fn push(&mut self, series: u32, day: Day, cell: Cell) -> Result<(), CubeError> {
        known(&self.series, series)?;
        if cell.is_zero() {
            return Ok(());
        }
        let last = self.rows.last().map(|(place, _)| *place);
        if last.is_some_and(|last| last >= (day, series)) {
            return Err(CubeError::Order);
        }
        self.magnitude = self.magnitude.with(cell.counts())?;
        let target = target(self.series.len());
        let is_new_day = last.is_some_and(|(last, _)| last < day);
        match self.cut {
            None if is_new_day && self.rows.len() >= target => self.cut = Some(self.rows.len()),
            Some(cut) if is_new_day && self.rows.len() - cut >= target => {
                let rest = self.rows.split_off(cut);
                self.end_block();
                // What is behind the cut is enough for a block of its own, and its end is here.
                self.cut = Some(rest.len());
                self.rows = rest;
            }
            None | Some(_) => {}
        }
        self.rows.push(((day, series), cell));
        Ok(())
    }

    /// Builds the cube of all cells that were added.
    #[must_use]
    pub fn finish(mut self) -> Cube {
        if !self.rows.is_empty() {
            let rows = mem::take(&mut self.rows);
            super::extend(&mut self.blocks, &rows, self.series.len());
        }
        Cube { series: Arc::new(self.series), blocks: self.blocks, magnitude: self.magnitude }
    }

    fn end_block(&mut self) {
        let block = Block::new(self.blocks.last(), &self.rows, self.series.len());
        self.blocks.push(block);
        self.rows.clear();
    }
}

impl std::fmt::Debug for CubeBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CubeBuilder").field("blocks", &self.blocks.len()).finish_non_exhaustive()
    }
}
