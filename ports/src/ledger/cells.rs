//! What a tenant's checkpoint and postings come to.

mod building;

use std::error::Error;
use std::fmt::Display;
use std::iter::Peekable;

use domain::{Cell, Cube, CubeBuilder, Day, PackedCells, Postings};

use super::PartPlace;
use crate::repo::LedgerReader;
use crate::store::StoreError;
use building::Building;

/// How many parts of postings are read at a time.
const PARTS: u32 = 64;

/// The cells of a tenant as they were read, and how they are stored.
#[derive(Debug)]
pub struct StoredCells {
    /// All cells; to make a cube of millions of them takes a while that belongs on a thread of its own.
    pub builder: CubeBuilder,
    /// The number of the change of the checkpoint; 0 when there is none.
    pub checkpoint: u64,
    /// How many cells the later postings had to be read for.
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
/// at a time.
pub async fn cells(ledger: &mut (dyn LedgerReader + '_)) -> Result<StoredCells, StoreError> {
    let builder = CubeBuilder::new(ledger.series(0).await?);
    let kept = ledger.checkpoint().await?;
    let (checkpoint, parts) = kept.map_or((0, 0), |kept| (kept.number, kept.parts));
    let later = postings_since(ledger, checkpoint).await?;
    let tail = later.len();
    let mut later = later.into_iter().peekable();
    let building = Building::begin(builder)?;
    for part in 0..parts {
        let subject = format!("part {part} of the checkpoint of change {checkpoint}");
        let packed = ledger.checkpoint_part(part).await?;
        let cells = merged(&packed, &mut later).map_err(|error| damaged(subject.clone(), error.as_ref()))?;
        if !building.add(subject, cells) {
            break;
        }
    }
    loop {
        // A part at a time: each leaves the one memory as it comes into the other.
        let cells: Vec<Placed> = later.by_ref().take(PackedCells::PART).collect();
        if cells.is_empty() || !building.add("postings".to_owned(), cells) {
            break;
        }
    }
    Ok(StoredCells { builder: building.finish()?, checkpoint, tail })
}

/// The cells of a part, and those of later postings that come before its last.
fn merged(
    part: &PackedCells,
    later: &mut Peekable<impl Iterator<Item = Placed>>,
) -> Result<Vec<Placed>, Box<dyn Error>> {
    let mut cells = Vec::with_capacity(PackedCells::PART);
    for read in part.cells() {
        let (series, day, mut cell) = read?;
        while let Some((other, at, more)) = later.next_if(|(other, at, _)| (*at, *other) <= (day, series)) {
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

/// What the postings of changes later than `number` come to.
pub async fn postings_since(ledger: &mut (dyn LedgerReader + '_), number: u64) -> Result<Postings, StoreError> {
    first_postings_since(ledger, number, usize::MAX).await
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
    let mut after = PartPlace::behind(number);
    loop {
        let parts = ledger.postings_since(after, PARTS).await?;
        for (place, cells) in &parts {
            add(&mut sum, cells).map_err(|error| {
                damaged(format!("postings of change {}, part {}", place.change, place.part), error.as_ref())
            })?;
        }
        match parts.last() {
            Some((place, _)) if parts.len() >= PARTS as usize && sum.len() < enough => after = *place,
            Some(_) | None => return Ok(sum),
        }
    }
}

fn add(sum: &mut Postings, cells: &PackedCells) -> Result<(), Box<dyn Error>> {
    for read in cells.cells() {
        let (series, day, cell) = read?;
        sum.add_cell(series, day, cell)?;
    }
    Ok(())
}

fn damaged(subject: String, error: &(impl Display + ?Sized)) -> StoreError {
    StoreError::Corrupt { subject, detail: error.to_string() }
}
