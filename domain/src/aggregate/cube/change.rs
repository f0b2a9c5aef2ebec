//! The next cube from the last one and what is added to its cells.
//! Blocks before the first change are shared whole, later ones share their cells and the pages of other series.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use super::block::{Block, Row};
use super::{Cube, CubeError, extend, known, target};
use crate::aggregate::cell::{Cell, SeriesKey};
use crate::calendar::day::Day;

impl Cube {
    /// The cube with `new_series` behind the series it has and with each of these cells added to the one that its series
    /// has on its day. An error is [`CubeError::Series`] or [`CubeError::TooMany`].
    pub fn plus(
        &self,
        cells: impl IntoIterator<Item = (u32, Day, Cell)>,
        new_series: impl IntoIterator<Item = SeriesKey>,
    ) -> Result<Self, CubeError> {
        let mut series = Arc::clone(&self.series);
        let mut new_series = new_series.into_iter().peekable();
        if new_series.peek().is_some() {
            Arc::make_mut(&mut series).extend(new_series);
        }
        let (mut edits, mut magnitude): (BTreeMap<(Day, u32), Cell>, _) = (BTreeMap::new(), self.magnitude);
        for (index, day, cell) in cells {
            known(&series, index)?;
            magnitude = magnitude.with(cell.counts())?;
            edits.entry((day, index)).or_default().add_within(&cell);
        }
        let blocks = self.edited_blocks(edits, series.len());
        let next = Self { series, blocks, magnitude };
        Ok(if next.is_scattered() { next.laid_out_anew() } else { next })
    }

    fn edited_blocks(&self, mut edits: BTreeMap<(Day, u32), Cell>, width: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let Some((last, earlier)) = self.blocks.split_last() else {
            let rows: Vec<Row> = edits.into_iter().filter(|(_, cell)| !cell.is_zero()).collect();
            extend(&mut blocks, &rows, width);
            return blocks;
        };
        let mut shift = Shift::default();
        for block in earlier {
            let later = edits.split_off(&(block.cells.last().next(), 0));
            place(&mut blocks, block, mem::replace(&mut edits, later), &mut shift, width);
        }
        place(&mut blocks, last, edits, &mut shift, width);
        blocks
    }

    /// Whether the blocks have become so small that their running totals outweigh the cells.
    fn is_scattered(&self) -> bool {
        self.blocks.len() > 8 + 2 * self.cell_count() / target(self.series.len())
    }

    fn laid_out_anew(self) -> Self {
        let rows: Vec<Row> = self.blocks.iter().flat_map(|block| block.cells.rows()).collect();
        Self::from_rows(self.series, &rows, self.magnitude)
    }
}

/// Appends the block with these cells added, as no, one or more blocks.
fn place(blocks: &mut Vec<Block>, block: &Block, edits: BTreeMap<(Day, u32), Cell>, shift: &mut Shift, width: usize) {
    for ((day, series), difference) in &edits {
        shift.add(*day, *series, difference);
    }
    if edits.is_empty() {
        blocks.push(shift.applied(block, block.cells.last()));
    } else {
        extend(blocks, &merged(block.cells.rows(), edits), width);
    }
}

/// Rows with others added, none of them zero, in their order.
fn merged(rows: impl Iterator<Item = Row>, edits: BTreeMap<(Day, u32), Cell>) -> Vec<Row> {
    let mut merged = Vec::new();
    let (mut rows, mut edits) = (rows.peekable(), edits.into_iter().peekable());
    loop {
        let next = match (rows.peek(), edits.peek()) {
            (Some((row, _)), Some((edit, _))) if row == edit => {
                rows.next().zip(edits.next()).map(|((place, mut cell), (_, more))| {
                    cell.add_within(&more);
                    (place, cell)
                })
            }
            (Some((row, _)), Some((edit, _))) if row > edit => edits.next(),
            (Some(_), _) => rows.next(),
            (None, _) => edits.next(),
        };
        match next {
            Some(row) if !row.1.is_zero() => merged.push(row),
            Some(_) => {}
            None => return merged,
        }
    }
}

/// By how much the running totals of changed series differ from the old ones.
#[derive(Default)]
struct Shift {
    /// The day number through which `by` runs.
    through: i32,
    by: BTreeMap<u32, Cell>,
}

impl Shift {
    /// Adds a difference of a cell, in the order of days.
    fn add(&mut self, day: Day, series: u32, difference: &Cell) {
        if !difference.is_zero() {
            self.advance(day);
            self.by.entry(series).or_default().add_within(&difference.clone().carried(1));
        }
    }

    fn applied(&mut self, block: &Block, through: Day) -> Block {
        self.advance(through);
        if self.by.is_empty() { block.clone() } else { block.shifted(&self.by) }
    }

    fn advance(&mut self, day: Day) {
        let days = i64::from(day.number() - mem::replace(&mut self.through, day.number()));
        for cell in self.by.values_mut() {
            *cell = mem::take(cell).carried(days);
        }
        self.by.retain(|_, cell| !cell.is_zero());
    }
}
