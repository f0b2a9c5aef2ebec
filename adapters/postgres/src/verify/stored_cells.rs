//! The cells as they are stored: the newest checkpoint, part by part, and the postings of later changes added to it.

use std::collections::VecDeque;
use std::iter::Peekable;

use domain::{Cell, Day, PackedCells, Postings, TooMany};
use ports::ledger::{Checkpoint, PartPlace};
use ports::store::{StoreError, Verification};

use super::find;
use super::recount::At;
use crate::conn::TenantConn;
use crate::ledger;

/// How many parts of postings are read at a time.
const PARTS: u32 = 64;

/// The cells that are stored, in the order of day, then series; none of them is zero.
pub(super) struct StoredCells {
    checkpoint: Option<Checkpoint>,
    /// How many of its parts were read.
    read: u32,
    cells: VecDeque<(At, Cell)>,
    later: Peekable<std::vec::IntoIter<(At, Cell)>>,
}

impl StoredCells {
    /// Starts at the first cell.
    pub(super) async fn open(conn: &mut TenantConn, report: &mut Verification) -> Result<Self, StoreError> {
        let checkpoint = ledger::checkpoint(conn).await?;
        let number = checkpoint.map_or(0, |checkpoint| checkpoint.number);
        let later = later(conn, report, number).await?;
        let later: Vec<(At, Cell)> = later.into_iter().map(|(series, day, cell)| ((day, series), cell)).collect();
        Ok(Self { checkpoint, read: 0, cells: VecDeque::new(), later: later.into_iter().peekable() })
    }

    pub(super) async fn next(
        &mut self,
        conn: &mut TenantConn,
        report: &mut Verification,
    ) -> Result<Option<(At, Cell)>, StoreError> {
        loop {
            self.fill(conn, report).await?;
            let before = self.cells.front().map(|(at, _)| *at);
            let found = match (before, self.later.peek().map(|(at, _)| *at)) {
                (None, None) => return Ok(None),
                (Some(at), Some(later)) if at == later => {
                    let added = self.later.next().map(|(_, cell)| cell).unwrap_or_default();
                    match self.cells.pop_front().map(|(at, cell)| (at, cell.checked_add(&added))) {
                        Some((at, Ok(sum))) => Some((at, sum)),
                        Some(((day, series), Err(error))) => {
                            find(report, format!("cells of series {series} on {day}"), error.to_string());
                            None
                        }
                        None => None,
                    }
                }
                (Some(at), later) if later.is_none_or(|later| at < later) => self.cells.pop_front(),
                (Some(_) | None, _) => self.later.next(),
            };
            if let Some((at, cell)) = found.filter(|(_, cell)| !cell.is_zero()) {
                return Ok(Some((at, cell)));
            }
        }
    }

    /// Reads the next part of the checkpoint where the one before is used up.
    async fn fill(&mut self, conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
        let parts = self.checkpoint.map_or(0, |checkpoint| checkpoint.parts);
        while self.cells.is_empty() && self.read < parts {
            let part = self.read;
            self.read += 1;
            let cells = ledger::checkpoint_part(conn, part).await?;
            let subject = || format!("part {part} of the checkpoint");
            each(&cells, report, subject, |series, day, cell| {
                self.cells.push_back(((day, series), cell));
                Ok(())
            });
        }
        Ok(())
    }
}

/// What the postings of changes later than that come to.
async fn later(conn: &mut TenantConn, report: &mut Verification, number: u64) -> Result<Postings, StoreError> {
    let mut sum = Postings::new();
    let mut after = PartPlace::behind(number);
    loop {
        let parts = ledger::postings_since(conn, after, PARTS).await?;
        for (place, cells) in &parts {
            let subject = || format!("postings of change {}, part {}", place.change, place.part);
            each(cells, report, subject, |series, day, cell| sum.add_cell(series, day, cell));
        }
        match parts.last() {
            Some((place, _)) if parts.len() >= PARTS as usize => after = *place,
            Some(_) | None => return Ok(sum),
        }
    }
}

fn each(
    cells: &PackedCells,
    report: &mut Verification,
    subject: impl Fn() -> String,
    mut take: impl FnMut(u32, Day, Cell) -> Result<(), TooMany>,
) {
    for read in cells.cells() {
        match read {
            Ok((series, day, cell)) => {
                if let Err(error) = take(series, day, cell) {
                    find(report, subject(), error.to_string());
                }
            }
            Err(error) => find(report, subject(), error.to_string()),
        }
    }
}
