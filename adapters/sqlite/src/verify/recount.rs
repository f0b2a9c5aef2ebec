//! Cells added up in bounded memory: in runs, each in order, which are put aside and merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use domain::{Cell, Day, PackError, PackedCells, PackedError, Posting, Postings, TooMany};
use ports::store::StoreError;

use super::spool::Spool;

/// How many cells are added up in memory.
const IN_MEMORY: usize = 50_000;
/// How many cells of a run are read at a time.
const PART: usize = 256;

/// A day and a series.
pub(super) type At = (Day, u32);

/// A cell that cannot be packed.
pub(super) type TooLarge = (At, PackError);

/// Cells that are added up.
pub(super) struct Sums {
    cells: Postings,
    runs: Runs,
}

/// Runs of cells, each in order of day, then series.
pub(super) struct Runs {
    spool: Spool,
    /// Of each run, where its parts are.
    places: Vec<Vec<i64>>,
    /// The cells that are in no run.
    pub(super) too_large: Vec<TooLarge>,
}

impl Sums {
    /// No cells.
    pub(super) fn open() -> Result<Self, StoreError> {
        let runs = Runs { spool: Spool::open()?, places: Vec::new(), too_large: Vec::new() };
        Ok(Self { cells: Postings::new(), runs })
    }

    /// Adds an activity of that series.
    pub(super) fn add(&mut self, series: u32, posting: &Posting) -> Result<(), StoreError> {
        self.cells.add(series, posting);
        self.spill_some()
    }

    /// Adds a cell, unless its numbers of activities together with the others could leave 64 bits.
    pub(super) fn add_cell(&mut self, (day, series): At, cell: Cell) -> Result<Result<(), TooMany>, StoreError> {
        let added = self.cells.add_cell(series, day, cell);
        self.spill_some()?;
        Ok(added)
    }

    /// The runs of all that was added.
    pub(super) fn finish(mut self) -> Result<Runs, StoreError> {
        self.spill()?;
        Ok(self.runs)
    }

    fn spill_some(&mut self) -> Result<(), StoreError> {
        if self.cells.len() >= IN_MEMORY { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<(), StoreError> {
        let cells: Vec<_> =
            std::mem::take(&mut self.cells).into_iter().filter(|(_, _, cell)| !cell.is_zero()).collect();
        let mut run = Vec::new();
        for part in cells.chunks(PART) {
            self.pack(part, &mut run)?;
        }
        if !run.is_empty() {
            self.runs.places.push(run);
        }
        Ok(())
    }

    fn pack(&mut self, part: &[(u32, Day, Cell)], run: &mut Vec<i64>) -> Result<(), StoreError> {
        let packed = PackedCells::pack(part.iter().map(|(series, day, cell)| (*series, *day, cell)));
        match (packed, part) {
            (Ok(packed), _) => run.push(self.runs.spool.put(packed.as_bytes())?),
            (Err(error), [(series, day, _)]) => self.runs.too_large.push(((*day, *series), error)),
            // One of them cannot be packed: the others can.
            (Err(_), _) => part.chunks(1).try_for_each(|one| self.pack(one, run))?,
        }
        Ok(())
    }
}

/// A cell as it is stored, and as the activities add up to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Both {
    pub(super) stored: Cell,
    pub(super) counted: Cell,
}

/// Both sums in order of day, then series.
pub(super) struct Merge<'r> {
    runs: Vec<Run<'r>>,
    /// The next cell of each run, the earliest on top.
    next: BinaryHeap<Reverse<(At, usize)>>,
}

/// A run that is read.
struct Run<'r> {
    is_stored: bool,
    spool: &'r Spool,
    places: std::slice::Iter<'r, i64>,
    cells: std::vec::IntoIter<(u32, Day, Cell)>,
    next: Option<Cell>,
}

impl<'r> Merge<'r> {
    /// Starts at the first cell.
    pub(super) fn open(stored: &'r Runs, counted: &'r [Runs]) -> Result<Self, StoreError> {
        let mut merge = Self { runs: Vec::new(), next: BinaryHeap::new() };
        for (is_stored, Runs { spool, places, .. }) in
            std::iter::once((true, stored)).chain(counted.iter().map(|runs| (false, runs)))
        {
            for places in places {
                let cells = Vec::new().into_iter();
                merge.runs.push(Run { is_stored, spool, places: places.iter(), cells, next: None });
                merge.advance(merge.runs.len() - 1)?;
            }
        }
        Ok(merge)
    }

    /// The next cell, its parts added up.
    pub(super) fn take(&mut self) -> Result<Option<(At, Both)>, StoreError> {
        let Some(Reverse((at, _))) = self.next.peek() else { return Ok(None) };
        let (at, mut both) = (*at, Both::default());
        while let Some(Reverse((next, index))) = self.next.peek().copied()
            && next == at
        {
            self.next.pop();
            if let Some(run) = self.runs.get_mut(index)
                && let Some(part) = run.next.take()
            {
                let sum = if run.is_stored { &mut both.stored } else { &mut both.counted };
                *sum = std::mem::take(sum).checked_add(&part).map_err(|error| damaged(&error.to_string()))?;
            }
            self.advance(index)?;
        }
        Ok(Some((at, both)))
    }

    fn advance(&mut self, index: usize) -> Result<(), StoreError> {
        let Some(run) = self.runs.get_mut(index) else { return Ok(()) };
        if run.cells.len() == 0
            && let Some(place) = run.places.next()
        {
            let part = PackedCells::from_stored(run.spool.get(*place)?);
            let cells: Result<Vec<_>, PackedError> = part.cells().collect();
            run.cells = cells.map_err(|error| damaged(&error.to_string()))?.into_iter();
        }
        if let Some((series, day, cell)) = run.cells.next() {
            run.next = Some(cell);
            self.next.push(Reverse(((day, series), index)));
        }
        Ok(())
    }
}

fn damaged(detail: &str) -> StoreError {
    StoreError::Corrupt { subject: "the recount".to_owned(), detail: detail.to_owned() }
}
