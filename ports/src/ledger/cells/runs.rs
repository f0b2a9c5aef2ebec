//! Adds up any number of cells in little memory: in runs that are packed once they are full, and merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::error::Error;
use std::mem;

use domain::{Cell, Day, Magnitude, PackedCells, PackedError, Postings};

use super::Placed;

/// How many cells a run has: some 25 MB of them while they are summed, 3 MB once they are packed.
pub(super) const RUN: usize = 100_000;

/// So many runs are merged to a longer one, so that cells that come again and again are not kept again and again.
const FAN_IN: usize = 16;

/// Cells that were read, added up.
pub(super) struct Runs {
    /// How many cells a run has.
    size: usize,
    /// The run under way.
    sum: Postings,
    /// The runs that are full, those of a higher level first.
    packed: Vec<Run>,
    /// Of all cells that were added: no sum of them leaves 64 bits.
    magnitude: Magnitude,
}

/// Cells by day, then series.
struct Run {
    /// 0 as it was summed; that of merged runs is one above theirs.
    level: u32,
    parts: Vec<PackedCells>,
}

impl Runs {
    /// No cells yet, in runs of that size.
    pub(super) fn new(size: usize) -> Self {
        Self { size, sum: Postings::new(), packed: Vec::new(), magnitude: Magnitude::default() }
    }

    /// Adds cells. Those before an error may have been added.
    pub(super) fn add(&mut self, cells: PackedCells) -> Result<(), Box<dyn Error>> {
        for read in cells {
            let (series, day, cell) = read?;
            self.magnitude = self.magnitude.with(cell.counts())?;
            self.sum.add_cell(series, day, cell)?;
            if self.sum.len() >= self.size {
                let parts = mem::take(&mut self.sum).pack()?;
                self.packed.push(Run { level: 0, parts });
                while self.merge_last()? {}
            }
        }
        Ok(())
    }

    /// Makes one run of the last ones, where there are enough of one level.
    fn merge_last(&mut self) -> Result<bool, Box<dyn Error>> {
        let Some(from) = self.packed.len().checked_sub(FAN_IN) else { return Ok(false) };
        let level = self.packed[from].level;
        if self.packed.last().is_some_and(|last| last.level != level) {
            return Ok(false);
        }
        let mut merged = Merged::new(self.packed.drain(from..).map(Run::cells))?;
        let mut parts = Vec::new();
        loop {
            let cells = merged.take(PackedCells::PART)?;
            if cells.is_empty() {
                break;
            }
            let cells = cells.iter().filter(|(_, _, cell)| !cell.is_zero());
            parts.push(PackedCells::pack(cells.map(|(series, day, cell)| (*series, *day, cell)))?);
        }
        self.packed.push(Run { level: level + 1, parts });
        Ok(true)
    }

    /// All cells in order.
    pub(super) fn merged(self) -> Result<Merged, Box<dyn Error>> {
        let sum: Ordered = Box::new(self.sum.into_iter().map(Ok));
        Merged::new(self.packed.into_iter().map(Run::cells).chain([sum]))
    }
}

/// Cells by day, then series.
type Ordered = Box<dyn Iterator<Item = Result<Placed, PackedError>> + Send>;

impl Run {
    /// The cells, one part of them in memory at a time, which is dropped when it was read.
    fn cells(self) -> Ordered {
        Box::new(self.parts.into_iter().flatten())
    }
}

/// Sequences of ordered cells as one: those of one series and day are added.
pub(super) struct Merged {
    sequences: Vec<Sequence>,
    /// Day, series and sequence of the next cells, the first on top.
    next: BinaryHeap<Reverse<(Day, u32, usize)>>,
    taken: usize,
}

struct Sequence {
    next: Cell,
    rest: Ordered,
}

impl Merged {
    fn new(sequences: impl Iterator<Item = Ordered>) -> Result<Self, Box<dyn Error>> {
        let mut merged = Self { sequences: Vec::new(), next: BinaryHeap::new(), taken: 0 };
        for mut rest in sequences {
            if let Some((series, day, next)) = rest.next().transpose()? {
                merged.next.push(Reverse((day, series, merged.sequences.len())));
                merged.sequences.push(Sequence { next, rest });
            }
        }
        Ok(merged)
    }

    /// How many cells were taken; some may have come to zero.
    pub(super) const fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next cell, if its day and series satisfy the condition. It may have come to zero.
    pub(super) fn take_if(
        &mut self,
        condition: impl FnOnce((Day, u32)) -> bool,
    ) -> Result<Option<Placed>, Box<dyn Error>> {
        let Some(place) = self.place().filter(|place| condition(*place)) else { return Ok(None) };
        let mut sum = self.first()?;
        while self.place() == Some(place) {
            sum = sum.checked_add(&self.first()?)?;
        }
        self.taken += 1;
        let (day, series) = place;
        Ok(Some((series, day, sum)))
    }

    /// Takes the next cells, at most so many; none at the end.
    pub(super) fn take(&mut self, most: usize) -> Result<Vec<Placed>, Box<dyn Error>> {
        let mut cells = Vec::new();
        while cells.len() < most
            && let Some(cell) = self.take_if(|_| true)?
        {
            cells.push(cell);
        }
        Ok(cells)
    }

    /// The day and series of the next cell.
    fn place(&self) -> Option<(Day, u32)> {
        self.next.peek().map(|Reverse((day, series, _))| (*day, *series))
    }

    /// Takes the next cell of the sequence that has the first of all; zero at the end.
    fn first(&mut self) -> Result<Cell, PackedError> {
        let Some(mut first) = self.next.peek_mut() else { return Ok(Cell::ZERO) };
        let Reverse((_, _, at)) = *first;
        let sequence = &mut self.sequences[at];
        if let Some((series, day, next)) = sequence.rest.next().transpose()? {
            *first = Reverse((day, series, at));
            Ok(mem::replace(&mut sequence.next, next))
        } else {
            PeekMut::pop(first);
            Ok(mem::take(&mut sequence.next))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_come_again_and_again_are_not_kept_again_and_again() {
        let day = |number| Day::from_number(2_460_000 + number).unwrap();
        let cell = Cell::ZERO.with_starts(1);
        let some = PackedCells::pack((0..10).map(|number| (0, day(number), &cell))).unwrap();
        let mut runs = Runs::new(10);
        for _ in 0..10_000 {
            runs.add(some.clone()).unwrap();
        }
        let kept: usize = runs.packed.iter().flat_map(|run| &run.parts).map(|part| part.as_bytes().len()).sum();
        assert!(kept < 64 * some.as_bytes().len(), "{kept} bytes of {}", some.as_bytes().len());
        let cells = runs.merged().unwrap().take(usize::MAX).unwrap();
        assert_eq!(cells, (0..10).map(|at| (0, day(at), Cell::ZERO.with_starts(10_000))).collect::<Vec<_>>());
    }
}
