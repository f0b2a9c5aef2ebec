//! The activities added up anew, beside what the checkpoint and the postings add up to: part by part in memory, the parts
//! in a temporary table, their sums in order.

use std::collections::HashMap;

use domain::{Activity, Cell, Day, PackError, PackedCells, PackedError, Postings, SeriesKey};
use ports::ledger::{Checkpoint, PartPlace};
use ports::store::{StoreError, Verification};
use rusqlite::{Connection, Rows, Statement, params};

use super::find;
use crate::error::StoreErr as _;
use crate::ledger;
use crate::row::{Columns, Damage};
use crate::series;
use crate::table::{Decoded, decode_row, select};
use crate::usage::Usage;

/// How many cells are held in memory.
const IN_MEMORY: usize = 50_000;

/// `stored` is 1 for a part of what is stored, 0 for one of what the activities add up to.
const TABLE: &str = "CREATE TEMP TABLE recount (day INTEGER NOT NULL, series INTEGER NOT NULL, stored INTEGER NOT NULL, \
     cell BLOB NOT NULL)";

/// A day and a series.
pub(super) type At = (Day, u32);

/// Adds the activities up into the temporary table, and counts what they refer to.
pub(super) fn recount(conn: &Connection) -> Result<Usage, StoreError> {
    conn.execute_batch(TABLE).store_err()?;
    let indexes = series_indexes(conn)?;
    let mut statement = conn.prepare(&select::<Activity>()).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    let (mut sums, mut usage) = (Postings::new(), Usage::default());
    while let Some(row) = rows.next().store_err()? {
        // What does not read was reported with the records; its cells will differ.
        let Ok(Decoded { record: Ok(record), .. }) = decode_row::<Activity>(conn, row) else { continue };
        usage.add(&record.value);
        let Some(series) = indexes.get(&record.value.series()) else { continue };
        sums.add(*series, &record.value.posting());
        if sums.len() >= IN_MEMORY {
            spill(conn, false, &std::mem::take(&mut sums), &mut |_, _, error| Err(error.into()))?;
        }
    }
    spill(conn, false, &sums, &mut |_, _, error| Err(error.into()))?;
    Ok(usage)
}

/// Adds the newest checkpoint and the later postings up into the temporary table. What does not read is a finding.
pub(super) fn add_kept(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let mut stored = StoredCells { conn, sums: Postings::new() };
    let newest = ledger::checkpoint(conn)?;
    let Checkpoint { number, parts } = newest.unwrap_or(Checkpoint { number: 0, parts: 0 });
    for part in 0..parts {
        let subject = || format!("part {part} of the checkpoint of change {number}");
        match ledger::checkpoint_part(conn, part) {
            Ok(cells) => stored.add(report, subject, &cells)?,
            Err(StoreError::Corrupt { detail, .. }) => find(report, subject(), detail),
            Err(error) => return Err(error),
        }
    }
    let mut after = PartPlace::behind(number);
    loop {
        let batch = ledger::postings_since(conn, after, 64)?;
        let Some((last, _)) = batch.last() else { break };
        after = *last;
        for (PartPlace { change, part }, cells) in &batch {
            stored.add(report, || format!("part {part} of the postings of change {change}"), cells)?;
        }
    }
    stored.spill(report)
}

struct StoredCells<'c> {
    conn: &'c Connection,
    sums: Postings,
}

impl StoredCells<'_> {
    fn add(
        &mut self,
        report: &mut Verification,
        subject: impl Fn() -> String,
        cells: &PackedCells,
    ) -> Result<(), StoreError> {
        for read in cells.cells() {
            match read {
                Ok((series, day, cell)) => {
                    if let Err(error) = self.sums.add_cell(series, day, cell) {
                        find(report, subject(), error.to_string());
                    }
                }
                Err(error) => find(report, subject(), error.to_string()),
            }
        }
        if self.sums.len() >= IN_MEMORY {
            self.spill(report)?;
        }
        Ok(())
    }

    fn spill(&mut self, report: &mut Verification) -> Result<(), StoreError> {
        spill(self.conn, true, &std::mem::take(&mut self.sums), &mut |series, day, error| {
            find(report, format!("cells of series {series} on {day}"), error.to_string());
            Ok(())
        })
    }
}

fn damaged(detail: String) -> StoreError {
    StoreError::Corrupt { subject: "the recount".to_owned(), detail }
}

fn series_indexes(conn: &Connection) -> Result<HashMap<SeriesKey, u32>, StoreError> {
    let mut statement = conn.prepare(&format!("SELECT {}, key FROM series", series::COLUMNS)).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    let mut indexes = HashMap::new();
    while let Some(row) = rows.next().store_err()? {
        let mut columns = Columns::new(row);
        if let Ok((key, index)) = series::read(&mut columns).and_then(|key| Ok((key, columns.take()?))) {
            indexes.insert(key, index);
        }
    }
    Ok(indexes)
}

/// Adds the sums to the temporary table, but for those that `too_large` gets.
fn spill(
    conn: &Connection,
    stored: bool,
    sums: &Postings,
    too_large: &mut dyn FnMut(u32, Day, PackError) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut insert = conn.prepare_cached("INSERT INTO recount VALUES (?, ?, ?, ?)").store_err()?;
    for (series, day, cell) in sums.cells() {
        match PackedCells::pack([(series, day, cell)]) {
            Ok(packed) => {
                insert.execute(params![day.number(), series, stored, packed.as_bytes()]).store_err()?;
            }
            Err(error) => too_large(series, day, error)?,
        }
    }
    Ok(())
}

/// A cell as it is stored, and as the activities add up to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Both {
    pub(super) stored: Cell,
    pub(super) counted: Cell,
}

/// Both sums in order of day, then series.
pub(super) struct Recount<'s> {
    rows: Rows<'s>,
    next: Option<(At, bool, Cell)>,
}

impl<'s> Recount<'s> {
    /// The statement that reads it.
    pub(super) fn statement(conn: &Connection) -> Result<Statement<'_>, StoreError> {
        conn.prepare("SELECT stored, cell FROM recount ORDER BY day, series").store_err()
    }

    /// Starts at the first cell.
    pub(super) fn open(statement: &'s mut Statement<'_>) -> Result<Self, StoreError> {
        let mut recount = Self { rows: statement.query([]).store_err()?, next: None };
        recount.advance()?;
        Ok(recount)
    }

    /// The next cell, its parts added up.
    pub(super) fn take(&mut self) -> Result<Option<(At, Both)>, StoreError> {
        let Some((at, ..)) = &self.next else { return Ok(None) };
        let (at, mut both) = (*at, Both::default());
        while let Some((_, stored, part)) = self.next.take_if(|(next, ..)| *next == at) {
            let sum = if stored { &mut both.stored } else { &mut both.counted };
            *sum = std::mem::take(sum).checked_add(&part).map_err(|error| damaged(error.to_string()))?;
            self.advance()?;
        }
        Ok(Some((at, both)))
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        let Some(row) = self.rows.next().store_err()? else { return Ok(()) };
        let mut columns = Columns::new(row);
        let read = columns.take::<bool>().and_then(|stored| Ok((stored, columns.take::<Vec<u8>>()?)));
        let (stored, bytes) = read.map_err(|Damage(detail)| damaged(detail))?;
        let cells: Result<Vec<_>, PackedError> = PackedCells::from_stored(bytes).cells().collect();
        for (series, day, cell) in cells.map_err(|error| damaged(error.to_string()))? {
            self.next = Some(((day, series), stored, cell));
        }
        Ok(())
    }
}
