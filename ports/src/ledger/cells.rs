//! What a tenant's checkpoint and postings come to.

mod building;
mod parts;
mod runs;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt::Display;
use std::ops::ControlFlow;

use domain::{Cell, Cube, CubeBuilder, Day, PackedCells, Postings};

use super::PartPlace;
use crate::repo::LedgerReader;
use crate::store::StoreError;
use building::{Building, Take};
use parts::Packing;
use runs::{Merged, RUN, Runs};

pub use parts::{CheckpointCells, PackedParts};

/// How many parts of postings are read at a time.
const PARTS: u32 = 64;

/// The cells of a tenant as they were read, and how they are stored.
#[derive(Debug)]
pub struct StoredCells {
    /// All cells; to make a cube of millions of them takes a while that belongs on a thread of its own.
    pub builder: CubeBuilder,
    /// The number of the change of the checkpoint; 0 when there is none.
    pub checkpoint: u64,
    /// How many cells the later postings come to, among them some that came to zero.
    pub tail: usize,
}

impl StoredCells {
    /// The cells added up.
    #[must_use]
    pub fn cube(self) -> Cube {
        self.builder.finish()
    }
}

/// A cell with its series and day.
type Placed = (u32, Day, Cell);

/// The cells of the transaction's tenant: the newest checkpoint, and the postings of later changes added to it.
///
/// They are read here and taken into the cube by a thread beside. Beside the cube, a few parts of the checkpoint are in memory
/// at a time, and the cells of the later postings: 25 MB, and 30 bytes for each beyond the first hundred thousand.
pub async fn cells(ledger: &mut (dyn LedgerReader + '_)) -> Result<StoredCells, StoreError> {
    cells_in_runs(ledger, RUN).await
}

/// The same cells packed, for whoever writes them as a checkpoint and needs no cube: 30 bytes a cell in place of 80.
pub async fn packed_cells(ledger: &mut (dyn LedgerReader + '_)) -> Result<PackedParts, StoreError> {
    packed_in_runs(ledger, RUN).await
}

async fn cells_in_runs(ledger: &mut (dyn LedgerReader + '_), run: usize) -> Result<StoredCells, StoreError> {
    let builder = CubeBuilder::new(ledger.series(0).await?);
    let Taken { into: builder, checkpoint, tail } = take_cells(ledger, run, builder).await?;
    Ok(StoredCells { builder, checkpoint, tail })
}

async fn packed_in_runs(ledger: &mut (dyn LedgerReader + '_), run: usize) -> Result<PackedParts, StoreError> {
    let packing = Packing::new(ledger.series(0).await?.len());
    Ok(take_cells(ledger, run, packing).await?.into.finish()?)
}

/// What has all cells, and where they were.
struct Taken<T> {
    into: T,
    /// As of [`StoredCells`].
    checkpoint: u64,
    tail: usize,
}

/// Has all cells taken in, the later postings added up in runs of that size.
async fn take_cells<T: Take>(
    ledger: &mut (dyn LedgerReader + '_),
    run: usize,
    into: T,
) -> Result<Taken<T>, StoreError> {
    let kept = ledger.checkpoint().await?;
    let (checkpoint, parts) = kept.map_or((0, 0), |kept| (kept.number, kept.parts));
    let mut later = merged_since(ledger, checkpoint, run).await?;
    let building = Building::begin(into)?;
    for part in 0..parts {
        let subject = format!("part {part} of the checkpoint of change {checkpoint}");
        let packed = ledger.checkpoint_part(part).await?;
        let cells = merged(packed, &mut later).map_err(|error| damaged(subject.clone(), error.as_ref()))?;
        if !building.add(subject, cells) {
            break;
        }
    }
    loop {
        // A part at a time: each leaves the one memory as it comes into the other.
        let cells = later.take(PackedCells::PART).map_err(|error| in_postings(error.as_ref()))?;
        if cells.is_empty() || !building.add("postings".to_owned(), cells) {
            break;
        }
    }
    Ok(Taken { into: building.finish()?, checkpoint, tail: later.taken() })
}

/// The cells of a part, and those of later postings that come before its last.
fn merged(part: PackedCells, later: &mut Merged) -> Result<Vec<Placed>, Box<dyn Error>> {
    let mut cells = Vec::with_capacity(PackedCells::PART);
    for read in part {
        let (series, day, mut cell) = read?;
        while let Some((other, at, more)) = later.take_if(|place| place <= (day, series))? {
            if (at, other) == (day, series) {
                cell = cell.checked_add(&more)?;
            } else {
                cells.push((other, at, more));
            }
        }
        cells.push((series, day, cell));
    }
    Ok(cells)
}

/// How many cells the postings of changes later than `number` come to, among them some that came to zero.
/// Takes as little memory as [`cells`] does for them.
pub async fn cell_count_since(ledger: &mut (dyn LedgerReader + '_), number: u64) -> Result<usize, StoreError> {
    let mut later = merged_since(ledger, number, RUN).await?;
    while !later.take(PackedCells::PART).map_err(|error| in_postings(error.as_ref()))?.is_empty() {}
    Ok(later.taken())
}

/// What the postings of changes later than `number` come to, in order, added up in runs of that size.
async fn merged_since(ledger: &mut (dyn LedgerReader + '_), number: u64, run: usize) -> Result<Merged, StoreError> {
    let mut runs = Runs::new(run);
    visit_since(ledger, number, |cells| runs.add(cells).map(ControlFlow::Continue)).await?;
    runs.merged().map_err(|error| in_postings(error.as_ref()))
}

/// What the postings of changes later than `number` come to, some 250 bytes a cell.
pub async fn postings_since(ledger: &mut (dyn LedgerReader + '_), number: u64) -> Result<Postings, StoreError> {
    first_postings_since(ledger, number, usize::MAX).await
}

/// The same, if they come to fewer than `most` cells: beyond that no more of them are read.
pub async fn few_postings_since(
    ledger: &mut (dyn LedgerReader + '_),
    number: u64,
    most: usize,
) -> Result<Option<Postings>, StoreError> {
    let postings = first_postings_since(ledger, number, most).await?;
    Ok((postings.len() < most).then_some(postings))
}

/// Whether the postings of changes later than `number` come to so many cells; no more of them are read than needed.
pub async fn has_postings_since(
    ledger: &mut (dyn LedgerReader + '_),
    number: u64,
    cells: usize,
) -> Result<bool, StoreError> {
    Ok(first_postings_since(ledger, number, cells).await?.len() >= cells)
}

/// What the postings of changes later than `number` come to, until those are so many cells.
async fn first_postings_since(
    ledger: &mut (dyn LedgerReader + '_),
    number: u64,
    enough: usize,
) -> Result<Postings, StoreError> {
    let mut sum = Postings::new();
    visit_since(ledger, number, |cells| {
        for read in cells {
            let (series, day, cell) = read?;
            sum.add_cell(series, day, cell)?;
            if sum.len() >= enough {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
    .await?;
    Ok(sum)
}

/// Hands over the postings of changes later than `number`, part by part, for as long as more are wanted.
async fn visit_since(
    ledger: &mut (dyn LedgerReader + '_),
    number: u64,
    mut visit: impl FnMut(PackedCells) -> Result<ControlFlow<()>, Box<dyn Error>> + Send,
) -> Result<(), StoreError> {
    let mut after = PartPlace::behind(number);
    loop {
        let parts = ledger.postings_since(after, PARTS).await?;
        let is_last = parts.len() < PARTS as usize;
        for (place, cells) in parts {
            let wanted = visit(cells).map_err(|error| {
                damaged(format!("postings of change {}, part {}", place.change, place.part), error.as_ref())
            })?;
            if wanted.is_break() {
                return Ok(());
            }
            after = place;
        }
        if is_last {
            return Ok(());
        }
    }
}

fn in_postings(error: &(dyn Error + 'static)) -> StoreError {
    damaged("postings".to_owned(), error)
}

fn damaged(subject: String, error: &(impl Display + ?Sized)) -> StoreError {
    StoreError::Corrupt { subject, detail: error.to_string() }
}
