//! The activities added up anew: part by part in memory, the parts in a temporary table, their sums in order.

use std::collections::{BTreeMap, HashMap};

use domain::{Activity, Cell, Day, SeriesKey};
use ports::store::StoreError;
use rusqlite::{Connection, Rows, Statement, params};

use crate::error::Meaning as _;
use crate::postings;
use crate::row::{Columns, Damage};
use crate::series;
use crate::table::{found, select};

/// How many cells are kept in memory.
const IN_MEMORY: usize = 50_000;

const TABLE: &str = "CREATE TEMP TABLE recount (day INTEGER NOT NULL, series INTEGER NOT NULL, \
     starts INTEGER NOT NULL, ends INTEGER NOT NULL, incomplete_starts INTEGER NOT NULL, \
     incomplete_ends INTEGER NOT NULL, co2e TEXT NOT NULL, slope TEXT NOT NULL, step TEXT NOT NULL)";

/// A day and a series.
pub(super) type At = (Day, u32);

/// Adds the activities up into the temporary table.
pub(super) fn recount(conn: &Connection) -> Result<(), StoreError> {
    conn.execute_batch(TABLE).meant()?;
    let indexes = series_indexes(conn)?;
    let mut statement = conn.prepare(&select::<Activity>()).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut parts: BTreeMap<At, Cell> = BTreeMap::new();
    while let Some(row) = rows.next().meant()? {
        // What does not read was reported with the records; its cells will differ.
        let Ok(found) = found::<Activity>(conn, row) else { continue };
        let Ok(record) = found.record else { continue };
        let Some(series) = indexes.get(&record.value.series()) else { continue };
        for (day, cell) in record.value.posting().cells() {
            *parts.entry((day, *series)).or_default() += cell;
        }
        if parts.len() >= IN_MEMORY {
            spill(conn, std::mem::take(&mut parts))?;
        }
    }
    spill(conn, parts)
}

fn series_indexes(conn: &Connection) -> Result<HashMap<SeriesKey, u32>, StoreError> {
    let mut statement = conn.prepare(&format!("SELECT {}, key FROM series", series::COLUMNS)).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut indexes = HashMap::new();
    while let Some(row) = rows.next().meant()? {
        let mut columns = Columns::new(row);
        if let Ok((key, index)) = series::read(&mut columns).and_then(|key| Ok((key, columns.take()?))) {
            indexes.insert(key, index);
        }
    }
    Ok(indexes)
}

fn spill(conn: &Connection, parts: BTreeMap<At, Cell>) -> Result<(), StoreError> {
    let mut insert = conn.prepare_cached("INSERT INTO recount VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").meant()?;
    for ((day, series), cell) in parts {
        insert
            .execute(params![
                day.number(),
                series,
                cell.starts,
                cell.ends,
                cell.incomplete_starts,
                cell.incomplete_ends,
                cell.co2e.to_string(),
                cell.slope.to_string(),
                cell.step.to_string()
            ])
            .meant()?;
    }
    Ok(())
}

/// The recount in order of day, then series.
pub(super) struct Recount<'s> {
    rows: Rows<'s>,
    next: Option<(At, Cell)>,
}

impl<'s> Recount<'s> {
    /// The statement that reads it.
    pub(super) fn statement(conn: &Connection) -> Result<Statement<'_>, StoreError> {
        let columns = postings::COLUMNS;
        conn.prepare(&format!("SELECT day, series, {columns} FROM recount AS cell ORDER BY day, series")).meant()
    }

    /// Starts at the first cell.
    pub(super) fn open(statement: &'s mut Statement<'_>) -> Result<Self, StoreError> {
        let mut recount = Self { rows: statement.query([]).meant()?, next: None };
        recount.advance()?;
        Ok(recount)
    }

    /// Where the next cell is.
    pub(super) fn place(&self) -> Option<At> {
        self.next.map(|(at, _)| at)
    }

    /// The next cell, its parts added up.
    pub(super) fn take(&mut self) -> Result<Option<(At, Cell)>, StoreError> {
        let Some((at, mut sum)) = self.next else { return Ok(None) };
        self.advance()?;
        while let Some((_, part)) = self.next.filter(|(next, _)| *next == at) {
            sum += part;
            self.advance()?;
        }
        Ok(Some((at, sum)))
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        let Some(row) = self.rows.next().meant()? else {
            self.next = None;
            return Ok(());
        };
        let mut columns = Columns::new(row);
        let next = columns.day().and_then(|day| {
            let at = (day, columns.take()?);
            Ok((at, postings::read(&mut columns)?))
        });
        self.next =
            Some(next.map_err(|Damage(detail)| StoreError::Corrupt { subject: "the recount".to_owned(), detail })?);
        Ok(())
    }
}
