//! Cells in the parts of a checkpoint: from a cube, or packed as they are read where nobody needs one.

use std::error::Error;
use std::mem;

use domain::{Cell, Cube, CubeError, Day, Magnitude, PackError, PackedCells, UnknownSeries};

use super::Placed;
use super::building::Take;

/// Cells that a checkpoint is written from.
pub trait CheckpointCells: Send + Sync {
    /// Every cell that is not zero, by day, then series, also from part to part; each part but the last has
    /// [`PackedCells::PART`]. The same cells have the same parts.
    fn parts(&self) -> Box<dyn Iterator<Item = Result<PackedCells, PackError>> + Send + '_>;
}

impl CheckpointCells for Cube {
    fn parts(&self) -> Box<dyn Iterator<Item = Result<PackedCells, PackError>> + Send + '_> {
        Box::new(Self::parts(self))
    }
}

/// All cells of a tenant, packed: some 30 bytes a cell.
#[derive(Debug)]
pub struct PackedParts(Vec<PackedCells>);

impl CheckpointCells for PackedParts {
    fn parts(&self) -> Box<dyn Iterator<Item = Result<PackedCells, PackError>> + Send + '_> {
        Box::new(self.0.iter().cloned().map(Ok))
    }
}

/// Packs the cells that come by day, then series.
pub(super) struct Packing {
    /// How many series there are.
    series: usize,
    magnitude: Magnitude,
    /// The place of the cell before.
    last: Option<(Day, u32)>,
    parts: Vec<PackedCells>,
    /// What is in no part yet.
    cells: Vec<Placed>,
}

impl Packing {
    /// No cells yet, of so many series.
    pub(super) fn new(series: usize) -> Self {
        Self { series, magnitude: Magnitude::default(), last: None, parts: Vec::new(), cells: Vec::new() }
    }

    /// All cells.
    pub(super) fn finish(mut self) -> Result<PackedParts, PackError> {
        if !self.cells.is_empty() {
            self.end_part()?;
        }
        Ok(PackedParts(self.parts))
    }

    fn end_part(&mut self) -> Result<(), PackError> {
        let cells = mem::take(&mut self.cells);
        self.parts.push(PackedCells::pack(cells.iter().map(|(series, day, cell)| (*series, *day, cell)))?);
        Ok(())
    }
}

impl Take for Packing {
    fn take(&mut self, series: u32, day: Day, cell: Cell) -> Result<(), Box<dyn Error>> {
        if series as usize >= self.series {
            return Err(UnknownSeries(series).into());
        }
        if cell.is_zero() {
            return Ok(());
        }
        if self.last.is_some_and(|last| last >= (day, series)) {
            return Err(CubeError::Order.into());
        }
        self.last = Some((day, series));
        self.magnitude = self.magnitude.with(cell.counts())?;
        self.cells.push((series, day, cell));
        if self.cells.len() == PackedCells::PART {
            self.end_part()?;
        }
        Ok(())
    }
}
